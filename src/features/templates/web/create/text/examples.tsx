import type { GetInputPropsReturnType } from '@mantine/form'
import { HintedInput } from '../field-hints.tsx'
import styles from './text.module.css'

interface ExamplesProps {
	/** Variables in order: "1" or "first_name". */
	variables: readonly string[]
	/** Suffix such as "of the header" that distinguishes the examples of two texts. */
	of?: string
	examples: readonly string[]
	/** Called with all examples after a change, and the index of the changed one. */
	onChange: (examples: string[], changed: number) => void
	/** Returns the form's input props for the example at this index. */
	inputProps: (index: number) => GetInputPropsReturnType
	hints: (index: number) => readonly string[]
}

/** Renders one input per variable for its example, which Meta's reviewers read; nothing without variables. */
export function Examples({ variables, of = '', examples, onChange, inputProps, hints }: ExamplesProps) {
	if (variables.length === 0) return null
	return (
		<fieldset className={`well ${styles.examples}`}>
			<legend>
				Examples {of}
				<span>Only WhatsApp’s reviewers see them.</span>
			</legend>
			<div className={styles.grid}>
				{variables.map((variable, index) => (
					<HintedInput
						key={variable}
						label={`Example for {{${variable}}}${of && ` ${of}`}`}
						required
						hints={hints(index)}
						{...inputProps(index)}
						value={examples[index] ?? ''}
						onChange={(event) => {
							const typed = event.currentTarget.value
							onChange(
								variables.map((_, at) => (at === index ? typed : (examples[at] ?? ''))),
								index,
							)
						}}
					/>
				))}
			</div>
		</fieldset>
	)
}
