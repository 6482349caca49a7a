import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import type { Statement } from '#lib/server/statement.ts'
import type { PriceList } from '../rules.ts'

/** The two prices that every list of users shows, in paise. */
export type HomePrices = Pick<PriceList, 'marketingPaise' | 'utilityPaise'>

/** Returns an account's price list. */
export async function getPrices(sql: Sql, accountId: AccountId): Promise<PriceList> {
	const [row] = await sql<PriceList[]>`
		select p.marketing_paise as "marketingPaise", p.utility_paise as "utilityPaise",
			p.authentication_paise as "authenticationPaise", p.service_paise as "servicePaise",
			p.abroad_rule as "abroadRule", p.abroad_percent as "abroadPercent", p.passes_on_free as "passesOnFree", (
				select coalesce(jsonb_agg(
					jsonb_build_object('market', m.market, 'category', m.category, 'paise', m.price_paise)
					order by m.market, m.category
				), '[]'::jsonb)
				from market_prices m where m.account_id = ${accountId}
			) as "fixedPrices"
		from prices p where p.account_id = ${accountId}
	`
	if (!row) throw new Error(`account ${accountId} has no prices`)
	return row
}

/**
 * Returns the database's time, and true when the account pays for replies to some market. One statement does both, so that
 * free replies cost no further statement.
 */
export async function getReplyTerms(sql: Sql, accountId: AccountId): Promise<{ at: Date; isPaid: boolean }> {
	const [row] = await sql<{ at: Date; isPaid: boolean }[]>`
		select now() as at, t.is_paid as "isPaid" from ${replyTerms(sql, accountId)} t
	`
	if (!row) throw new Error(`account ${accountId} has no prices`)
	return row
}

/** Returns SQL for a row whose `is_paid` is true when the account pays for replies to some market. */
export const replyTerms = (sql: Sql, accountId: AccountId) => sql`(
	select p.service_paise > 0 or exists (
		select from market_prices m where m.account_id = ${accountId} and m.category = 'service' and m.price_paise > 0
	) as is_paid
	from prices p where p.account_id = ${accountId}
)`

/** Inserts the prices of a new account. Messages abroad cost the same, and replies nothing. */
export async function insertPrices(sql: Sql, accountId: AccountId, prices: HomePrices): Promise<void> {
	await sql`
		insert into prices (account_id, marketing_paise, utility_paise)
		values (${accountId}, ${prices.marketingPaise}, ${prices.utilityPaise})
	`
}

/** Locks an account's prices until the transaction ends and returns them. */
export async function lockPrices(sql: Sql, accountId: AccountId): Promise<PriceList> {
	await sql`select from prices where account_id = ${accountId} for update`
	return getPrices(sql, accountId)
}

/** Writes the prices, whose row is locked. */
export async function updatePrices(sql: Sql, accountId: AccountId, list: PriceList): Promise<void> {
	await sql`
		update prices set marketing_paise = ${list.marketingPaise}, utility_paise = ${list.utilityPaise},
			authentication_paise = ${list.authenticationPaise}, service_paise = ${list.servicePaise},
			abroad_rule = ${list.abroadRule}, abroad_percent = ${list.abroadPercent},
			passes_on_free = ${list.passesOnFree}
		where account_id = ${accountId}
	`
	await sql`delete from market_prices where account_id = ${accountId}`
	if (list.fixedPrices.length === 0) return
	await sql`
		insert into market_prices (account_id, market, category, price_paise)
		select ${accountId}::bigint, n.*
		from unnest(
			${list.fixedPrices.map((one) => one.market)}::text[], ${list.fixedPrices.map((one) => one.category)}::text[],
			${list.fixedPrices.map((one) => one.paise)}::integer[]
		) as n (market, category, price_paise)
	`
}

export interface PricedMember extends HomePrices {
	id: number
	name: string
	email: string
	role: 'user'
	isActive: boolean
	balancePaise: number
	createdAt: Date
}

const paying = (sql: Sql, search: string) => sql`
	from users u
	join prices p on p.account_id = u.account_id
	join wallets w on w.account_id = p.account_id
	where u.deleted_at is null and u.role = 'user'
		${search ? sql`and (${containsFolded(sql, sql`u.name`, search)} or ${containsFolded(sql, sql`u.email`, search)})` : sql``}
`

/** Returns a page of users with their prices, newest first. */
export async function listPricedAllAccounts(sql: Sql, wanted: PageQuery & { search: string }): Promise<PricedMember[]> {
	return sql<PricedMember[]>`
		select u.id, u.name, u.email, u.role, u.is_active as "isActive", w.available_paise as "balancePaise",
			u.created_at as "createdAt", p.marketing_paise as "marketingPaise", p.utility_paise as "utilityPaise"
		${paying(sql, wanted.search)}
		order by u.id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countPricedAllAccounts(sql: Sql, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total ${paying(sql, search)}`
	return row?.total ?? 0
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
