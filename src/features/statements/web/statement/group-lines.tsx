import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { statements } from '#features/statements/contract.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { lineColumns } from './statement-columns.tsx'
import type { useStatementFilter } from './use-statement-filter.ts'

export interface GroupLinesProps {
	userId: string
	campaignId: string
	/** The campaign's name, such as "Diwali offer". */
	name: string
	filter: ReturnType<typeof useStatementFilter>['filter']
}

/**
 * Renders the ledger lines of one campaign under its expanded row. The page is local state: the URL holds the page of
 * the groups.
 */
export function GroupLines({ userId, campaignId, name, filter }: GroupLinesProps) {
	const [page, setPage] = useState(1)
	const wanted = { params: { userId }, query: { page, ...filter, campaign: campaignId } }
	const list = useQuery({ ...paged(statements.list, wanted), staleTime: 0 })
	return (
		<Stack component="section" gap={12} py={12} aria-label={`Details of ${name}`}>
			<Card flush>
				<DataTable
					label="Entries"
					query={list}
					rows={list.data?.lines}
					rowKey={({ _id }) => _id}
					columns={lineColumns}
					empty={<EmptyState title="No matching transactions" />}
					failed="Failed to fetch transactions"
					footer={
						<Pager
							label={`Pages of the entries of ${name}`}
							page={page}
							pages={list.data?.pages}
							onTurn={setPage}
							hideSingle
						/>
					}
				/>
			</Card>
		</Stack>
	)
}
