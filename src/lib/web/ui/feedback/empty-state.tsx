import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './state.module.css'

interface EmptyStateProps {
	title: string
	hint?: ReactNode
	/** A tabler icon at size 32. */
	icon?: ReactNode
	/** One button or link. */
	action?: ReactNode
}

export function EmptyState({ title, hint, icon, action }: EmptyStateProps) {
	return (
		<div className={styles.state}>
			<span className={styles.icon}>{icon ?? <IconInbox size={32} stroke={1.5} aria-hidden />}</span>
			<p className={styles.title}>{title}</p>
			{hint && <p className={styles.hint}>{hint}</p>}
			{action}
		</div>
	)
}
