import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { withoutOverrides } from '#lib/text/bidi.ts'
import { once } from '#lib/web/first-click.ts'

interface RowButtonProps {
	/** Action and target, such as "Delete Asha Rao". */
	label: string
	/** A tabler icon of size 18. */
	icon: ReactNode
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
		variant: danger ? 'outline' : 'default',
		color: danger ? 'red' : undefined,
		size: 'var(--app-control)',
		'aria-label': shownLabel,
		title: shownLabel,
		children: icon,
	}
	if (to) return <ActionIcon {...shared} component={Link} to={to} />
	return <ActionIcon {...shared} disabled={disabled} onClick={onClick && once(onClick)} />
}
