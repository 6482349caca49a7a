import { Group } from '@mantine/core'
import { formatCount } from '#lib/numbers.ts'
import styles from './filter-chips.module.css'

interface FilterChipsProps {
	/** What is filtered by: "Status". */
	label: string
	/** The chosen one; an empty text is the first chip, which shows everything. */
	value: string
	options: readonly { value: string; label: string; count?: number | undefined }[]
	onChange: (value: string) => void
}

/** One choice out of few, each a button that says how many it would show. */
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
