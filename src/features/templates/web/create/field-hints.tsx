import { Group, TextInput, type TextInputProps } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Counter } from './counter.tsx'
import styles from './create-template.module.css'

/** Renders hints under a field while it is filled in: text that Meta will refuse or often rejects. */
export function FieldHints({ hints }: { hints: readonly string[] }) {
	return (
		<div className={styles.hints} aria-live="polite">
			{hints.map((hint) => (
				<p key={hint}>
					<IconAlertTriangle size={16} aria-hidden />
					{hint}
				</p>
			))}
		</div>
	)
}

interface HintedInputProps extends TextInputProps {
	hints: readonly string[]
	/** Maximum characters, shown with a counter. */
	max?: number
}

/** Renders a text input of one line with its hints. */
export function HintedInput({ hints, max, ...rest }: HintedInputProps) {
	return (
		<div>
			<TextInput autoComplete="off" {...rest} />
			{max !== undefined && (
				<Group mt={4}>
					<Counter text={String(rest.value ?? '')} max={max} />
				</Group>
			)}
			<FieldHints hints={hints} />
		</div>
	)
}
