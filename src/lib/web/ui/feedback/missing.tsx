import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from './empty-state.tsx'
import styles from './state.module.css'

interface MissingProps {
	/** Title such as "Campaign not found". */
	title: string
	/** URL and name of the screen to continue with. */
	to: string
	name: string
}

/** Renders a "not found" page for a missing record, without Retry. */
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
