import { Box, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './card.module.css'

interface CardProps {
	title?: string | undefined
	hint?: ReactNode
	actions?: ReactNode
	children?: ReactNode
	/** True for tables and lists, which extend to the card's edge. */
	flush?: boolean
	/** True for forms: at most 720 px wide. */
	narrow?: boolean
}

/** Renders a surface with an h3 title. */
export function Card({ title, hint, actions, children, flush = false, narrow = false }: CardProps) {
	return (
		<section className={`surface ${styles.card}`} data-flush={flush} data-narrow={narrow}>
			{(title || actions) && (
				<Group className={styles.head} gap="8px 16px" justify="space-between">
					<div>
						{title && <h3 className="heading">{title}</h3>}
						{hint && (
							<Box component="p" className="quiet" m={0}>
								{hint}
							</Box>
						)}
					</div>
					{actions}
				</Group>
			)}
			{children}
		</section>
	)
}
