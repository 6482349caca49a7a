import { MAX_BODY_LENGTH, MAX_FOOTER_LENGTH, MAX_OFFER_BODY_LENGTH } from '#features/templates/limits.ts'
import { variablesIn } from '#features/templates/placeholders.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { HintedInput } from '../field-hints.tsx'
import { kindOf } from '../template-fields.ts'
import { BodyFields } from '../text/body-fields.tsx'
import type { SectionProps } from './section-props.ts'

export function BodySection({ form, hints, number = 3 }: SectionProps & { number?: number }) {
	const { body_text, body_examples } = form.values
	return (
		<FormSection
			number={number}
			title="Body"
			done={body_text.trim() !== '' && variablesIn(body_text).every((_, index) => body_examples[index]?.trim())}
		>
			<BodyFields
				form={form}
				hints={hints}
				label="Body text"
				placeholder="Hi {{1}}, our festive collection has arrived."
				value={{ text: body_text, examples: body_examples }}
				max={kindOf(form.values) === 'LIMITED_TIME_OFFER' ? MAX_OFFER_BODY_LENGTH : MAX_BODY_LENGTH}
			/>
		</FormSection>
	)
}

export function FooterSection({ form, hints }: SectionProps) {
	const { footer_text } = form.values
	return (
		<FormSection number={4} title="Footer" done={footer_text.trim() !== ''}>
			<HintedInput
				label="Footer text"
				placeholder="Optional: small text at the end"
				max={MAX_FOOTER_LENGTH}
				hints={hints('footer_text')}
				{...form.getInputProps('footer_text')}
			/>
		</FormSection>
	)
}
