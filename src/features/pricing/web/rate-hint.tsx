import { Box } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MINUTE_MS } from '#lib/durations.ts'
import { formatRupees, paiseFromRupees, withGst } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { isBelowRate, microsOfRate } from '../below-rate.ts'
import type { RateCategory } from '../markets.ts'
import { pricingPaths } from '../paths.ts'
import { rates } from '../rate-contract.ts'
import { formatRate } from './rates/rate-text.ts'

/** Milliseconds for which India's rates are not read again. Loading a card reads them anew. */
const STALE_MS = 10 * MINUTE_MS

/** Returns India's rate in rupees; null while it is unknown. */
function useHomeRate(category: RateCategory): number | null {
	return useQuery({ ...query(rates.summary), staleTime: STALE_MS }).data?.rates[category]?.rate ?? null
}

/** Returns true when a price in paise is below India's rate in rupees; false while either is unknown. */
function isBelow(paise: number | null, rate: number | null): rate is number {
	return paise !== null && rate !== null && isBelowRate(paise, microsOfRate(rate))
}

/** Renders India's rates above the list of prices, with the way to all rates. */
export function HomeRates() {
	const [marketing, utility] = [useHomeRate('marketing'), useHomeRate('utility')]
	if (marketing === null || utility === null) return null
	return (
		<p className="toolbar quiet">
			<span>
				In India WhatsApp charges {formatRate(marketing)} for a marketing message and {formatRate(utility)} for a
				utility message. With 18% GST: {formatRupees(withGst(marketing))} and {formatRupees(withGst(utility))}.{' '}
				<Link to={pricingPaths.rates}>All rates</Link>
			</span>
		</p>
	)
}

/** Renders a price, with a sign when it is below India's rate. */
export function PriceWithWarning({ rupees, category }: { rupees: number; category: RateCategory }) {
	const rate = useHomeRate(category)
	if (!isBelow(paiseFromRupees(rupees), rate)) return <Money rupees={rupees} />
	const label = `Below WhatsApp’s rate of ${formatRate(rate)}, before GST`
	return (
		<>
			<Box
				component="span"
				mr={6}
				c="var(--app-warn-text)"
				style={{ verticalAlign: '-2px' }}
				role="img"
				aria-label={label}
				title={label}
			>
				<IconAlertTriangle size={16} aria-hidden />
			</Box>
			<Money rupees={rupees} />
		</>
	)
}

interface BelowRateProps {
	/** Prices in rupees. */
	marketing: number
	utility: number
}

/** Renders a warning when a price is below India's rate. The warning names the rate. */
export function BelowRate(prices: BelowRateProps) {
	const known = { marketing: useHomeRate('marketing'), utility: useHomeRate('utility') }
	const below = (['marketing', 'utility'] as const).flatMap((category) => {
		const rate = known[category]
		return isBelow(paiseFromRupees(prices[category]), rate) ? [`${formatRate(rate)} for a ${category} message`] : []
	})
	if (below.length === 0) return null
	return <b>Below WhatsApp’s rate of {below.join(' and ')}, before GST: each message costs you money.</b>
}

/** Returns the line below a price field: India's rate, and a warning while the typed price is below it. */
export function useRateHint(category: RateCategory, typed: string): ReactNode {
	const rate = useHomeRate(category)
	if (rate === null) return undefined
	const paise = paiseFromRupees(typed)
	const charges = `WhatsApp charges ${formatRate(rate)} in India, ${formatRupees(withGst(rate))} with 18% GST.`
	if (isBelow(paise, rate))
		return (
			<>
				{charges} <b>This price is below it, so each message costs you money.</b>
			</>
		)
	return isBelow(paise, withGst(rate)) ? `${charges} You earn on a message only if you claim the GST back.` : charges
}
