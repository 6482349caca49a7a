import type { OwnerId, Sql } from '#lib/server/db.ts'

export interface Recharge {
	id: number
	amountPaise: number
	notes: string | null
	adminName: string | null
	createdAt: Date
}

/** Makes other recharges of this wallet wait until the transaction ends. */
export async function lockWallet(sql: Sql, owner: OwnerId): Promise<void> {
	await sql`select 1 from wallets where account_id = ${owner} for update`
}

/** The balance that the recharge with this reference left behind, if it has been posted. */
export async function findBalanceAfter(sql: Sql, owner: OwnerId, reference: string): Promise<number | undefined> {
	const [row] = await sql<{ paise: number }[]>`
		select available_after_paise as paise from ledger_entries where account_id = ${owner} and reference = ${reference}
	`
	return row?.paise
}

/** Newest first. */
export async function listRecharges(sql: Sql, owner: OwnerId, limit: number): Promise<Recharge[]> {
	return sql<Recharge[]>`
		select e.id, e.available_change_paise as "amountPaise", e.notes, u.name as "adminName", e.created_at as "createdAt"
		from ledger_entries e
		left join users u on u.id = e.admin_id
		where e.account_id = ${owner} and e.kind = 'recharge'
		order by e.id desc
		limit ${limit}
	`
}
