import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'

export interface Recharge {
	id: number
	amountPaise: number
	notes: string | null
	adminName: string | null
	createdAt: Date
}

/** Locks the wallet until the transaction ends, so that other recharges wait. */
export async function lockWallet(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`select 1 from wallets where account_id = ${accountId} for update`
}

interface PostedRecharge {
	amountPaise: number
	balancePaise: number
}

/**
 * Returns the amount of the entry with this reference, and the balance after the entry and after the settlement of the owed
 * amount; undefined when the entry was never posted.
 */
export async function findPosted(
	sql: Sql,
	accountId: AccountId,
	reference: string,
): Promise<PostedRecharge | undefined> {
	const [row] = await sql<PostedRecharge[]>`
		select e.available_change_paise as "amountPaise",
			coalesce(settled.available_after_paise, e.available_after_paise) as "balancePaise"
		from ledger_entries e
		left join ledger_entries settled on settled.account_id = ${accountId} and settled.reference = ${`owed:${reference}`}
		where e.account_id = ${accountId} and e.reference = ${reference}
	`
	return row
}

/**
 * Returns recharges, newest first; all of them without `wanted`. Reads from the receipts (one per recharge), since the
 * ledger has thousands of other entries.
 */
export async function listRecharges(sql: Sql, accountId: AccountId, wanted?: PageQuery): Promise<Recharge[]> {
	return sql<Recharge[]>`
		with page as materialized (
			select entry_id from receipts
			where account_id = ${accountId}
			order by entry_id desc
			${wanted ? sql`limit ${wanted.limit} offset ${offsetOf(wanted)}` : sql``}
		)
		select e.id, e.available_change_paise as "amountPaise", e.notes, u.name as "adminName", e.created_at as "createdAt"
		from page
		join ledger_entries e on e.account_id = ${accountId} and e.id = page.entry_id
		left join users u on u.id = e.admin_id
		order by e.id desc
	`
}

export async function countRecharges(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from receipts where account_id = ${accountId}
	`
	return row?.total ?? 0
}

/** Returns the balance in paise below which the user is warned; 0 means never. */
export async function getLowBalance(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select low_balance_paise as paise from wallets where account_id = ${accountId}
	`
	return row?.paise ?? 0
}

/** Returns accounts with a due low-balance warning, limited to `accountId` when given. */
export async function listLowAllAccounts(sql: Sql, accountId: AccountId | null): Promise<AccountId[]> {
	const rows = await sql<{ accountId: AccountId }[]>`
		select account_id as "accountId" from wallets
		where available_paise < low_balance_paise and low_notified_at is null and statement_part > 0
			${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
	`
	return rows.map((row) => row.accountId)
}

/** Returns SQL for the balances of all wallets, for earlier features, which may not read `wallets`. */
export const balancesAllAccounts = (sql: Sql) => sql`(select account_id, available_paise from wallets)`
