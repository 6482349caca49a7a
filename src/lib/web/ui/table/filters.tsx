import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import styles from './filters.module.css'

interface FiltersProps {
	/** How many of them narrow the list down now. */
	set: number
	children: ReactNode
}

/** What narrows a list down. On a phone one button opens it, and says how many filters are set. */
export function Filters({ set, children }: FiltersProps) {
	const [isOpen, setOpen] = useState(false)
	const id = useId()
	return (
		<>
			<Button
				className={styles.button}
				variant="default"
				leftSection={<IconFilter size={16} aria-hidden />}
				aria-expanded={isOpen}
				aria-controls={id}
				onClick={() => setOpen(!isOpen)}
			>
				{set > 0 ? `Filters (${set})` : 'Filters'}
			</Button>
			<div id={id} className={styles.fields} data-open={isOpen}>
				{children}
			</div>
		</>
	)
}
