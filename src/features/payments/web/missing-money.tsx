import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '#features/auth/web/parts.tsx'
import { payments } from '#features/payments/contract.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { AddMoneyButton } from './add-money-button.tsx'
import { offeredAmount } from './add/amounts.ts'

/** Amounts in rupees. */
export interface Shortage {
	needed: number
	available: number
}

/** Returns the rupees that the wallet lacks. */
export function missingRupees({ needed, available }: Shortage): number {
	return rupeesFromPaise((paiseFromRupees(needed) ?? 0) - (paiseFromRupees(available) ?? 0))
}

interface MissingMoneyProps {
	shortage: Shortage | null
	/** See `AddMoneyRequest`. */
	warning: string | false
}

/** Shows the money that a campaign lacks and the money that is owed, with the way to add both; nothing without either. */
export function MissingMoney({ shortage, warning }: MissingMoneyProps) {
	const isOwner = useMay('owner')
	const owed = useQuery(query(wallet.balance)).data?.owed ?? 0
	if (!shortage && owed === 0) return null
	return (
		<Notice tone="error" title={shortage ? 'Insufficient balance' : 'Money is owed'}>
			{shortage && <TooLittle shortage={shortage} />}
			{owed > 0 && (
				<p>
					{formatRupees(owed)} is owed, because a payment went back after its money was spent. No new campaign is sent
					until it is settled.
				</p>
			)}
			{appConfig.addMoney && isOwner && (
				<AddMissing missing={shortage ? missingRupees(shortage) : 0} warning={warning} />
			)}
		</Notice>
	)
}

function TooLittle({ shortage }: { shortage: Shortage }) {
	return (
		<p>
			This campaign needs {formatRupees(shortage.needed)}, but the wallet has {formatRupees(shortage.available)}:{' '}
			<b>{formatRupees(missingRupees(shortage))} is missing.</b>{' '}
			{appConfig.addMoney ? 'Add money' : 'Ask your administrator for a recharge'}, or choose a smaller audience.{' '}
			<Anchor component={Link} to={statementPaths.payments} inherit underline="always">
				Your recharges
			</Anchor>
		</p>
	)
}

/** Renders a button such as "Add ₹450.00" for the missing and the owed money, at least the smallest payment. */
function AddMissing({ missing, warning }: { missing: number; warning: string | false }) {
	const { data } = useQuery(query(payments.options))
	const amount = data && offeredAmount(missing, data)
	return (
		<AddMoneyButton mt={8} request={{ ...(amount && { amount }), ...(warning && { warning }) }}>
			{amount ? `Add ${formatRupees(amount)}` : 'Add money'}
		</AddMoneyButton>
	)
}
