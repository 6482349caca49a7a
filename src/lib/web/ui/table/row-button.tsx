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
	/** Red under the pointer only, so that a list is no column of red. */
	danger?: boolean | undefined
	disabled?: boolean | undefined
	/** URL, as an alternative to `onClick`. */
	to?: string | undefined
	onClick?: (() => void) | undefined
}

/** Renders an icon button of a table row. */
export function RowButton({ label, icon, danger = false, disabled, to, onClick }: RowButtonProps) {
	const shownLabel = withoutOverrides(label)
	const shared = {
		variant: 'default',
		className: danger ? styles.danger : undefined,
		size: 'var(--app-control)',
		'aria-label': shownLabel,
		title: shownLabel,
		children: icon,
	}
	if (to) return <ActionIcon {...shared} component={Link} to={to} />
	return <ActionIcon {...shared} disabled={disabled} onClick={onClick && once(onClick)} />
}
