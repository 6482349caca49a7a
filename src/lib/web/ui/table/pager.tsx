import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect } from 'react'
import styles from './pager.module.css'

interface PagerProps {
	/** Name for screen readers, when a screen has several pagers. */
	label?: string
	page: number
	/** Number of pages; undefined before the first answer. */
	pages: number | undefined
	/** True when the server stopped counting at `pages`. */
	isAtLeast?: boolean | undefined
	onTurn: (page: number) => void
	/** True to hide the pager for a single page. */
	hideSingle?: boolean | undefined
}

export function Pager({ label = 'Pages', page, pages, isAtLeast = false, onTurn, hideSingle = false }: PagerProps) {
	const last = Math.max(1, pages ?? 1)
	const isPast = pages !== undefined && page > last
	// Returns to the last page with rows, after its last row was deleted or a higher page was typed.
	useEffect(() => {
		if (isPast) onTurn(last)
	}, [isPast, last, onTurn])

	if (pages === undefined || (hideSingle && last === 1)) return null
	return (
		<nav className={styles.pager} aria-label={label}>
			<Button
				variant="default"
				leftSection={<IconChevronLeft size={16} aria-hidden />}
				disabled={page <= 1}
				onClick={() => onTurn(page - 1)}
			>
				Previous
			</Button>
			<span className={styles.where} aria-live="polite">
				Page {Math.min(page, last)} of {last}
				{isAtLeast && '+'}
			</span>
			<Button
				variant="default"
				rightSection={<IconChevronRight size={16} aria-hidden />}
				disabled={page >= last}
				onClick={() => onTurn(page + 1)}
			>
				Next
			</Button>
		</nav>
	)
}
