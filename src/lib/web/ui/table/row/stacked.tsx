import type { ReactNode } from 'react'
import styles from './stacked.module.css'

interface StackedProps {
	children: ReactNode
	/** Secondary line below; without it, only `children` is rendered. */
	under?: ReactNode
}

/** Renders a cell's main text and a secondary line below. */
export function Stacked({ children, under }: StackedProps) {
	return (
		<span className={styles.stacked}>
			{children}
			{under && <span className={styles.under}>{under}</span>}
		</span>
	)
}
