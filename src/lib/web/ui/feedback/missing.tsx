import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { EmptyState } from './empty-state.tsx'
import styles from './state.module.css'

interface MissingProps {
	/** "Campaign not found" */
	title: string
	/** The way on from here: the path of a screen, and its name. */
	to: string
	name: string
}

/** In place of what an address names and nobody has, instead of a Retry. */
export function Missing({ title, to, name }: MissingProps) {
	return (
		<EmptyState
			title={title}
			hint="It may have been deleted, or the address has a typing mistake."
			icon={<IconMapOff size={32} stroke={1.5} aria-hidden />}
			action={
				<Button component={Link} to={to} className={styles.way}>
					Go to {name}
				</Button>
			}
		/>
	)
}
