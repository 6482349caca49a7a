import { useQuery } from '@tanstack/react-query'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { auth, type AdminAction } from '../contract.ts'
import { ADMIN_ACTION_TEXTS } from '../rules.ts'

/** Lists the actions of admins and the changes that users made to their own accounts, read-only and searchable. */
export function AuditTrail() {
	const shown = useListPage()
	const list = useQuery(paged(auth.adminActions, { query: shown.query }))
	return (
		<>
			<PageHeader
				title="Audit Trail"
				hint="Changes by admins, and changes of users’ own email and password."
				back={<BackLink to={dashboardPaths.admin} name="Dashboard" />}
			/>
			<ListCard
				shown={shown}
				searchFor="Search by name, action or detail"
				label="Audit trail"
				query={list}
				rows={list.data?.actions}
				pages={list.data?.pages}
				rowKey={(action) => action._id}
				columns={columns}
				empty={<EmptyState title={shown.search ? 'Nothing matches your search' : 'Nothing has been changed yet'} />}
				failed="Failed to fetch the audit trail"
			/>
		</>
	)
}

const columns: Column<AdminAction>[] = [
	{
		header: 'When',
		cell: ({ createdAt }) => <DateTime iso={createdAt} />,
		width: '130px',
		narrow: 'corner',
	},
	{ header: 'Done By', minWidth: 190, cell: ({ actor }) => <Person person={actor} />, narrow: 'pair' },
	{
		header: 'Action',
		cell: ({ action, details }) => (
			<Stacked under={details && <TwoLines text={details} />}>
				<b>{ADMIN_ACTION_TEXTS[action]}</b>
			</Stacked>
		),
		narrow: 'title',
	},
	{
		header: 'User',
		minWidth: 190,
		cell: ({ subject }) => (subject ? <Person person={subject} /> : '-'),
		narrow: 'pair',
	},
	{
		header: 'IP Address',
		cell: ({ ip }) => (ip ? <TwoLines text={ip} /> : '-'),
		width: '140px',
		narrow: 'pair',
	},
]

function Person({ person: { name, email } }: { person: AdminAction['actor'] }) {
	return (
		<Stacked under={<TwoLines text={email} />}>
			<TwoLines text={name} />
		</Stacked>
	)
}
