import type { OwnerId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'

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

interface PostedRecharge {
	amountPaise: number
	balancePaise: number
}

/** The recharge with this reference and the balance that it left behind, if it has been posted. */
export async function findPosted(sql: Sql, owner: OwnerId, reference: string): Promise<PostedRecharge | undefined> {
	const [row] = await sql<PostedRecharge[]>`
		select available_change_paise as "amountPaise", available_after_paise as "balancePaise"
		from ledger_entries where account_id = ${owner} and reference = ${reference}
	`
	return row
}

/**
 * Newest first; all of them where no page is wanted. Found by their receipts, of which each has one, as a wallet has thousands
 * of other entries for each recharge.
 */
export async function listRecharges(sql: Sql, owner: OwnerId, wanted?: PageQuery): Promise<Recharge[]> {
	return sql<Recharge[]>`
		with page as materialized (
			select entry_id from receipts
			where account_id = ${owner}
			order by entry_id desc
			${wanted ? sql`limit ${wanted.limit} offset ${offsetOf(wanted)}` : sql``}
		)
		select e.id, e.available_change_paise as "amountPaise", e.notes, u.name as "adminName", e.created_at as "createdAt"
		from page
		join ledger_entries e on e.account_id = ${owner} and e.id = page.entry_id
		left join users u on u.id = e.admin_id
		order by e.id desc
	`
}

export async function countRecharges(sql: Sql, owner: OwnerId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from receipts where account_id = ${owner}
	`
	return row?.total ?? 0
}

/** Below which balance the owner wants to be warned; 0 is never. */
export async function getLowBalance(sql: Sql, owner: OwnerId): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select low_balance_paise as paise from wallets where account_id = ${owner}
	`
	return row?.paise ?? 0
}

/** Accounts that are due a warning of a low balance: all of them, or this one if it is. */
export async function listLowAllOwners(sql: Sql, owner: OwnerId | null): Promise<OwnerId[]> {
	const rows = await sql<{ owner: OwnerId }[]>`
		select account_id as owner from wallets
		where available_paise < low_balance_paise and low_notified_at is null and statement_part > 0
			${owner === null ? sql`` : sql`and account_id = ${owner}`}
	`
	return rows.map((row) => row.owner)
}

/** Whom the account belongs to, unless they were deleted or may not sign in. */
export async function findPayer(sql: Sql, owner: OwnerId): Promise<{ name: string; email: string } | undefined> {
	const [row] = await sql<{ name: string; email: string }[]>`
		select name, email from users where account_id = ${owner} and deleted_at is null and is_active
	`
	return row
}

/** All wallets, for statements of features before this one. */
export const balancesAllOwners = (sql: Sql) => sql`(select account_id, available_paise from wallets)`
