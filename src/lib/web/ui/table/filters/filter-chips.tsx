import { Group } from '@mantine/core'
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
				<button
					key={option.value}
					type="button"
					className={styles.chip}
					aria-pressed={option.value === value}
					onClick={() => onChange(option.value)}
				>
					{option.label}
					{option.count !== undefined && <span className="figures">{formatCount(option.count)}</span>}
				</button>
			))}
		</Group>
	)
}
