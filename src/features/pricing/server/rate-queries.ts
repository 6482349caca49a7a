import type { Sql } from '#lib/server/db.ts'
import type { Market, RateCategory } from '../markets.ts'
import { cardsInEffectAllAccounts } from './queries.ts'

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

/** Arranges rates by market and category. */
function byMarket(rows: readonly Rate[]): Rates {
	const rates = new Map<Market, Partial<Record<RateCategory, Rate>>>()
	for (const rate of rows) rates.set(rate.market, { ...rates.get(rate.market), [rate.category]: rate })
	return rates
}

/** A rate card without its rates. `fileName` is null for the built-in card, `effectiveFrom` a day such as 2027-01-01. */
export interface RateCardRow {
	id: number
	currency: string
	effectiveFrom: string
	fileName: string | null
	loadedBy: string | null
	createdAt: Date
}

const cardColumns = (sql: Sql) => sql`
	c.id, c.currency, c.effective_from::text as "effectiveFrom", c.file_name as "fileName", u.name as "loadedBy",
	c.created_at as "createdAt"
`

/** Returns the cards of a currency in effect on a day and after it, by day. */
export async function listCardsAllAccounts(sql: Sql, currency: string, day: string): Promise<RateCardRow[]> {
	return sql<RateCardRow[]>`
		select ${cardColumns(sql)}
		from ${cardsInEffectAllAccounts(sql, currency)} valid
		join meta_rate_cards c on c.id = valid.id
		left join users u on u.id = c.uploaded_by
		where valid.valid_until > ${day}::date
		order by c.effective_from
	`
}

/** Returns the card of a currency with the latest day. */
export async function findNewestCardAllAccounts(sql: Sql, currency: string): Promise<RateCardRow | undefined> {
	const [card] = await sql<RateCardRow[]>`
		select ${cardColumns(sql)}
		from meta_rate_cards c
		left join users u on u.id = c.uploaded_by
		where c.currency = ${currency}
		order by c.effective_from desc, c.id desc
		limit 1
	`
	return card
}

export async function findCardAllAccounts(sql: Sql, cardId: string): Promise<RateCardRow | undefined> {
	const [card] = await sql<RateCardRow[]>`
		select ${cardColumns(sql)}
		from meta_rate_cards c
		left join users u on u.id = c.uploaded_by
		where c.id = ${cardId}
	`
	return card
}

/** Returns the rates of a card. */
export async function ratesOfCardAllAccounts(sql: Sql, cardId: number): Promise<Rates> {
	const rows = await sql<Rate[]>`
		select market, category, rate_micros as "rateMicros", is_computed as "isComputed"
		from meta_rates
		where card_id = ${cardId}
	`
	return byMarket(rows)
}

export async function listCurrenciesAllAccounts(sql: Sql): Promise<string[]> {
	const rows = await sql<{ currency: string }[]>`select distinct currency from meta_rate_cards order by currency`
	return rows.map(({ currency }) => currency)
}

interface NewCard {
	currency: string
	effectiveFrom: string
	fileName: string
	uploadedBy: number
}

/** Inserts an uploaded card. Returns its id, or null when one of its currency and day exists. */
export async function insertCardAllAccounts(sql: Sql, card: NewCard): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		insert into meta_rate_cards (currency, effective_from, file_name, uploaded_by)
		values (${card.currency}, ${card.effectiveFrom}, ${card.fileName}, ${card.uploadedBy})
		on conflict (currency, effective_from) where file_name is not null do nothing
		returning id
	`
	return row?.id ?? null
}

export async function insertRatesAllAccounts(
	sql: Sql,
	cardId: number,
	rates: readonly Pick<Rate, 'market' | 'category' | 'rateMicros'>[],
): Promise<void> {
	await sql`
		insert into meta_rates (card_id, market, category, rate_micros)
		select ${cardId}::bigint, market, category, rate_micros
		from unnest(
			${rates.map(({ market }) => market)}::text[], ${rates.map(({ category }) => category)}::text[],
			${rates.map(({ rateMicros }) => rateMicros)}::bigint[]
		) rate (market, category, rate_micros)
	`
}

export async function deleteCardAllAccounts(sql: Sql, cardId: number): Promise<void> {
	await sql`delete from meta_rates where card_id = ${cardId}`
	await sql`delete from meta_rate_cards where id = ${cardId}`
}

/** Locks the cards until the transaction ends, so that no other transaction loads or removes one. */
export async function lockCardsAllAccounts(sql: Sql): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtext('rate cards'))`
}
