import type { AccountId, Sql } from '#lib/server/db.ts'
import { containsFolded } from '#lib/server/db/folded-search.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'

/** Prices of one message for an account, in paise. */
export interface Prices {
	marketingPaise: number
	utilityPaise: number
}

/** Returns an account's prices. AUTHENTICATION messages cost the utility price. */
export async function getPrices(sql: Sql, accountId: AccountId): Promise<Prices> {
	const [row] = await sql<Prices[]>`
		select marketing_paise as "marketingPaise", utility_paise as "utilityPaise" from prices where account_id = ${accountId}
	`
	if (!row) throw new Error(`account ${accountId} has no prices`)
	return row
}

export async function insertPrices(sql: Sql, accountId: AccountId, prices: Prices): Promise<void> {
	await sql`
		insert into prices (account_id, marketing_paise, utility_paise)
		values (${accountId}, ${prices.marketingPaise}, ${prices.utilityPaise})
	`
}

/** Locks an account's prices until the transaction ends and returns them. */
export async function lockPrices(sql: Sql, accountId: AccountId): Promise<Prices> {
	await sql`select from prices where account_id = ${accountId} for update`
	return getPrices(sql, accountId)
}

/** Writes the prices. Returns false when they were the same already. */
export async function updatePrices(sql: Sql, accountId: AccountId, prices: Prices): Promise<boolean> {
	const { count } = await sql`
		update prices set marketing_paise = ${prices.marketingPaise}, utility_paise = ${prices.utilityPaise}
		where account_id = ${accountId}
			and (marketing_paise, utility_paise) <> (${prices.marketingPaise}, ${prices.utilityPaise})
	`
	return count > 0
}

export interface PricedMember extends Prices {
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
