import type { OwnerId, Sql } from '#lib/server/db.ts'

/** What one message costs an account. */
export interface Prices {
	marketingPaise: number
	utilityPaise: number
}

export async function getPrices(sql: Sql, owner: OwnerId): Promise<Prices> {
	const [row] = await sql<Prices[]>`
		select marketing_paise as "marketingPaise", utility_paise as "utilityPaise" from prices where account_id = ${owner}
	`
	if (!row) throw new Error(`account ${owner} has no prices`)
	return row
}

export async function insertPrices(sql: Sql, owner: OwnerId, prices: Prices): Promise<void> {
	await sql`
		insert into prices (account_id, marketing_paise, utility_paise)
		values (${owner}, ${prices.marketingPaise}, ${prices.utilityPaise})
	`
}
