import { useQuery } from '@tanstack/react-query'
import { formatRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { rates } from '../rate-contract.ts'
import { costWithTax } from '../rate-notice.ts'

interface BelowCostProps {
	/** Prices in rupees. */
	prices: { marketing: number; utility: number }
}

/** Renders a warning when a price is below WhatsApp's rate in India plus GST. The warning names that cost. */
export function BelowCost({ prices }: BelowCostProps) {
	const summary = useQuery(query(rates.summary)).data
	const below = (['marketing', 'utility'] as const).flatMap((category) => {
		const rate = summary?.rates[category]?.rate
		const cost = rate === undefined ? 0 : costWithTax(rate)
		return prices[category] < cost ? [`${formatRupees(cost)} for a ${category} message`] : []
	})
	if (below.length === 0) return null
	return <b>Below your cost: WhatsApp charges {below.join(' and ')} with 18% GST.</b>
}
