import { ActionIcon } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'

interface ExpandButtonProps {
	expanded: boolean
	/** Label such as "Transactions of Asha Rao". */
	label: string
	onClick: () => void
}

/** Renders the button that expands and collapses the details under a row. */
export function ExpandButton({ expanded, label, onClick }: ExpandButtonProps) {
	return (
		<ActionIcon
			variant="default"
			size="var(--app-control)"
			aria-expanded={expanded}
			aria-label={label}
			onClick={onClick}
		>
			<IconChevronDown
				size={18}
				aria-hidden
				style={{ transition: 'rotate 180ms ease-out', rotate: expanded ? '180deg' : undefined }}
			/>
		</ActionIcon>
	)
}
