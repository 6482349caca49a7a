import { shownStatus, type MessageStatus } from '#features/delivery/rules.ts'
import styles from './ticks.module.css'

const LABELS: Record<MessageStatus, string> = {
	pending: 'Sending',
	sent: 'Sent',
	delivered: 'Delivered',
	read: 'Read',
	failed: 'Not sent',
}
const DRAWINGS: Record<MessageStatus, string> = {
	pending: 'M9 2.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13M9 5.5V9l2.5 1.5',
	sent: 'M4 9.5l3.5 3.5L14 5.5',
	delivered: 'M1.5 9.5L5 13l6.5-7.5M9 12l1 1l6.5-7.5',
	read: 'M1.5 9.5L5 13l6.5-7.5M9 12l1 1l6.5-7.5',
	failed: 'M9 2.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13M9 5.5v4M9 12v.5',
}

/** Renders the status icon of an outgoing message. */
export function Ticks({ status }: { status: MessageStatus }) {
	const shown = shownStatus(status)
	return (
		<svg className={styles.ticks} data-status={shown} viewBox="0 0 18 18" role="img" aria-label={LABELS[shown]}>
			<path d={DRAWINGS[shown]} />
		</svg>
	)
}
