import { useQuery } from '@tanstack/react-query'
import { formatRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { wallet } from '../contract.ts'

/** Says of the own wallet what an admin looks at before it is given back. */
export function RefundsWaiting() {
	const { data } = useQuery(query(wallet.balance))
	if (!data || data.refundsWaiting === 0) return null
	return (
		<Notice tone="info" title={`A refund of ${formatRupees(data.refundsWaiting)} is being checked`}>
			More messages failed than usual, so an administrator looks at it first. You are notified of the decision.
		</Notice>
	)
}
