import { CampaignStatus, type campaigns } from '#features/campaigns/contract.ts'
import type { PartOut } from '#lib/endpoint.ts'

type Query = PartOut<(typeof campaigns.list)['query']>

interface Sorting {
	/** In the address. */
	value: string
	label: string
	sort: Query['sort']
	order: Query['order']
}

/** The first is the standard one and leaves no trace in the address. */
export const SORTINGS: readonly Sorting[] = [
	{ value: 'newest', label: 'Newest first', sort: 'createdAt', order: 'desc' },
	{ value: 'oldest', label: 'Oldest first', sort: 'createdAt', order: 'asc' },
	{ value: 'name', label: 'Name, A to Z', sort: 'name', order: 'asc' },
	{ value: 'largest', label: 'Most recipients', sort: 'totalCount', order: 'desc' },
	{ value: 'costliest', label: 'Highest cost', sort: 'cost', order: 'desc' },
]

const STANDARD = SORTINGS[0]

/** The chosen order, the standard one for an address that names none that is known. */
export function sortingOf(value: string): Pick<Sorting, 'value' | 'sort' | 'order'> {
	return SORTINGS.find((known) => known.value === value) ?? STANDARD ?? { value: '', sort: 'createdAt', order: 'desc' }
}

export const STATUS_OPTIONS = [
	{ value: '', label: 'All' },
	...CampaignStatus.options.map((status) => ({ value: status, label: status[0]?.toUpperCase() + status.slice(1) })),
]

export function statusOf(text: string): CampaignStatus | undefined {
	return CampaignStatus.options.find((status) => status === text)
}
