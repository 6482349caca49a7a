import { Anchor } from '@mantine/core'
import styles from './bubble.module.css'

interface FailedNoteProps {
	error: string | null
	/** None where trying again would fail again. */
	onRetry: (() => void) | null
	/** None for what the server keeps. */
	onDiscard: (() => void) | null
}

/** Under a message that was not sent: why, and what can be done. */
export function FailedNote({ error, onRetry, onDiscard }: FailedNoteProps) {
	return (
		<div className={styles.failed}>
			<span>{error ?? 'Failed to send message'}</span>
			{onRetry && (
				<Anchor component="button" type="button" underline="always" onClick={onRetry}>
					Retry
				</Anchor>
			)}
			{onDiscard && (
				<Anchor component="button" type="button" underline="always" onClick={onDiscard}>
					Delete
				</Anchor>
			)}
		</div>
	)
}
