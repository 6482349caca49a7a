import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { UserRow } from '#features/users/contract.ts'
import { UserTable, replaceBalance } from '#features/users/web/parts.tsx'
import { wallet } from '#features/wallet/contract.ts'
import { invalidate } from '#lib/web/query.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { OnlinePaymentsLink } from './online-payments-link.tsx'
import { RechargeDialog } from './recharge-dialog.tsx'

export function WalletRecharge() {
	const recharge = useDraftDialog<UserRow>('recharge')
	const [changed, markChanged] = useFading()
	return (
		<>
			<PageHeader
				title="Wallet Recharge"
				hint="Record what a user has paid, and add it to their wallet."
				actions={<OnlinePaymentsLink />}
			/>
			<UserTable highlight={changed} actions={actions(recharge.open)} />
			<RechargeDialog
				dialog={recharge}
				onRecharged={(user, newBalance) => {
					replaceBalance(user._id, newBalance)
					void invalidate(wallet.recharges)
					markChanged(user._id)
				}}
			/>
		</>
	)
}

const actions = (open: (user: UserRow) => void): Column<UserRow> => ({
	header: 'Actions',
	cell: (user) =>
		user.role === 'admin' ? (
			<Text span fz={13} lh="20px" c="var(--app-secondary)">
				No wallet
			</Text>
		) : (
			<Button
				variant="default"
				px={8}
				leftSection={<IconPlus size={16} aria-hidden />}
				aria-label={`Add Recharge for ${user.name}`}
				onClick={() => open(user)}
			>
				Add Recharge
			</Button>
		),
	align: 'right',
	width: '190px',
	minWidth: 186,
	narrow: 'beside',
})

/** Resets the highlighted row after its animation, so that the same row can be highlighted again. */
function useFading(): [value: string | null, setValue: (value: string) => void] {
	const [value, setValue] = useState<string | null>(null)
	useEffect(() => {
		if (value === null) return
		const timer = setTimeout(() => setValue(null), 2500)
		return () => clearTimeout(timer)
	}, [value])
	return [value, setValue]
}
