import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount } from '#lib/numbers.ts'
import styles from './filter-chips.module.css'

interface FilterChipsProps {
	/** Filtered property, such as "Status". */
	label: string
	/** The chosen option; an empty text selects the first, which shows all rows. */
	value: string
	options: readonly { value: string; label: string; count?: number | undefined }[]
	onChange: (value: string) => void
}

/** Renders one choice among few as buttons with the number of matching rows. */
export function FilterChips({ label, value, options, onChange }: FilterChipsProps) {
	return (
		<Group gap={6} role="group" aria-label={label}>
			{options.map((option) => (
				<FilterChip key={option.value} pressed={option.value === value} onChange={() => onChange(option.value)}>
					{option.label}
					{option.count !== undefined && <span className="figures">{formatCount(option.count)}</span>}
				</FilterChip>
			))}
		</Group>
	)
}

interface FilterChipProps {
	pressed: boolean
	onChange: (pressed: boolean) => void
	children: ReactNode
}

/** Renders one filter that is on or off. */
export function FilterChip({ pressed, onChange, children }: FilterChipProps) {
	return (
		<button type="button" className={styles.chip} aria-pressed={pressed} onClick={() => onChange(!pressed)}>
			{children}
		</button>
	)
}
