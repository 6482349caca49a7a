import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { payments, type PaymentRow } from '#features/payments/contract.ts'
import { paymentPath } from '#features/payments/paths.ts'
import { methodName } from '#features/wallet/rules.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { formatRupees } from '#lib/money.ts'
import { paged } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { ContinueButton, ReceiptButton } from './payment-buttons.tsx'
import { wordsOf } from './payment-words.ts'

/** Renders the user's online payments; nothing before the first. The page is local state: the URL holds that of the recharges. */
export function OnlinePayments() {
	const [page, setPage] = useState(1)
	const list = useQuery(paged(payments.list, { query: { page, limit: PAGE_SIZE } }))
	const { payments: rows, pages, total } = list.data ?? {}
	if (total === undefined) return <MissingPart message="Your online payments could not be loaded." readings={[list]} />
	if (total === 0) return null
	return (
		<Card flush title="Online payments">
			<DataTable
				label="Online payments"
				query={list}
				rows={rows}
				rowKey={({ _id }) => _id}
				columns={columns}
				empty={null}
				failed="Failed to fetch the online payments"
				footer={<Pager label="Pages of the online payments" page={page} pages={pages} onTurn={setPage} hideSingle />}
			/>
		</Card>
	)
}

const columns: Column<PaymentRow>[] = [
	{ header: 'Date & Time', cell: ({ createdAt }) => <DateTime iso={createdAt} />, narrow: 'under' },
	{
		header: 'Amount',
		cell: ({ amount, tax }) => (
			<>
				<Money rupees={amount} />
				{tax > 0 && <small className="fine figures"> + {formatRupees(tax)} GST</small>}
			</>
		),
		align: 'right',
		width: '230px',
		narrow: 'title',
	},
	{ header: 'Method', cell: ({ method }) => methodName(method) ?? '-' },
	{
		header: 'Status',
		cell: (payment) => {
			const { label, tone } = wordsOf(payment)
			return <ToneBadge tone={tone} label={label} />
		},
		narrow: 'corner',
	},
	{
		header: 'Action',
		cell: (payment) => <RowActions payment={payment} />,
		align: 'right',
		width: '230px',
		minWidth: 230,
		narrow: 'actions',
	},
]

function RowActions({ payment: { _id, url, receiptId, notes, amount } }: { payment: PaymentRow }) {
	return (
		<Group gap={8} justify="flex-end" wrap="nowrap">
			{url && <ContinueButton url={url}>Continue</ContinueButton>}
			{receiptId !== null && (
				<ReceiptButton id={receiptId} notes={notes}>
					Receipt
				</ReceiptButton>
			)}
			<Button
				component={Link}
				to={paymentPath(_id)}
				variant="default"
				aria-label={`Details of the payment of ${formatRupees(amount)}`}
			>
				Details
			</Button>
		</Group>
	)
}
