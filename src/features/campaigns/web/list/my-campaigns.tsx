import { Button, Tabs } from '@mantine/core'
import { IconPlus, IconSearch, IconSpeakerphone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { campaigns, SORTED_BY } from '#features/campaigns/contract.ts'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { DELIVERED_MEANS, QUOTED_MEANS, REPLIED_MEANS } from '#features/campaigns/rules.ts'
import { CampaignStatus } from '#features/delivery/rules.ts'
import { paged } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { FilterChip, FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { Filters } from '#lib/web/ui/table/filters/filters.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { useSort } from '#lib/web/ui/table/use-sort.ts'
import { Meanings } from '#lib/web/ui/value/meanings.tsx'
import { fetchErrorText } from '../campaign-errors.ts'
import { campaignColumns, CONTROL_GROUP_COLUMN, resultColumns } from './campaign-columns.tsx'

const STATUS_OPTIONS = [
	{ value: '', label: 'All' },
	// Drafts have no filter: only programs create them, and few stay for long.
	...CampaignStatus.options
		.slice(1)
		.map((status) => ({ value: status, label: status[0]?.toUpperCase() + status.slice(1) })),
]

const MEANINGS = {
	Delivered: `${DELIVERED_MEANS} Read, replied and clicked are shares of all recipients, too.`,
	Replied: REPLIED_MEANS,
	Directly: QUOTED_MEANS,
}

function statusOf(text: string): CampaignStatus | undefined {
	return CampaignStatus.options.find((status) => status === text)
}

/** Shows the account's campaigns. Live events refetch them. */
export function MyCampaigns() {
	const shown = useListPage()
	const [status, setStatus] = useSearchText('status')
	const [tests, setTests] = useSearchText('tests')
	const [view, setView] = useSearchText('view')
	const isCompared = view === 'results'
	const tab = isCompared ? 'results' : 'list'
	const { sort, order, tableSort } = useSort(SORTED_BY, { sort: 'createdAt', order: 'desc' })
	const filter = { status: statusOf(status), tests: tests === 'show' ? 'show' : 'hide' } as const
	const list = useQuery(paged(campaigns.list, { query: { ...shown.query, ...filter, sort, order } }))
	const rows = list.data?.campaigns
	const hasControlGroups = rows?.some(({ heldOut }) => heldOut) ?? false
	const compared = hasControlGroups ? [...resultColumns, CONTROL_GROUP_COLUMN] : resultColumns
	const isFiltered = Boolean(shown.search || filter.status)
	return (
		<>
			<PageHeader
				title="My Campaigns"
				actions={
					<Button component={Link} to={campaignPaths.create} leftSection={<IconPlus size={16} aria-hidden />}>
						Create Campaign
					</Button>
				}
			/>
			<Tabs value={tab} onChange={(chosen) => setView(chosen === 'results' ? 'results' : '')}>
				<Tabs.List mb={16}>
					<Tabs.Tab value="list">All campaigns</Tabs.Tab>
					<Tabs.Tab value="results">Compare</Tabs.Tab>
				</Tabs.List>
				<Tabs.Panel value={tab}>
					<ListCard
						shown={shown}
						searchFor="Search by name"
						filters={
							<Filters set={Number(filter.status !== undefined) + Number(filter.tests === 'show')}>
								<FilterChips label="Status" value={filter.status ?? ''} options={STATUS_OPTIONS} onChange={setStatus} />
								<FilterChip pressed={filter.tests === 'show'} onChange={(show) => setTests(show ? 'show' : '')}>
									With tests
								</FilterChip>
							</Filters>
						}
						label="Campaigns"
						query={list}
						rows={rows}
						pages={rows?.length ? list.data?.totalPages : undefined}
						rowKey={(campaign) => campaign._id}
						columns={isCompared ? compared : campaignColumns}
						sort={tableSort()}
						failed={fetchErrorText(list.error, {
							refused: 'Failed to fetch campaigns',
							unreachable: 'Error fetching campaigns',
						})}
						toasts={briefToast}
						empty={<NoCampaigns isFiltered={isFiltered} />}
					/>
					{isCompared && rows && rows.length > 0 && <Meanings of={MEANINGS} />}
				</Tabs.Panel>
			</Tabs>
		</>
	)
}

/** Shows an empty list. `isFiltered` when a search or a status may hide campaigns. */
function NoCampaigns({ isFiltered }: { isFiltered: boolean }) {
	const [, setAddress] = useSearchParams()
	if (isFiltered)
		return (
			<EmptyState
				title="No campaigns match"
				hint="Try part of the name, or another status."
				icon={<IconSearch size={32} stroke={1.5} aria-hidden />}
				action={
					<Button variant="default" onClick={() => setAddress({})}>
						Show all campaigns
					</Button>
				}
			/>
		)
	return (
		<EmptyState
			icon={<IconSpeakerphone size={32} stroke={1.5} aria-hidden />}
			title="No campaigns found"
			hint="Create your first campaign to get started"
		/>
	)
}
