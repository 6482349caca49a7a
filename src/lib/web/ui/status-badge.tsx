import styles from './status-badge.module.css'

type Tone = 'ok' | 'warn' | 'error' | 'info' | 'neutral'

const tones = {
	campaign: { pending: 'warn', processing: 'info', completed: 'ok', failed: 'error' },
	message: { pending: 'warn', sent: 'neutral', delivered: 'ok', read: 'info', failed: 'error' },
	template: { APPROVED: 'ok', PENDING: 'warn', REJECTED: 'error' },
	quality: { HIGH: 'ok', MEDIUM: 'warn', LOW: 'error' },
	account: { Active: 'ok', Inactive: 'error' },
	/** The status is itself the tone, for a badge that none of the lists above knows. */
	tone: { ok: 'ok', warn: 'warn', error: 'error', info: 'info', neutral: 'neutral' },
} satisfies Record<string, Record<string, Tone>>

interface StatusBadgeProps {
	kind: keyof typeof tones
	/** A status that is not in the list is shown neutral. */
	status: string
	/** The word, where it should not be the status itself. */
	label?: string
}

/** Always a word and a colour, never the colour alone. */
export function StatusBadge({ kind, status, label = status }: StatusBadgeProps) {
	const list: Record<string, Tone> = tones[kind]
	return (
		<span className={styles.badge} data-tone={list[status] ?? 'neutral'}>
			{label}
		</span>
	)
}
