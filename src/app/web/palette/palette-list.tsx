import type { SearchOptions } from '#lib/web/ui/state/use-search-options.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { Destination, DestinationGroup } from './destinations.ts'
import styles from './palette.module.css'

interface PaletteListProps {
	groups: readonly DestinationGroup[]
	options: SearchOptions<Destination>
}

/** Renders the options of all groups. */
export function PaletteList({ groups, options }: PaletteListProps) {
	return (
		<div className={styles.list} aria-label="Results" {...options.list}>
			{groups.map(({ name, destinations }) => (
				<div key={name} role="group" aria-label={name}>
					<div className={`fine ${styles.group}`} aria-hidden>
						{name}
					</div>
					{destinations.map((destination) => (
						<button
							key={`${destination.to} ${destination.label} ${destination.hint}`}
							{...options.option(destination, styles.option)}
						>
							<UserText className="whole" text={destination.label} />
							{destination.hint && <UserText className={`one-line ${styles.hint}`} text={destination.hint} />}
						</button>
					))}
				</div>
			))}
		</div>
	)
}
