import type { ReactNode } from 'react'
import styles from './card.module.css'

interface CardProps {
	title?: string
	hint?: ReactNode
	actions?: ReactNode
	children: ReactNode
	/** Tables and lists reach to the edge. */
	flush?: boolean
	/** A form's card is at most 720 px wide. */
	narrow?: boolean
}

/** A surface; its title is an h3. */
export function Card({ title, hint, actions, children, flush = false, narrow = false }: CardProps) {
	return (
		<section className={styles.card} data-flush={flush} data-narrow={narrow}>
			{(title || actions) && (
				<div className={styles.head}>
					<div>
						{title && <h3 className={styles.title}>{title}</h3>}
						{hint && <p className={styles.hint}>{hint}</p>}
					</div>
					{actions}
				</div>
			)}
			{children}
		</section>
	)
}
