import { Box, Button, Skeleton, Stack } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { userStatementPath } from '#features/statements/paths.ts'
import type { UserRow } from '#features/users/contract.ts'
import { wallet, type RechargeRow } from '#features/wallet/contract.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { messageOf } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { useAction } from '#lib/web/use-action.ts'
import { readReceipt, receiptFailed } from '../receipt.ts'
import styles from './user-recharges.module.css'

const FAILED = 'Failed to fetch transactions'

/**
 * What an expanded row shows. A page is asked for once; only a new recharge makes it be asked for again. The page is not
 * in the address, which holds that of the users.
 */
export function UserRecharges({ user }: { user: UserRow }) {
	const [page, setPage] = useState(1)
	const wanted = { params: { userId: user._id }, query: { page, limit: PAGE_SIZE } }
	const history = useQuery({ ...paged(wallet.recharges, wanted), staleTime: Infinity })
	const rows = history.data?.transactions
	useErrorToast(history.error, FAILED)
	return (
		<Stack
			component="section"
			className={styles.region}
			gap={12}
			align="flex-start"
			aria-label={`Transactions of ${user.name}`}
		>
			{history.isPending && <Loading />}
			{history.error && <LoadError message={messageOf(history.error, FAILED)} reading={history} />}
			{rows?.length === 0 && (
				<Box component="p" c="dimmed">
					No transactions found
				</Box>
			)}
			{rows && rows.length > 0 && <Recharges rows={rows} />}
			<Pager
				label={`Pages of ${user.name}’s transactions`}
				page={page}
				pages={history.data?.pages}
				onTurn={setPage}
				hideSingle
			/>
			{history.data && user.role === 'user' && (
				<Button
					component={Link}
					to={userStatementPath(user._id)}
					variant="default"
					aria-label={`Full statement of ${user.name}`}
				>
					Full statement
				</Button>
			)}
		</Stack>
	)
}

function Loading() {
	return (
		<Stack gap={12} w="100%" py={8} role="status" aria-label="Loading transactions">
			<Skeleton height={14} width="60%" />
			<Skeleton height={14} width="45%" />
		</Stack>
	)
}

function Recharges({ rows }: { rows: RechargeRow[] }) {
	return (
		<div className={styles.scroll} tabIndex={0} role="group" aria-label="Transactions">
			<table className={styles.table} aria-label="Transactions">
				<thead>
					<tr>
						<th scope="col">Date</th>
						<th scope="col" data-align="right">
							Amount
						</th>
						<th scope="col">Notes</th>
						<th scope="col">Admin</th>
						<th scope="col">
							<span className="visually-hidden">Receipt</span>
						</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(({ _id, transactionDate, amount, notes, admin }) => (
						<tr key={_id}>
							<td>
								<DateTime iso={transactionDate} as="stamp" />
							</td>
							<td data-align="right">
								<Money rupees={amount} />
							</td>
							<td className={styles.notes}>
								<UserText text={notes || 'No notes'} />
							</td>
							<td className={styles.admin}>
								<UserText text={admin.name} />
							</td>
							<td data-align="right">
								<Receipt id={_id} />
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	)
}

function Receipt({ id }: { id: string }) {
	const { busy, run } = useAction()
	return (
		<RowButton
			label={`Receipt ${id}`}
			icon={<IconReceipt size={18} aria-hidden />}
			disabled={busy}
			onClick={() => run(async () => saveFile(await readReceipt(id)), receiptFailed)}
		/>
	)
}
