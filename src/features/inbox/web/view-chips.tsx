import type { ViewCounts } from '#features/inbox/contract.ts'
import { CHAT_VIEWS, MAX_COUNTED } from '#features/inbox/rules.ts'
import { formatCount } from '#lib/numbers.ts'
import { FilterChip } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { useListFilter } from './use-list-filter.ts'
import styles from './view-chips.module.css'

const NAMES = { all: 'All', mine: 'Mine', unassigned: 'Unassigned', closed: 'Closed' }

/** Renders the views of a shared inbox with the number of chats in each. */
export function ViewChips({ counts }: { counts: NonNullable<ViewCounts> }) {
	const [{ view }, change] = useListFilter()
	return (
		<div className={styles.views} role="group" aria-label="Views">
			{CHAT_VIEWS.map((one) => (
				<FilterChip
					key={one}
					pressed={one === (view ?? 'all')}
					onChange={() => change('view', one === 'all' ? null : one)}
				>
					{NAMES[one]}
					<span className="figures">
						{counts[one] < MAX_COUNTED ? formatCount(counts[one]) : `${formatCount(MAX_COUNTED - 1)}+`}
					</span>
				</FilterChip>
			))}
		</div>
	)
}
