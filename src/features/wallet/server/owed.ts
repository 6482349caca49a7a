import { randomUUID } from 'node:crypto'
import type { AppError } from '#lib/app-error.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Log } from '#lib/server/log.ts'
import { problem } from '../problems.ts'
import { addOwed, post } from './ledger.ts'
import * as queries from './owed-queries.ts'

/** Notes of the ledger entries that settle an owed amount. */
const SETTLED_NOTES = 'Owed since an earlier payment was refunded'

export interface Reversal {
	/** Reference of the ledger's entry, which no other entry of the account has. */
	reference: string
	paise: number
	notes: string
}

/**
 * Takes a credit back in the caller's transaction, from the available money; the rest is owed. Does not take money on hold.
 * Returns both parts in paise. Locks the wallet.
 */
export async function takeBack(
	sql: Sql,
	accountId: AccountId,
	{ paise, ...reversal }: Reversal,
): Promise<{ takenPaise: number; owedPaise: number }> {
	const { availablePaise } = await queries.lockOwed(sql, accountId)
	const takenPaise = Math.min(paise, availablePaise)
	await reverse(sql, accountId, { ...reversal, paise: takenPaise })
	const owedPaise = paise - takenPaise
	if (owedPaise > 0) await addOwed(sql, accountId, owedPaise)
	return { takenPaise, owedPaise }
}

/**
 * Gives back `paise` of a credit that `takeBack` took, in the caller's transaction, when a refund did not reach the payer:
 * first reduces the owed amount, then posts the rest to the wallet. Locks the wallet.
 */
export async function undoTakeBack(sql: Sql, accountId: AccountId, { paise, ...reversal }: Reversal): Promise<void> {
	const { owedPaise } = await queries.lockOwed(sql, accountId)
	const forgivenPaise = Math.min(paise, owedPaise)
	if (forgivenPaise > 0) await addOwed(sql, accountId, -forgivenPaise)
	await reverse(sql, accountId, { ...reversal, paise: forgivenPaise - paise })
}

/** Settles the owed amount from available money, in the caller's transaction. Returns the settled paise. Locks the wallet. */
export async function settleOwed(sql: Sql, accountId: AccountId, reference: string): Promise<number> {
	const { availablePaise, owedPaise } = await queries.lockOwed(sql, accountId)
	const settledPaise = Math.min(availablePaise, owedPaise)
	if (settledPaise === 0) return 0
	await reverse(sql, accountId, { reference, paise: settledPaise, notes: SETTLED_NOTES })
	await addOwed(sql, accountId, -settledPaise)
	return settledPaise
}

/** Posts a reversal; negative paise give money back, and 0 writes nothing. */
async function reverse(sql: Sql, accountId: AccountId, { reference, paise, notes }: Reversal): Promise<void> {
	if (paise === 0) return
	const after = await post(sql, accountId, { kind: 'reversal', reference, paise, notes })
	if (!after) throw new Error(`the reversal ${reference} exceeds what the wallet has`)
}

interface Spendable extends queries.Owed {
	/** The 402 of an order while the account owes money of refunded payments; null otherwise. */
	refusal: AppError | null
}

/** Returns the money that an order of the account can spend, and what it owes. */
export async function readSpendable(sql: Sql, accountId: AccountId): Promise<Spendable> {
	const read = await queries.getOwed(sql, accountId)
	const { owedPaise } = read
	return { ...read, refusal: owedPaise > 0 ? problem('money_owed', { owed: rupeesFromPaise(owedPaise) }) : null }
}

/** Throws the 402 of an order for an account that owes money. */
export async function refuseOwing(sql: Sql, accountId: AccountId): Promise<void> {
	const { refusal } = await readSpendable(sql, accountId)
	if (refusal) throw refusal
}

/** Settles the owed amounts of all accounts whose available money has grown without a recharge, such as by released holds. */
export async function collectOwed({ db, log }: { db: Db; log: Log }): Promise<void> {
	for (const accountId of await queries.listPayableAllAccounts(db)) {
		const settle = async (sql: Sql) => {
			await settleOwed(sql, accountId, `owed:${randomUUID()}`)
			announceLive(sql, accountId, { kind: 'wallet' })
		}
		await transaction(db, settle).catch((error: unknown) =>
			log.error({ error, accountId }, 'owed money could not be settled'),
		)
	}
}
