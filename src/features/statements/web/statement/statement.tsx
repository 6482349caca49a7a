import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { statements, type StatementGroup } from '#features/statements/contract.ts'
import { formatRupees } from '#lib/money.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { useOpenRows, type OpenRows } from '#lib/web/ui/table/use-open-rows.ts'
import { GroupLines, type GroupLinesProps } from './group-lines.tsx'
import { Spending } from './spending.tsx'
import { groupColumns } from './statement-columns.tsx'
import { StatementFilters } from './statement-filters.tsx'
import { useStatementFilter } from './use-statement-filter.ts'

interface StatementProps {
	userId: string
	/** True when rows link to their campaigns, which only the account's user may open. */
	withLinks?: boolean
}

/** Renders the wallet's statement grouped by campaign, with an explanation of both balances. */
export function Statement({ userId, withLinks = true }: StatementProps) {
	const [page, setPage] = usePage()
	const { filter, isFiltered, clear } = useStatementFilter()
	const rows = useOpenRows()
	const wanted = paged(statements.groups, { params: { userId }, query: { page, ...filter } })
	// Refetches on each visit, since other screens change the wallet.
	const list = useQuery({ ...wanted, staleTime: 0 })
	const { user, totals } = list.data ?? {}
	return (
		<div className="stack">
			<div className="tiles">
				<StatTile
					label="Available"
					value={user && formatRupees(user.walletBalance)}
					hint="Can be spent on new campaigns."
				/>
				<StatTile
					label="On hold"
					value={user && formatRupees(user.onHold)}
					hint="Reserved for messages being sent. What is not used comes back."
				/>
				<StatTile
					label="Recharged"
					value={totals && formatRupees(totals.recharged)}
					hint={isFiltered ? 'In the transactions shown below.' : 'Everything paid in so far.'}
				/>
				<StatTile
					label="Spent"
					value={totals && formatRupees(totals.spent)}
					hint={isFiltered ? 'After refunds, in the transactions shown below.' : 'After refunds.'}
				/>
			</div>
			<Card flush>
				<StatementFilters userId={userId} />
				<DataTable
					label="Statement"
					query={list}
					rows={list.data?.groups}
					rowKey={({ _id }) => _id}
					columns={groupColumns({ withLinks, kind: filter.kind, ...rows })}
					expanded={linesOf({ userId, filter, open: rows.open })}
					empty={
						isFiltered ? (
							<EmptyState
								title="No matching transactions"
								action={
									<Button variant="default" onClick={clear}>
										Show all transactions
									</Button>
								}
							/>
						) : (
							<EmptyState title="No wallet activity yet" />
						)
					}
					failed="Failed to fetch transactions"
					footer={
						<Pager page={page} pages={list.data?.pages} isAtLeast={list.data?.hasMore} onTurn={setPage} hideSingle />
					}
				/>
			</Card>
			<Spending userId={userId} />
		</div>
	)
}

/** Returns a function that renders the lines of an expanded campaign row. */
function linesOf({ open, ...given }: Pick<GroupLinesProps, 'userId' | 'filter'> & Pick<OpenRows, 'open'>) {
	return ({ _id, linesOf: campaignId, campaign, notes }: StatementGroup) =>
		campaignId !== null &&
		open.has(_id) && <GroupLines {...given} campaignId={campaignId} name={campaign?.name ?? notes ?? ''} />
}
