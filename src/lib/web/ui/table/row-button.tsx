import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { withoutOverrides } from '#lib/text/bidi.ts'
import { once } from '#lib/web/first-click.ts'
import { Link } from '#lib/web/router/link.tsx'
import styles from './row-button.module.css'

interface RowButtonProps {
	/** Action and target, such as "Delete Asha Rao". */
	label: string
	/** A tabler icon of size 18. */
	icon: ReactNode
	/** The action alone, such as "Delete", with which `label` begins. Shown instead of the icon where the table has room. */
	word?: string
	/** True for an action that the row lacks: its room stays empty, so that the buttons of all rows are in line. */
	isAbsent?: boolean | undefined
	/** Red under the pointer only, so that a list is no column of red. */
	danger?: boolean | undefined
	disabled?: boolean | undefined
	/** URL, as an alternative to `onClick`. */
	to?: string | undefined
	onClick?: (() => void) | undefined
}

/** Renders a button of a table row: its icon, or its word. */
export function RowButton({ label, icon, word, isAbsent, danger, disabled, to, onClick }: RowButtonProps) {
	const shownLabel = withoutOverrides(label)
	const shared = {
		variant: 'default',
		className: [word && styles.worded, danger && styles.danger, isAbsent && styles.absent].filter(Boolean).join(' '),
		size: 'var(--app-control)',
		'aria-label': shownLabel,
		title: shownLabel,
		children: (
			<>
				{icon}
				{word && <span className={styles.word}>{word}</span>}
			</>
		),
	}
	if (to) return <ActionIcon {...shared} component={Link} to={to} />
	return <ActionIcon {...shared} disabled={disabled} onClick={onClick && once(onClick)} />
}
