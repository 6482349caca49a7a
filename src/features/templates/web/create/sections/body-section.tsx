import { MAX_BODY_LENGTH, MAX_FOOTER_LENGTH } from '#features/templates/limits.ts'
import { variablesIn } from '#features/templates/placeholders.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { HintedInput } from '../field-hints.tsx'
import { Examples } from '../text/examples.tsx'
import { VariableTextField } from '../text/variable-text.tsx'
import type { SectionProps } from './section-props.ts'

export function BodySection({ form, hints }: SectionProps) {
	const { body_text, body_examples } = form.values
	const variables = variablesIn(body_text)
	return (
		<FormSection
			number={3}
			title="Body"
			done={body_text.trim() !== '' && variables.every((_, index) => body_examples[index]?.trim())}
		>
			<VariableTextField
				label="Body text"
				placeholder="Hi {{1}}, our festive collection has arrived."
				value={{ text: body_text, examples: body_examples }}
				onChange={({ text, examples }) => {
					if (examples.length !== body_examples.length) clearExampleErrors(form)
					form.setFieldValue('body_text', text)
					form.setFieldValue('body_examples', [...examples])
				}}
				inputProps={form.getInputProps('body_text')}
				max={MAX_BODY_LENGTH}
				hints={hints('body_text')}
				isBody
				canAdd
			/>
			<Examples
				variables={variables}
				examples={body_examples}
				onChange={(examples, changed) => {
					form.setFieldValue('body_examples', examples)
					form.clearFieldError(`body_examples.${changed}`)
				}}
				inputProps={(index) => form.getInputProps(`body_examples.${index}`)}
				hints={(index) => hints(`body_examples.${index}`)}
			/>
		</FormSection>
	)
}

// The errors are keyed by position, which changes when a variable is added or removed.
function clearExampleErrors(form: SectionProps['form']) {
	for (const path of Object.keys(form.errors)) if (path.startsWith('body_examples.')) form.clearFieldError(path)
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
