import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import styles from './sort.module.css'

interface SortHeaderProps {
	text: string
	state: 'ascending' | 'descending' | undefined
	onSort: () => void
}

/** The header's cell says by `aria-sort` how the list is ordered; the arrow shows it. */
export function SortHeader({ text, state, onSort }: SortHeaderProps) {
	const Arrow = state === 'ascending' ? IconArrowUp : state === 'descending' ? IconArrowDown : IconSelector
	return (
		<button type="button" className={styles.header} onClick={onSort}>
			{text}
			<Arrow className={styles.arrow} size={14} aria-hidden />
		</button>
	)
}
