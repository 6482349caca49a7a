import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import styles from './filters.module.css'

interface FiltersProps {
	/** Number of active filters. */
	set: number
	children: ReactNode
}

/** Renders the filters of a list. On a phone one button opens them and shows the number of active filters. */
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
