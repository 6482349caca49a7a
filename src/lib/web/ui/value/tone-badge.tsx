import styles from './tone-badge.module.css'

export type Tone = 'ok' | 'warn' | 'error' | 'info' | 'neutral'

interface ToneBadgeProps {
	tone: Tone
	label: string
	/** True for a label in capitals, such as a code of WhatsApp, which is drawn as a word: Approved for APPROVED. */
	isCode?: boolean
}

/** Renders a badge with word and colour, never colour alone. */
export function ToneBadge({ tone, label, isCode }: ToneBadgeProps) {
	return (
		<span className={styles.badge} data-tone={tone} data-code={isCode}>
			{label}
		</span>
	)
}
