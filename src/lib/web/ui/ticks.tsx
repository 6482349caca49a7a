import styles from './ticks.module.css'

type TickStatus = 'pending' | 'sent' | 'delivered' | 'read' | 'failed'

const labels: Record<TickStatus, string> = {
	pending: 'Waiting to be sent',
	sent: 'Sent',
	delivered: 'Delivered',
	read: 'Read',
	failed: 'Not sent',
}

interface TicksProps {
	/** An unknown status counts as pending. */
	status: string
}

/** A clock, one grey tick, two grey, two blue, or a red mark. */
export function Ticks({ status }: TicksProps) {
	const known: TickStatus = status in labels ? (status as TickStatus) : 'pending'
	return (
		<svg className={styles.ticks} data-status={known} viewBox="0 0 18 12" role="img" aria-label={labels[known]}>
			{known === 'pending' && <path d="M9 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9zM9 3.5V6l1.8 1.2" />}
			{known === 'failed' && <path d="M9 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9zM9 3.4v3.2M9 8.4v.2" />}
			{known === 'sent' && <path d="M4.5 6.5l3 3l6-7" />}
			{(known === 'delivered' || known === 'read') && <path d="M1.5 6.5l3 3l6-7M8.6 9.2l.4.3l6-7" />}
		</svg>
	)
}
