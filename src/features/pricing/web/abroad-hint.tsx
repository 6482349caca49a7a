import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paiseFromRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { marketsBelowRate } from '../below-rate.ts'
import { pricing, type PriceListFields } from '../contract.ts'
import { marketName, type Market } from '../markets.ts'
import { pricingPaths } from '../paths.ts'
import { rates, type MarketRates } from '../rate-contract.ts'
import type { PriceCategory, PriceList, RatesOfDay } from '../rules.ts'

interface AbroadHintProps {
	userId: string
	/** The typed prices in India. */
	marketingPrice: string
	utilityPrice: string
}

/** Warns in how many markets abroad the typed prices are below WhatsApp's rates, by the account's rule for other markets. */
export function AbroadHint({ userId, marketingPrice, utilityPrice }: AbroadHintProps) {
	const saved = useQuery(query(pricing.one, { params: { userId } })).data?.pricing
	const markets = useQuery(query(rates.list, { query: {} })).data?.current?.markets
	const [marketingPaise, utilityPaise] = [paiseFromRupees(marketingPrice), paiseFromRupees(utilityPrice)]
	if (!saved || !markets || marketingPaise === null || utilityPaise === null) return null
	const list = { ...priceListOf(saved), marketingPaise, utilityPaise }
	const known = ratesOf(markets)
	const losses = (['marketing', 'utility'] as const).flatMap((category) => {
		const below = marketsBelowRate(list, category, known)
		return below.length === 0 ? [] : `${CATEGORY_NAMES[category]}: ${namesOf(below)}.`
	})
	if (losses.length === 0) return null
	return (
		<Notice tone="warn">
			In other countries this user pays less than WhatsApp charges. {losses.join(' ')}{' '}
			<Link to={pricingPaths.rates} style={{ color: 'inherit' }}>
				All rates
			</Link>
		</Notice>
	)
}

const CATEGORY_NAMES = { marketing: 'Marketing', utility: 'Utility' }
const MAX_NAMES = 3

function namesOf(markets: readonly Market[]): string {
	const names = markets.slice(0, MAX_NAMES).map(marketName).join(', ')
	const more = markets.length - MAX_NAMES
	return more > 0 ? `${names} and ${more} more` : names
}

const paise = (price: number) => paiseFromRupees(price) ?? 0

function priceListOf({
	marketingPrice,
	utilityPrice,
	authenticationPrice,
	servicePrice,
	abroad,
}: PriceListFields): PriceList {
	return {
		marketingPaise: paise(marketingPrice),
		utilityPaise: paise(utilityPrice),
		authenticationPaise: authenticationPrice === null ? null : paise(authenticationPrice),
		servicePaise: paise(servicePrice),
		abroadRule: abroad.rule,
		abroadPercent: abroad.percent,
		fixedPrices: abroad.fixedPrices.map(({ price, ...one }) => ({ ...one, paise: paise(price) })),
	}
}

const MICROS_PER_UNIT = 1_000_000
const micros = (rate: number) => ({ rateMicros: Math.round(rate * MICROS_PER_UNIT) })

function ratesOf(markets: readonly MarketRates[]): RatesOfDay {
	return new Map(
		markets.map(({ market, rates: { marketing, utility } }) => {
			const known: Partial<Record<PriceCategory, { rateMicros: number }>> = {}
			if (marketing) known.marketing = micros(marketing.rate)
			if (utility) known.utility = micros(utility.rate)
			return [market, known]
		}),
	)
}
