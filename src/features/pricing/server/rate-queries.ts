import type { Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'
import type { Market, RateCategory } from '../markets.ts'

/** Meta's price of one delivered message in millionths of the card's currency, before tax. */
export interface Rate {
	market: Market
	category: RateCategory
	rateMicros: number
	/** True when the rate was derived from Meta's rates in another currency. */
	isComputed: boolean
}

/** Rates of a day; a market and category without an entry has no known rate. */
export type Rates = ReadonlyMap<Market, Partial<Record<RateCategory, Rate>>>

/** Returns the rates of a currency on a day (2026-11-26). Empty when no card was in effect then. */
export async function getRatesAllAccounts(sql: Sql, currency: string, day: string): Promise<Rates> {
	const rows = await sql<Rate[]>`
		select r.market, r.category, r.rate_micros as "rateMicros", r.is_computed as "isComputed"
		from ${cardsInEffectAllAccounts(sql, currency)} c
		join meta_rates r on r.card_id = c.id
		where c.valid_from <= ${day}::date and ${day}::date < c.valid_until
	`
	return byMarket(rows)
}

/**
 * Returns SQL for the cards of a currency that count, with the columns id, valid_from (date) and valid_until (date, exclusive;
 * infinity for the last). Join meta_rates by card_id for the rates of many days at once.
 */
export function cardsInEffectAllAccounts(sql: Sql, currency: string): Statement {
	return sql`(
		select id, effective_from as valid_from,
			coalesce(lead(effective_from) over (order by effective_from), 'infinity') as valid_until
		from (
			select distinct on (effective_from) id, effective_from
			from meta_rate_cards
			where currency = ${currency}
			order by effective_from, id desc
		) newest
	)`
}

/** Arranges rates by market and category. */
function byMarket(rows: readonly Rate[]): Rates {
	const rates = new Map<Market, Partial<Record<RateCategory, Rate>>>()
	for (const rate of rows) rates.set(rate.market, { ...rates.get(rate.market), [rate.category]: rate })
	return rates
}
