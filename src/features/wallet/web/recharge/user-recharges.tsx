import { Button, Stack } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { userStatementPath } from '#features/statements/paths.ts'
import type { UserRow } from '#features/users/contract.ts'
import { wallet, type RechargeRow } from '#features/wallet/contract.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { saveFile } from '#lib/web/files/save-file.ts'
import { paged } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { readReceipt, receiptFailed } from '../receipt.ts'

/**
 * Renders a user's recharges in an expanded row. Each page is fetched once and again only after a new recharge; the
 * page is local state, since the URL holds the page of the users.
 */
export function UserRecharges({ user }: { user: UserRow }) {
	const [page, setPage] = useState(1)
	const wanted = { params: { userId: user._id }, query: { page, limit: PAGE_SIZE } }
	const history = useQuery({ ...paged(wallet.recharges, wanted), staleTime: Infinity })
	return (
		<Stack component="section" gap={12} py={12} aria-label={`Transactions of ${user.name}`}>
			<Card flush>
				<DataTable
					label="Transactions"
					query={history}
					rows={history.data?.transactions}
					rowKey={({ _id }) => _id}
					columns={columns}
					empty={<EmptyState title="No transactions found" />}
					failed="Failed to fetch transactions"
					footer={
						<Pager
							label={`Pages of ${user.name}’s transactions`}
							page={page}
							pages={history.data?.pages}
							onTurn={setPage}
							hideSingle
						/>
					}
				/>
			</Card>
			{history.data && user.role === 'user' && (
				<Button
					component={Link}
					to={userStatementPath(user._id)}
					variant="default"
					style={{ alignSelf: 'start' }}
					aria-label={`Full statement of ${user.name}`}
				>
					Full statement
				</Button>
			)}
		</Stack>
	)
}

const columns: Column<RechargeRow>[] = [
	{ header: 'Date', cell: ({ transactionDate }) => <DateTime iso={transactionDate} as="stamp" />, narrow: 'under' },
	{ header: 'Amount', cell: ({ amount }) => <Money rupees={amount} />, align: 'right', narrow: 'title' },
	{ header: 'Notes', cell: ({ notes }) => <UserText text={notes || 'No notes'} />, isProse: true, minWidth: 160 },
	{ header: 'Admin', cell: ({ admin }) => <UserText text={admin.name} /> },
	{ header: '', cell: ({ _id }) => <Receipt id={_id} />, align: 'right', width: '1px', minWidth: 74, narrow: 'menu' },
]

function Receipt({ id }: { id: string }) {
	const { busy, run } = useAction()
	return (
		<RowButton
			word="Receipt"
			label={`Receipt ${id}`}
			icon={<IconReceipt size={18} aria-hidden />}
			disabled={busy}
			onClick={() => run(async () => saveFile(await readReceipt(id)), receiptFailed)}
		/>
	)
}
