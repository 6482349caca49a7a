import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { wallet, type RechargeRow } from '#features/wallet/contract.ts'
import { readReceipt, receiptFailed } from '#features/wallet/web/receipt.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'

/** Renders the signed-in user's recharges. */
export function PaymentList({ userId }: { userId: string }) {
	const [page, setPage] = usePage()
	const list = useQuery(paged(wallet.recharges, { params: { userId }, query: { page, limit: PAGE_SIZE } }))
	return (
		<DataTable
			label="Payments"
			query={list}
			rows={list.data?.transactions}
			rowKey={({ _id }) => _id}
			columns={columns}
			empty={<EmptyState title="No transactions found" hint={EMPTY_HINT} />}
			failed="Failed to fetch transactions"
			footer={<Pager page={page} pages={list.data?.pages} onTurn={setPage} hideSingle />}
		/>
	)
}

const EMPTY_HINT = appConfig.addMoney
	? 'Payments appear here when you add money, or when an admin records them.'
	: 'Payments appear here when an admin records them.'

const columns: Column<RechargeRow>[] = [
	{ header: 'Date & Time', cell: ({ transactionDate }) => <DateTime iso={transactionDate} />, narrow: 'under' },
	{
		header: 'Amount',
		cell: ({ amount }) => <Money rupees={amount} />,
		align: 'right',
		width: '150px',
		narrow: 'title',
	},
	{ header: 'Admin', cell: ({ admin }) => <TwoLines text={admin.name} /> },
	{ header: 'Notes', cell: ({ notes }) => <TwoLines text={notes || 'No notes'} />, isProse: true, minWidth: 150 },
	{
		header: 'Action',
		cell: ({ _id }) => (
			<DownloadButton
				leftSection={<IconPrinter size={16} aria-hidden />}
				busyText="Printing..."
				read={() => readReceipt(_id)}
				failed={receiptFailed}
			>
				Print Receipt
			</DownloadButton>
		),
		align: 'right',
		width: '190px',
		minWidth: 204,
		narrow: 'beside',
	},
]
