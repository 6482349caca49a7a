import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { Filters } from '#lib/web/ui/table/filters/filters.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { WORK_GROUP_NAMES, WORK_TEXTS } from '../rules.ts'
import { work, WorkGroup, type AccountAction } from '../work-contract.ts'

const GROUPS = [
	{ value: '', label: 'All' },
	...WorkGroup.options.map((group) => ({ value: group, label: WORK_GROUP_NAMES[group] })),
]

/** Lists what the people of the account did, by person and subject. */
export function WorkCard() {
	const shown = useListPage()
	const [person, setPerson] = useSearchText('person')
	const [chosen, setGroup] = useSearchText('about')
	const group = WorkGroup.options.find((one) => one === chosen)
	const filter = { search: shown.search, person, group }
	const list = useQuery(paged(work.list, { query: { ...shown.query, ...filter } }))
	const people = list.data?.people.map(({ _id, name }) => ({ value: _id, label: name })) ?? []
	const isFiltered = shown.search !== '' || person !== '' || group !== undefined
	return (
		<ListCard
			shown={shown}
			title="Activity"
			hint="What you and your colleagues did in this account."
			actions={
				<DownloadButton
					read={() => call(work.exportCsv, { query: filter })}
					failed={(error) => toast.failure(error, 'Failed to export the activity')}
				>
					Export CSV
				</DownloadButton>
			}
			searchFor="Person or campaign"
			filters={
				<Filters set={Number(person !== '') + Number(group !== undefined)}>
					<Select
						aria-label="Person"
						placeholder="Everyone"
						data={people}
						value={person || null}
						onChange={(id) => setPerson(id ?? '')}
						clearable
						clearButtonProps={{ 'aria-label': 'Everyone' }}
						w={200}
					/>
					<FilterChips label="Subject" value={group ?? ''} options={GROUPS} onChange={setGroup} />
				</Filters>
			}
			label="Activity"
			query={list}
			rows={list.data?.actions}
			pages={list.data?.pages}
			rowKey={({ _id }) => _id}
			columns={columns}
			empty={
				isFiltered ? (
					<EmptyState title="Nothing matches" />
				) : (
					<EmptyState
						title="No activity yet"
						hint="Campaigns, templates, uploads, downloads and deletions appear here, each with its person and time."
					/>
				)
			}
			failed="Failed to fetch the activity"
			hideSingle
		/>
	)
}

const columns: Column<AccountAction>[] = [
	{
		header: 'When',
		cell: ({ createdAt }) => <DateTime iso={createdAt} />,
		width: '190px',
		narrow: 'corner',
	},
	{ header: 'Who', cell: ({ person }) => <TwoLines text={person} />, width: '220px', narrow: 'pair' },
	{
		header: 'What',
		cell: ({ action, colleague, details }) => {
			const about = [colleague, details].filter(Boolean).join(': ')
			return (
				<Stacked under={about && <TwoLines text={about} />}>
					<b>{WORK_TEXTS[action]}</b>
				</Stacked>
			)
		},
		narrow: 'title',
	},
]
