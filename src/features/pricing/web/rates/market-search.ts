import { countriesOf, marketOf, type Market } from '#features/pricing/markets.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Returns the names of a market's countries, in alphabetical order. */
export function countryNames(market: Market): string[] {
	return countriesOf(market)
		.map((country) => names.of(country) ?? country)
		.toSorted((a, b) => (a < b ? -1 : 1))
}

/** Returns true when a search names the market, one of its countries, or a number or calling code in it. */
export function isFound({ market, name }: { market: Market; name: string }, search: string): boolean {
	const wanted = search.trim().toLowerCase()
	const digits = wanted.replace(/[\s()+-]/g, '')
	if (/^\d+$/.test(digits)) return marketOf(digits) === market
	return [name, ...countryNames(market)].some((text) => text.toLowerCase().includes(wanted))
}
