import type { ReactNode } from 'react'
import { RATE_CATEGORIES, type RateCategory } from '#features/pricing/markets.ts'
import type { MarketRates } from '#features/pricing/rate-contract.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { countryNames } from './market-search.ts'
import { CATEGORY_NAMES, formatRate } from './rate-text.ts'

/** Returns the columns of the table of rates: a market with its countries, and its rate in each category. */
export function rateColumns(currency: string): Column<MarketRates>[] {
	return [
		{
			header: 'Market',
			cell: ({ market, name }) => (
				<Stacked under={market.includes('-') && <TwoLines text={countryNames(market).join(', ')} />}>{name}</Stacked>
			),
			narrow: 'title',
		},
		{ header: 'Rates', cell: ({ rates }) => summaryOf(rates, currency), narrow: 'summary' },
		...RATE_CATEGORIES.map((category): Column<MarketRates> => ({
			header: CATEGORY_NAMES[category],
			cell: ({ rates }) => rateCell(rates[category], category, currency),
			align: 'right',
			width: category === 'authentication-international' ? '150px' : '136px',
			minWidth: 120,
		})),
	]
}

/** Returns the known rates of a market in one text, for a phone. */
function summaryOf(rates: MarketRates['rates'], currency: string): string {
	const known = RATE_CATEGORIES.flatMap((category) => {
		const rate = rates[category]
		return rate ? [`${CATEGORY_NAMES[category]} ${rate.isComputed ? '~' : ''}${formatRate(rate.rate, currency)}`] : []
	})
	return known.join(', ') || 'Unknown'
}

/**
 * Returns the content of a rate's cell; a tilde marks a computed rate. A missing international rate is a dash, since most
 * markets have none.
 */
function rateCell(rate: MarketRates['rates'][RateCategory], category: RateCategory, currency: string): ReactNode {
	if (!rate) return category === 'authentication-international' ? '-' : <span className="quiet">Unknown</span>
	const text = formatRate(rate.rate, currency)
	return rate.isComputed ? (
		<span className="figures" title="Computed from WhatsApp’s rates in US dollars">
			~{text}
		</span>
	) : (
		<span className="figures">{text}</span>
	)
}
