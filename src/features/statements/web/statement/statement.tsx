import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { statements } from '#features/statements/contract.ts'
import { formatRupees } from '#lib/money.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { Spending } from './spending.tsx'
import { statementColumns } from './statement-columns.tsx'
import { StatementFilters } from './statement-filters.tsx'
import { useStatementFilter } from './use-statement-filter.ts'

interface StatementProps {
	userId: string
	/** Whether campaigns may be opened from here: they are their owner's alone. */
	withLinks?: boolean
	/** Beside the chart. */
	aside?: ReactNode
}

/** Everything that has moved in a wallet, and what each of the two balances means. */
export function Statement({ userId, withLinks = true, aside }: StatementProps) {
	const [page, setPage] = usePage()
	const { filter, isFiltered, clear } = useStatementFilter()
	const wanted = paged(statements.list, { params: { userId }, query: { page, ...filter } })
	// What was paid in on another screen is on it at once.
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
					hint="Set aside for messages not sent yet. Whatever is not sent is returned."
				/>
				<StatTile
					label="Recharged"
					value={totals && formatRupees(totals.recharged)}
					hint={isFiltered ? 'In the transactions shown below.' : 'Everything paid in so far.'}
				/>
				<StatTile
					label="Spent"
					value={totals && formatRupees(totals.spent)}
					hint={isFiltered ? 'Charges less refunds in the transactions shown below.' : 'All charges less refunds.'}
				/>
			</div>
			<Card flush>
				<StatementFilters userId={userId} />
				<DataTable
					label="Statement"
					query={list}
					rows={list.data?.lines}
					rowKey={({ _id }) => _id}
					columns={statementColumns(withLinks)}
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
					footer={<Pager page={page} pages={list.data?.pages} onTurn={setPage} hideSingle />}
				/>
			</Card>
			<Spending userId={userId} />
			{aside}
		</div>
	)
}
