import type { ReactNode } from 'react'
import styles from './stacked.module.css'

interface StackedProps {
	children: ReactNode
	/** A quieter line below; without it, `children` stand alone. */
	under?: ReactNode
}

/** What a cell is about, and a line of less weight under it. */
export function Stacked({ children, under }: StackedProps) {
	return (
		<span className={styles.stacked}>
			{children}
			{under && <span className={styles.under}>{under}</span>}
		</span>
	)
}
