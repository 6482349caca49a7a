import { ActionIcon } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import styles from './expand-button.module.css'

interface ExpandButtonProps {
	expanded: boolean
	/** "Transactions of Asha Rao" */
	label: string
	onClick: () => void
}

/** Expands and collapses the details under a table row. */
export function ExpandButton({ expanded, label, onClick }: ExpandButtonProps) {
	return (
		<ActionIcon
			variant="default"
			size="var(--app-control)"
			aria-expanded={expanded}
			aria-label={label}
			onClick={onClick}
		>
			<IconChevronDown className={styles.arrow} size={18} aria-hidden />
		</ActionIcon>
	)
}
