import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { sentCount } from '../outbox.ts'
import styles from './chat-pane.module.css'

const SHOWN_MS = 4000

/** Confirms a sent message for four seconds, beside `children`. The line below the messages is reserved for it, so that the messages do not move. */
export function SentStatus({ number, children }: { number: string; children: ReactNode }) {
	const count = useQuery(sentCount(number)).data
	const [seen, setSeen] = useState(count)
	useEffect(() => {
		if (count === seen) return
		const timer = setTimeout(() => setSeen(count), SHOWN_MS)
		return () => clearTimeout(timer)
	}, [count, seen])
	return (
		<div className={`fine ${styles.below}`}>
			{children}
			<span className={styles.sent} role="status">
				{count !== seen && (
					<>
						<IconCheck size={14} aria-hidden /> <span>Message sent successfully</span>
					</>
				)}
			</span>
		</div>
	)
}
