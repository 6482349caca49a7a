import type { AccountId, Sql } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'

export interface Owed {
	availablePaise: number
	owedPaise: number
}

/** Locks the wallet until the transaction ends, and returns its available and its owed money. */
export async function lockOwed(sql: Sql, accountId: AccountId): Promise<Owed> {
	const [row] = await sql<Owed[]>`
		select available_paise as "availablePaise", owed_paise as "owedPaise" from wallets
		where account_id = ${accountId} for update
	`
	if (!row) throw new Error(`account ${accountId} has no wallet`)
	return row
}

/** Returns the available money, and the paise of refunded payments that the wallet could not pay back yet. */
export async function getOwed(sql: Sql, accountId: AccountId): Promise<Owed> {
	const [row] = await sql<Owed[]>`
		select available_paise as "availablePaise", owed_paise as "owedPaise" from wallets where account_id = ${accountId}
	`
	return row ?? { availablePaise: 0, owedPaise: 0 }
}

/** Returns the accounts that owe money and have some. */
export async function listPayableAllAccounts(sql: Sql): Promise<AccountId[]> {
	const rows = await scanAllAccounts(
		sql,
		(one) => sql<{ accountId: AccountId }[]>`
			select account_id as "accountId" from wallets
			where owed_paise > 0 and available_paise > 0 ${one === null ? sql`` : sql`and account_id = ${one}`}
		`,
	)
	return rows.map(({ accountId }) => accountId)
}
