import { Box, Stack } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './state.module.css'

interface EmptyStateProps {
	title: string
	hint?: ReactNode
	/** A tabler icon of size 32. */
	icon?: ReactNode
	/** One button or link. */
	action?: ReactNode
}

export function EmptyState({ title, hint, icon, action }: EmptyStateProps) {
	return (
		<Stack className={styles.state} gap={4} align="center">
			<span className={`disc ${styles.icon}`}>{icon ?? <IconInbox size={32} stroke={1.5} aria-hidden />}</span>
			<p className="heading">{title}</p>
			{hint && (
				<Box component="p" maw={420} m={0} c="dimmed">
					{hint}
				</Box>
			)}
			{action}
		</Stack>
	)
}
