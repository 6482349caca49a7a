import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { marketName } from '../markets.ts'
import type { FixedPrice, PriceList } from '../rules.ts'

/** Returns true when two lists charge the same by the same rules. */
export function isSameList(one: PriceList, other: PriceList): boolean {
	return (
		one.marketingPaise === other.marketingPaise &&
		one.utilityPaise === other.utilityPaise &&
		one.authenticationPaise === other.authenticationPaise &&
		one.servicePaise === other.servicePaise &&
		one.passesOnFree === other.passesOnFree &&
		!haveAbroadPricesChanged(one, other)
	)
}

/** Returns true when the rule for other markets, its percentage or a fixed price changed. */
export function haveAbroadPricesChanged(before: PriceList, after: PriceList): boolean {
	return (
		before.abroadRule !== after.abroadRule ||
		before.abroadPercent !== after.abroadPercent ||
		changedFixedPrices(before, after).length > 0
	)
}

/** Returns old and new values of the two home prices, and of every other part that changed, for the audit trail. */
export function priceChangeInWords(before: PriceList, after: PriceList): string {
	const extras = EXTRAS.filter((inWords) => inWords(before) !== inWords(after))
	const [was, is] = [before, after].map((list) => [homeInWords(list), ...extras.map((inWords) => inWords(list))])
	const fixed = changedFixedPrices(before, after).map(
		([name, old, now]) => `${name} ${old ?? 'by the rule'} → ${now ?? 'by the rule'}`,
	)
	return [`${was?.join(', ')} → ${is?.join(', ')}`, ...fixed].join('; ')
}

const rupees = (paise: number) => formatRupees(rupeesFromPaise(paise))

const homeInWords = (list: PriceList) =>
	`marketing ${rupees(list.marketingPaise)}, utility ${rupees(list.utilityPaise)}`

const EXTRAS = [
	({ authenticationPaise }: PriceList) =>
		`authentication ${authenticationPaise === null ? 'as utility' : rupees(authenticationPaise)}`,
	({ servicePaise }: PriceList) => `replies ${rupees(servicePaise)}`,
	({ abroadRule, abroadPercent }: PriceList) =>
		({
			same: 'other countries as India',
			card: `other countries at WhatsApp’s rate + ${abroadPercent} %`,
			blocked: 'other countries blocked',
		})[abroadRule],
	({ passesOnFree }: PriceList) => `messages that WhatsApp does not charge ${passesOnFree ? '' : 'not '}refunded`,
]

/** Returns the fixed prices that differ, each with its old and new amount in words; null for none. */
function changedFixedPrices(
	before: PriceList,
	after: PriceList,
): [name: string, before: string | null, after: string | null][] {
	const [was, is] = [byName(before.fixedPrices), byName(after.fixedPrices)]
	const names = [...new Set([...was.keys(), ...is.keys()])]
	return names
		.filter((name) => was.get(name) !== is.get(name))
		.map((name) => [name, was.get(name) ?? null, is.get(name) ?? null])
}

function byName(prices: readonly FixedPrice[]): Map<string, string> {
	return new Map(
		prices.map(({ market, category, paise }) => [`${marketName(market)} ${category}`, rupees(paise)] as const),
	)
}
