import { Anchor, Group } from '@mantine/core'
import styles from './bubble.module.css'

interface FailedFooterProps {
	error: string | null
	/** Null if the message cannot be sent again. */
	onRetry: (() => void) | null
	/** Null for a message that the server has stored. */
	onDiscard: (() => void) | null
}

/** Shown under a message that failed: the error, Retry and Delete. */
export function FailedFooter({ error, onRetry, onDiscard }: FailedFooterProps) {
	return (
		<Group className={styles.failed} gap="2px 10px" align="stretch" justify="flex-end">
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
		</Group>
	)
}
