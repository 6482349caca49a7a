import styles from './tone-badge.module.css'

export type Tone = 'ok' | 'warn' | 'error' | 'info' | 'neutral'

interface ToneBadgeProps {
	tone: Tone
	label: string
}

/** Renders a badge with word and colour, never colour alone. */
export function ToneBadge({ tone, label }: ToneBadgeProps) {
	return (
		<span className={styles.badge} data-tone={tone}>
			{label}
		</span>
	)
}
