import { useQuery } from '@tanstack/react-query'
import { paiseFromRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { marketsBelowRate, microsOfRate } from '../below-rate.ts'
import type { PriceListFields } from '../contract.ts'
import { marketName, type Market } from '../markets.ts'
import { pricingPaths } from '../paths.ts'
import { rates, type MarketRates } from '../rate-contract.ts'
import type { PriceCategory, PriceList, RatesOfDay } from '../rules.ts'

/** Warns in how many other markets the prices are below WhatsApp's rates. Renders nothing without prices. */
export function AbroadHint({ list }: { list: PriceList | null }) {
	const markets = useQuery(query(rates.list, { query: {} })).data?.current?.markets
	if (!list || !markets) return null
	const known = ratesOf(markets)
	const losses = categoriesOf(list).flatMap((category) => {
		const below = marketsBelowRate(list, category, known)
		return below.length === 0 ? [] : `${CATEGORY_NAMES[category]}: ${namesOf(below)}.`
	})
	if (losses.length === 0) return null
	return (
		<Notice tone="warn">
			You lose money abroad: this user pays less there than WhatsApp charges. {losses.join(' ')}{' '}
			<Link to={pricingPaths.rates} style={{ color: 'inherit' }}>
				All rates
			</Link>
		</Notice>
	)
}

type HintedCategory = Exclude<PriceCategory, 'service'>

/** Leaves out authentication while it costs what utility costs, and WhatsApp charges the same for both. */
function categoriesOf({ authenticationPaise, fixedPrices }: PriceList): HintedCategory[] {
	const hasOwnPrice = authenticationPaise !== null || fixedPrices.some(({ category }) => category === 'authentication')
	return hasOwnPrice ? ['marketing', 'utility', 'authentication'] : ['marketing', 'utility']
}

const CATEGORY_NAMES: Record<HintedCategory, string> = {
	marketing: 'Marketing',
	utility: 'Utility',
	authentication: 'Authentication',
}
const MAX_NAMES = 3

function namesOf(markets: readonly Market[]): string {
	const names = markets.slice(0, MAX_NAMES).map(marketName).join(', ')
	const more = markets.length - MAX_NAMES
	return more > 0 ? `${names} and ${more} more` : names
}

const paise = (price: number) => paiseFromRupees(price) ?? 0

/** Converts the prices of a response, which are rupees, to paise. */
export function priceListOf({
	marketingPrice,
	utilityPrice,
	authenticationPrice,
	servicePrice,
	abroad,
	passesOnFree,
}: PriceListFields): PriceList {
	return {
		marketingPaise: paise(marketingPrice),
		utilityPaise: paise(utilityPrice),
		authenticationPaise: authenticationPrice === null ? null : paise(authenticationPrice),
		servicePaise: paise(servicePrice),
		passesOnFree,
		abroadRule: abroad.rule,
		abroadPercent: abroad.percent,
		fixedPrices: abroad.fixedPrices.map(({ price, ...one }) => ({ ...one, paise: paise(price) })),
	}
}

const micros = (rate: number) => ({ rateMicros: microsOfRate(rate) })

function ratesOf(markets: readonly MarketRates[]): RatesOfDay {
	return new Map(
		markets.map(({ market, rates: { marketing, utility, authentication } }) => {
			const known: Partial<Record<PriceCategory, { rateMicros: number }>> = {}
			if (marketing) known.marketing = micros(marketing.rate)
			if (utility) known.utility = micros(utility.rate)
			if (authentication) known.authentication = micros(authentication.rate)
			return [market, known]
		}),
	)
}
