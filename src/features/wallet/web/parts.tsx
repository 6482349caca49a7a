import { IconWallet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { statementPaths } from '#features/statements/paths.ts'
import { formatRupees } from '#lib/money.ts'
import { selfRetrying, query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { wallet } from '../contract.ts'
import styles from './wallet-chip.module.css'

/** Renders the available balance in the header; amber below the user's limit. */
export function WalletChip() {
	const { data, isError } = useQuery(selfRetrying(query(wallet.balance)))
	const isLow = data !== undefined && data.walletBalance < data.lowBalance
	const hint = data && data.onHold > 0 ? `${formatRupees(data.onHold)} more is on hold for messages` : 'Wallet balance'
	return (
		<Link
			className={styles.chip}
			title={isLow ? 'The balance is low' : hint}
			to={statementPaths.payments}
			data-low={isLow}
			data-edge
			aria-label={`Wallet balance: ${data ? formatRupees(data.walletBalance) : isError ? 'not known' : 'Loading...'}`}
		>
			<IconWallet className={styles.icon} size={18} stroke={1.7} aria-hidden />
			{data ? formatRupees(data.walletBalance) : isError ? '₹ -' : 'Loading...'}
		</Link>
	)
}
