import { useEffect } from 'react'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { Destination, DestinationGroup } from './destinations.ts'
import styles from './palette.module.css'

interface PaletteListProps {
	id: string
	groups: readonly DestinationGroup[]
	/** Index of the active option, counted over all groups. */
	active: number
	onActive: (index: number) => void
	onChoose: (destination: Destination) => void
}

/** Renders the options. Focus stays in the field, which refers to the active option. */
export function PaletteList({ id, groups, active, onActive, onChoose }: PaletteListProps) {
	useEffect(() => {
		document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
	}, [id, active])
	const starts = groups.map((_, index) =>
		groups.slice(0, index).reduce((sum, { destinations }) => sum + destinations.length, 0),
	)
	return (
		<div className={styles.list} id={id} role="listbox" aria-label="Results">
			{groups.map(({ name, destinations }, group) => (
				<div key={name} role="group" aria-label={name}>
					<div className={`fine ${styles.group}`} aria-hidden>
						{name}
					</div>
					{destinations.map((destination, position) => {
						const index = (starts[group] ?? 0) + position
						return (
							<button
								key={`${destination.to} ${destination.label} ${destination.hint}`}
								type="button"
								className={styles.option}
								id={`${id}-${index}`}
								role="option"
								aria-selected={index === active}
								tabIndex={-1}
								onPointerMove={() => onActive(index)}
								onClick={() => onChoose(destination)}
							>
								<UserText className="whole" text={destination.label} />
								{destination.hint && <UserText className={`one-line ${styles.hint}`} text={destination.hint} />}
							</button>
						)
					})}
				</div>
			))}
		</div>
	)
}
