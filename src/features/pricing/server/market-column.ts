import type { Sql } from '#lib/server/db.ts'
import { separated, type Statement } from '#lib/server/statement.ts'
import { LONGEST_PREFIX, MARKET_BY_PREFIX, OTHER_MARKET } from '../markets.ts'
import type { AbroadPrices } from '../rules.ts'

const MARKETS = new Map([...MARKET_BY_PREFIX, ['', OTHER_MARKET]])

/** Returns SQL for the market of a recipient's key, as `marketOf` finds it. */
export function marketColumn(sql: Sql, recipient: Statement): Statement {
	return byLongestPrefix(sql, recipient, MARKETS)
}

/** Price that `priceColumn` returns for a recipient whose market has no price. */
export const NO_PRICE = -1

/** Returns SQL for the price in paise of a message to a recipient's key, or NO_PRICE. */
export function priceColumn(
	sql: Sql,
	recipient: Statement,
	{ pricePaise, abroadPrices }: { pricePaise: number; abroadPrices: AbroadPrices },
): Statement {
	const prices = [...MARKETS].map(([prefix, market]) => {
		const price = abroadPrices.get(market) ?? pricePaise
		return [prefix, typeof price === 'number' ? price : NO_PRICE] as const
	})
	return sql`(${byLongestPrefix(sql, recipient, new Map(prices))})::integer`
}

/**
 * Returns SQL for the text that a map has for the longest prefix of a recipient's key, or null. The empty prefix matches
 * every key. The map is a value rather than a table, so that the expression also runs on distributed tables. A million
 * keys take one to two seconds.
 */
export function byLongestPrefix(
	sql: Sql,
	recipient: Statement,
	values: ReadonlyMap<string, string | number>,
): Statement {
	const json = JSON.stringify(Object.fromEntries(values))
	const lengths = Array.from({ length: LONGEST_PREFIX + 1 }, (_, index) => LONGEST_PREFIX - index)
	return sql`coalesce(${separated(lengths.map((length) => sql`${json}::jsonb ->> left(${recipient}, ${length})`))})`
}
