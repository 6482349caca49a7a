import { MAX_OFFER_TEXT_LENGTH } from '#features/templates/limits.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { FixedButtons } from '../buttons/fixed-buttons.tsx'
import { HintedInput } from '../field-hints.tsx'
import type { SectionProps } from './section-props.ts'

/** Renders the box of a limited-time offer, and its two buttons. */
export function OfferSection({ form, hints }: SectionProps) {
	const { offer_text, buttons } = form.values
	const isFilled =
		offer_text.trim() !== '' && buttons.every(({ url, code_example }) => url.trim() || code_example.trim())
	return (
		<FormSection number={4} title="Offer" done={isFilled}>
			<HintedInput
				label="Text of the offer"
				placeholder="Ends soon"
				description="Shown in the box above the message, with the time left. You set the end in each campaign."
				required
				max={MAX_OFFER_TEXT_LENGTH}
				hints={hints('offer_text')}
				{...form.getInputProps('offer_text')}
			/>
			<FixedButtons form={form} hints={hints} buttons={buttons} />
		</FormSection>
	)
}
