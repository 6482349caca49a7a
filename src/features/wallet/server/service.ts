import { randomUUID } from 'node:crypto'
import { getMember, getAccount, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { problem } from '#features/wallet/problems.ts'
import { AppError } from '#lib/app-error.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import type { Session } from '#lib/server/http/http.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'
import type { NoteKind } from '../rules.ts'
import { post } from './ledger.ts'
import { settleOwed } from './owed.ts'
import * as queries from './queries.ts'
import {
	insertReceipt,
	takeNumberOfYearAllAccounts,
	takeReceiptNumberAllAccounts,
	type OnlinePayment,
} from './receipts/receipt-queries.ts'
import { findInvoiceEntry, insertTaxNote, type NoteAmounts } from './receipts/tax-note-queries.ts'

export type { OnlinePayment } from './receipts/receipt-queries.ts'

export interface NewRecharge {
	amountPaise: number
	notes?: string | undefined
	/** The idempotency key. */
	requestId?: string | undefined
}

export interface RechargeContext {
	db: Db
	notify: Notify
	env: IssuerEnv
}

interface IssuerEnv {
	ISSUER_NAME: string
	ISSUER_ADDRESS: string
	ISSUER_GSTIN: string
}

/** Returns the issuer of new receipts. */
export function issuerOf(env: IssuerEnv): Issuer {
	return { name: env.ISSUER_NAME, address: env.ISSUER_ADDRESS, gstin: env.ISSUER_GSTIN }
}

/**
 * Adds money to a user's wallet and returns the new balance. A repeated request id, also a concurrent one, posts
 * nothing and returns the first balance; with another amount it throws 409, so that an admin who corrects an amount
 * learns that the first one was posted.
 */
export async function recharge(
	context: RechargeContext,
	userId: string,
	wanted: NewRecharge & { actor: Actor },
): Promise<number> {
	const { db, notify, env } = context
	const { amountPaise, notes, actor } = wanted
	const { id, role, accountId } = await getMember(db, userId)
	if (role !== 'user') throw notFound('User')
	const reference = `recharge:${wanted.requestId ?? randomUUID()}`
	return transaction(db, async (sql) => {
		const payment = { reference, amountPaise, notes, adminId: actor.adminId, issuer: issuerOf(env) }
		const { balancePaise, isNew } = await postRecharge(sql, accountId, payment)
		if (!isNew) return balancePaise
		const amount = formatRupees(rupeesFromPaise(amountPaise))
		announceLive(sql, accountId, { kind: 'wallet' })
		await notify(sql, accountId, notificationOf.recharged({ amountPaise }))
		await recordAdminAction(sql, actor, { action: 'recharge-added', subjectId: id, details: amount })
		return balancePaise
	})
}

export interface Payment {
	reference: string
	amountPaise: number
	notes?: string | undefined
	adminId?: number
	issuer?: Issuer
	/** Given for a payment through the payment provider. With tax its receipt is a tax invoice. */
	online?: OnlinePayment
}

/**
 * Posts a recharge and its receipt in the caller's transaction, and settles what is owed; a known reference changes nothing, and throws 409 with
 * another amount. Locks the wallet, so that a repeated request sees the result of the first.
 */
export async function postRecharge(
	sql: Sql,
	accountId: AccountId,
	{ amountPaise, issuer, online, ...payment }: Payment,
): Promise<{ balancePaise: number; isNew: boolean }> {
	const { reference } = payment
	await queries.lockWallet(sql, accountId)
	const posted = await queries.findPosted(sql, accountId, reference)
	if (posted && posted.amountPaise !== amountPaise) throw alreadyAdded(posted.amountPaise)
	if (posted) return { balancePaise: posted.balancePaise, isNew: false }
	const after = await post(sql, accountId, { ...payment, kind: 'recharge', paise: amountPaise })
	if (!after) throw new Error(`account ${accountId} has no wallet`)
	const number = await takeReceiptNumberAllAccounts(sql)
	const invoice = online?.tax ? await takeNumberOfYearAllAccounts(sql, 'invoice') : undefined
	await insertReceipt(sql, accountId, { reference, number, issuer, online, invoice })
	const settledPaise = await settleOwed(sql, accountId, `owed:${reference}`)
	return { balancePaise: after.availablePaise - settledPaise, isNew: true }
}

export interface NewTaxNote extends NoteAmounts {
	kind: NoteKind
	/** Reference of the reversal, for which one note is issued. */
	reversal: string
	/** Reference of the recharge whose tax invoice the note changes. */
	of: string
	reason: string
}

/** Issues the note of a reversal in the caller's transaction; nothing when the recharge has no tax invoice. */
export async function issueTaxNote(sql: Sql, accountId: AccountId, { of, ...note }: NewTaxNote): Promise<void> {
	const entryId = await findInvoiceEntry(sql, accountId, of)
	if (entryId === null) return
	const number = await takeNumberOfYearAllAccounts(sql, note.kind)
	await insertTaxNote(sql, accountId, { ...note, ...number, entryId })
}

function alreadyAdded(amountPaise: number): AppError {
	return problem('recharge_added_already', { rupees: rupeesFromPaise(amountPaise) })
}

/** Returns the account whose wallet the session may see: users the one they work in, admins any. Throws 404 otherwise. */
export async function getVisibleAccount(db: Db, session: Session, userId: string): Promise<AccountId> {
	if (session.role === 'admin') return getAccount(db, userId)
	if (userId !== String(session.userId)) throw notFound('User')
	return session.accountId
}
