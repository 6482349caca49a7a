import { ActionIcon, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { withoutOverrides } from '#lib/bidi.ts'
import { once } from '#lib/web/once.ts'

interface RowButtonProps {
	/** What it does, and to whom: "Delete Asha Rao". */
	label: string
	/** A tabler icon at size 18. */
	icon: ReactNode
	danger?: boolean
	disabled?: boolean
	onClick: () => void
}

/** An icon button of a table's row. */
export function RowButton({ label, icon, danger = false, disabled = false, onClick }: RowButtonProps) {
	return (
		<Tooltip label={withoutOverrides(label)}>
			<ActionIcon
				variant={danger ? 'outline' : 'default'}
				color={danger ? 'red' : undefined}
				size="var(--app-control)"
				aria-label={withoutOverrides(label)}
				disabled={disabled}
				onClick={once(onClick)}
			>
				{icon}
			</ActionIcon>
		</Tooltip>
	)
}
