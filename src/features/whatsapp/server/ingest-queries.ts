import type { OwnerId, Sql } from '#lib/server/db.ts'

/** Accounts with deliveries that have not taken effect yet. */
export async function listWaitingAllOwners(sql: Sql): Promise<OwnerId[]> {
	const rows = await sql<{ owner: OwnerId }[]>`
		select distinct account_id as owner from webhook_deliveries where kept_because is null
	`
	return rows.map((row) => row.owner)
}

export interface Delivery {
	id: number
	body: string
}

/** Locks the oldest waiting deliveries; those that another process works on are left to it. */
export async function claimDeliveries(sql: Sql, owner: OwnerId, limit: number): Promise<Delivery[]> {
	return sql<Delivery[]>`
		select id, body from webhook_deliveries
		where account_id = ${owner} and kept_because is null
		order by id
		limit ${limit}
		for update skip locked
	`
}

export async function deleteDeliveries(sql: Sql, owner: OwnerId, ids: number[]): Promise<void> {
	await sql`delete from webhook_deliveries where account_id = ${owner} and id = any(${ids}::bigint[])`
}

/** Keeps a delivery for a person to look at. */
export async function keepDelivery(sql: Sql, owner: OwnerId, kept: { id: number; because: string }): Promise<void> {
	await sql`
		update webhook_deliveries set kept_because = ${kept.because} where account_id = ${owner} and id = ${kept.id}
	`
}
