import { Checkbox } from '@mantine/core'
import { MAX_BUTTON_TEXT_LENGTH, MAX_EXPIRATION_MINUTES, MIN_EXPIRATION_MINUTES } from '#features/templates/limits.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { HintedInput } from '../field-hints.tsx'
import type { SectionProps } from './section-props.ts'

/** Renders the options of an AUTHENTICATION template, whose text WhatsApp provides. */
export function PresetSection({ form, hints }: SectionProps) {
	return (
		<FormSection number={2} title="Code message" done={hints('code_expiration_minutes').length === 0}>
			<Notice tone="info">WhatsApp writes this message in the language you chose. Campaigns fill in the code.</Notice>
			<Checkbox
				label="Add a security recommendation"
				description="“For your security, do not share this code.”"
				{...form.getInputProps('add_security_recommendation', { type: 'checkbox' })}
			/>
			<HintedInput
				label="Code expires after (minutes)"
				description={`${MIN_EXPIRATION_MINUTES} to ${MAX_EXPIRATION_MINUTES}. Leave it empty to omit it from the message.`}
				inputMode="numeric"
				maw={360}
				hints={hints('code_expiration_minutes')}
				{...form.getInputProps('code_expiration_minutes')}
			/>
			<HintedInput
				label="Button text"
				description="The button copies the code."
				max={MAX_BUTTON_TEXT_LENGTH}
				hints={hints('otp_button_text')}
				{...form.getInputProps('otp_button_text')}
			/>
		</FormSection>
	)
}
