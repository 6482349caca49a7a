import { variablesIn } from '#features/templates/placeholders.ts'
import type { SectionProps } from '../sections/section-props.ts'
import { Examples } from './examples.tsx'
import { VariableTextField } from './variable-text.tsx'
import type { VariableText } from './variables.ts'

interface BodyFieldsProps extends SectionProps {
	/** Beginning of the paths of `body_text` and `body_examples`: empty, or `cards.0.` for the first card. */
	at?: `cards.${number}.` | ''
	label: string
	placeholder: string
	value: VariableText
	max: number
	/** Lines of the empty field; 5 by default. */
	lines?: number
	isOptional?: boolean
}

/** Renders the text of a template's or card's body with the examples of its variables. */
export function BodyFields({ form, hints, at = '', value, ...field }: BodyFieldsProps) {
	const variables = variablesIn(value.text)
	const set = ({ text, examples }: VariableText) => {
		form.setFieldValue(`${at}body_text`, text)
		form.setFieldValue(`${at}body_examples`, [...examples])
	}
	return (
		<>
			<VariableTextField
				{...field}
				value={value}
				onChange={(changed) => {
					// The errors are keyed by position, which changes when a variable is added or removed.
					if (changed.examples.length !== value.examples.length) clearErrorsOf(form, `${at}body_examples.`)
					set(changed)
				}}
				inputProps={form.getInputProps(`${at}body_text`)}
				hints={hints(`${at}body_text`)}
				isBody
				canAdd
			/>
			<Examples
				variables={variables}
				examples={value.examples}
				onChange={(examples, changed) => {
					form.setFieldValue(`${at}body_examples`, examples)
					form.clearFieldError(`${at}body_examples.${changed}`)
				}}
				inputProps={(index) => form.getInputProps(`${at}body_examples.${index}`)}
				hints={(index) => hints(`${at}body_examples.${index}`)}
			/>
		</>
	)
}

/** Clears the errors of all fields whose paths begin with `start`. */
export function clearErrorsOf(form: SectionProps['form'], start: string): void {
	for (const path of Object.keys(form.errors)) if (path.startsWith(start)) form.clearFieldError(path)
}
