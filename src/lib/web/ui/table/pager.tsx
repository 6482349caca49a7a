import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect } from 'react'
import styles from './pager.module.css'

interface PagerProps {
	/** For screen readers, where a screen has several. */
	label?: string
	page: number
	/** Unknown until the first answer. */
	pages: number | undefined
	/** The server has not counted to the end: there are `pages`, or more. */
	isAtLeast?: boolean | undefined
	onTurn: (page: number) => void
	/** Some lists show no pager while everything fits on one page. */
	hideSingle?: boolean | undefined
}

export function Pager({ label = 'Pages', page, pages, isAtLeast = false, onTurn, hideSingle = false }: PagerProps) {
	const last = Math.max(1, pages ?? 1)
	const isPast = pages !== undefined && page > last
	// The last row of the last page was deleted, or the address was typed: step back to where there is something.
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
