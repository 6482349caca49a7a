import { randomUUID } from 'node:crypto'
import { recordSystemAction } from '#features/auth/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { takeBack, undoTakeBack } from '#features/wallet/server/owed.ts'
import { listAdminAccountsAllAccounts } from '#features/wallet/server/refund-queries.ts'
import { issueTaxNote, issuerOf, postRecharge, type OnlinePayment } from '#features/wallet/server/service.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { NewNotification, Notify } from '#lib/server/db/channels/notify.ts'
import { refundedBetween, totalOf } from '../rules.ts'
import * as checks from './check-queries.ts'
import type { Claim } from './check-queries.ts'
import { judge, type Judgement } from './judge.ts'
import type { PaymentProvider, PaymentReading } from './provider/provider.ts'
import * as queries from './queries.ts'
import type { Payment } from './queries.ts'
import { providerOf, type PaymentContext, type PaymentSettings } from './service.ts'

export interface SettleContext extends PaymentContext {
	notify: Notify
	env: PaymentSettings & { ISSUER_ADDRESS: string; GST_SAC: string }
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Seconds between two checks of an open payment: half its age, within these limits. */
const MIN_WAIT = 30
const MAX_WAIT = HOUR
/** Seconds after which a payment that the provider does not know is given up. */
const UNKNOWN_AFTER = 30 * MINUTE
/** Seconds for which an ended payment is checked daily, because banks may confirm a payment days later. */
const LATE_FOR = 6 * DAY
/** Days between two readings of a credited payment. The daily checks between them read the provider's lists only. */
const READ_EVERY = 30
/** Seconds for which a paid payment is checked daily for refunds and disputes. */
const REFUNDABLE_FOR = 180 * DAY
/** Seconds after which polls of a payment end that the provider cannot read, as after a change of the provider's account. */
const UNREADABLE_FOR = REFUNDABLE_FOR + 30 * DAY

const secondsSince = (time: Date) => (Date.now() - time.getTime()) / 1000

/**
 * Reads a payment from the provider and updates ledger, receipt, audit trail, notifications and state by this reading, in
 * one transaction that locks the payment. Repeating it changes nothing, so the next check completes the work of a process
 * that crashed at any point.
 */
export async function settlePayment(
	context: SettleContext,
	accountId: AccountId,
	{ id, claim }: { id: number; claim: Claim },
): Promise<void> {
	const { db } = context
	const provider = providerOf(context)
	const before = await queries.findPayment(db, accountId, id)
	if (!before) return
	const { reference, providerId } = before
	// A routine reading may lack a dispute that an earlier reading has seen.
	const isRoutine = claim.cause === 'poll' && before.refundedPaise === 0
	const isGivenUp = claim.cause === 'poll' && secondsSince(before.createdAt) > UNREADABLE_FOR
	if (isGivenUp || (isRoutine && (await isAsBefore(provider, before)))) {
		await checks.updateNextCheck(db, accountId, { id, claim, seconds: isGivenUp ? null : secondsToNext(before) })
		return
	}
	const reading = await provider.readPayment({ reference, providerId, isRoutine })
	if (reading && reading.reference !== reference)
		throw new Error(`the page ${reading.providerId} of payment ${id} has another reference`)
	await transaction(db, async (sql) => {
		const payment = await checks.lockPayment(sql, accountId, id)
		// Another check has changed the payment since, and this reading may be the older one: it is read again.
		if (hasChanged(before, payment)) {
			await checks.requestCheck(sql, accountId, { key: { id }, cause: claim.cause })
			return
		}
		const after = reading
			? await applyReading(context, sql, { payment, reading, claim })
			: await giveUpUnknown(sql, payment)
		await checks.updateNextCheck(sql, accountId, { id, claim, seconds: secondsToNext(after) })
	})
}

/**
 * Returns true when a payment is known without a reading to be unchanged: it was paid in full, can no longer be paid twice, and
 * nothing has gone back. False every `READ_EVERY` days, in case an earlier reading was missed.
 */
async function isAsBefore(provider: PaymentProvider, payment: Payment): Promise<boolean> {
	const { creditedBy, fault, createdAt, providerPaymentId, paidAt } = payment
	const age = secondsSince(createdAt)
	if (creditedBy === null || fault !== null || age < LATE_FOR || Math.floor(age / DAY) % READ_EVERY === 0) return false
	return providerPaymentId !== null && paidAt !== null && provider.isUntouched({ providerPaymentId, paidAt })
}

/** Cancels a payment whose page was never made. Returns the payment. */
async function giveUpUnknown(sql: Sql, payment: Payment): Promise<Payment> {
	if (payment.state !== 'created' || secondsSince(payment.createdAt) < UNKNOWN_AFTER) return payment
	const after: Payment = { ...payment, state: 'cancelled' }
	await checks.updateChecked(sql, payment.accountId, after)
	announceLive(sql, payment.accountId, { kind: 'wallet' })
	return after
}

interface Application {
	payment: Payment
	reading: PaymentReading
	claim: Claim
}

/** Applies a reading from the provider in the caller's transaction, which has locked the payment. Returns the changed payment. */
async function applyReading(
	context: SettleContext,
	sql: Sql,
	{ payment, reading, claim }: Application,
): Promise<Payment> {
	const { accountId, id } = payment
	if (payment.providerId === null)
		await queries.updatePage(sql, accountId, { id, providerId: reading.providerId, url: reading.url })
	const judgement = judge({ ...payment, isCredited: payment.creditedBy !== null }, reading)
	if (!judgement) throw new Error(`the provider does not name the credited part of payment ${id} any more`)
	const { state, fault, part, isCredited, refundedPaise } = judgement
	const after: Payment = {
		...payment,
		state,
		fault,
		refundedPaise,
		providerPaymentId: part?.providerPaymentId ?? null,
		method: part?.method ?? null,
		paidAt: part?.paidAt ?? null,
		creditedBy: isCredited ? (payment.creditedBy ?? claim.cause) : null,
	}
	if (!hasChanged(payment, after)) return after
	if (isCredited && payment.creditedBy === null) await credit(context, sql, after)
	if (isCredited) await moveRefund(context, sql, { payment, judgement })
	if (fault !== null && fault !== payment.fault) await announceFault(context, sql, after)
	await checks.updateChecked(sql, accountId, after)
	announceLive(sql, accountId, { kind: 'wallet' })
	return after
}

function hasChanged(before: Payment, after: Payment): boolean {
	const facts = ['state', 'fault', 'refundedPaise', 'providerPaymentId', 'creditedBy'] as const
	return facts.some((fact) => before[fact] !== after[fact])
}

/** Credits the wallet with its receipt. The ledger's unique reference refuses a second credit. */
async function credit({ notify, env }: SettleContext, sql: Sql, payment: Payment): Promise<void> {
	const { accountId, id, creditPaise, userId } = payment
	await postRecharge(sql, accountId, {
		reference: `payment:${id}`,
		amountPaise: creditPaise,
		notes: 'Added online',
		issuer: issuerOf(env),
		online: onlineOf(payment, env),
	})
	await notify(sql, accountId, notificationOf.recharged({ amountPaise: creditPaise }))
	const details = `${rupees(creditPaise)}, ${payment.reference}`
	await recordSystemAction(sql, { userId, action: 'payment-credited', details })
}

/** Returns the facts of the payment for its receipt, which is a tax invoice when there is tax. */
function onlineOf(payment: Payment, { GST_SAC: sac }: SettleContext['env']): OnlinePayment {
	const { gstPercent: percent, cgstPaise, sgstPaise, igstPaise, placeOfSupply, method, providerPaymentId } = payment
	const tax = { percent, cgstPaise, sgstPaise, igstPaise, sac, placeOfSupply: placeOfSupply ?? '' }
	return { method, paymentId: providerPaymentId, tax: percent > 0 ? tax : null }
}

/**
 * Takes back the credit's share of a new refund or lost dispute, or returns its share of a refund that failed. The reversal of a
 * tax invoice gets a credit or debit note over the taken and the owed amount.
 */
async function moveRefund(
	{ notify }: SettleContext,
	sql: Sql,
	{ payment, judgement }: { payment: Payment; judgement: Judgement },
): Promise<void> {
	const { accountId, id, userId } = payment
	const { refundedPaise, state } = judgement
	// A refund from before the credit belongs to another part of the payment, which was never credited.
	const seenPaise = payment.creditedBy === null ? 0 : payment.refundedPaise
	if (refundedPaise === seenPaise) return
	const { creditPaise: paise, ...taxes } = refundedBetween(payment, seenPaise, refundedPaise)
	const isDisputed = state === 'disputed'
	const action = isDisputed ? 'payment-disputed' : 'payment-refunded'
	const total = `${rupees(refundedPaise)} of ${rupees(totalOf(payment))}, ${payment.reference}`
	await recordSystemAction(sql, { userId, action, details: total })
	const reversal = `payment:${id}:reversal:${randomUUID()}`
	const note = { reversal, of: `payment:${id}`, taxablePaise: paise, ...taxes }
	if (refundedPaise < seenPaise) {
		const notes = 'A refund that did not reach the payer'
		await undoTakeBack(sql, accountId, { reference: reversal, paise, notes })
		await issueTaxNote(sql, accountId, { ...note, kind: 'debit', reason: notes })
		return
	}
	const notes = `${isDisputed ? 'Dispute' : 'Refund'} of the payment ${payment.reference}`
	const { takenPaise, owedPaise } = await takeBack(sql, accountId, { reference: reversal, paise, notes })
	await issueTaxNote(sql, accountId, { ...note, kind: 'credit', reason: notes })
	const taken = { isDisputed, takenPaise, owedPaise }
	await notify(sql, accountId, notificationOf.paymentTakenBack(taken))
	await notifyAdmins(notify, sql, notificationOf.paymentReversed({ ...taken, reference: payment.reference }))
}

/** Notifies the user and all admins of a payment with a fault. */
async function announceFault({ notify }: SettleContext, sql: Sql, payment: Payment): Promise<void> {
	const { accountId, fault, reference, creditPaise } = payment
	if (fault === null) return
	await notify(sql, accountId, notificationOf.paymentUnfit({ fault, amountPaise: creditPaise }))
	await notifyAdmins(notify, sql, notificationOf.paymentFaulty({ fault, reference }))
}

async function notifyAdmins(notify: Notify, sql: Sql, notification: NewNotification): Promise<void> {
	for (const admin of await listAdminAccountsAllAccounts(sql)) await notify(sql, admin, notification)
}

/** Returns the seconds until the next check; null for a payment that is not checked any more. */
function secondsToNext({ state, createdAt, paidAt }: Payment): number | null {
	const age = secondsSince(createdAt)
	if (state === 'created') return Math.min(MAX_WAIT, Math.max(MIN_WAIT, age / 2))
	if (state === 'expired' || state === 'cancelled') return age < LATE_FOR ? DAY : null
	return secondsSince(paidAt ?? createdAt) < REFUNDABLE_FOR ? DAY : null
}

function rupees(paise: number): string {
	return formatRupees(rupeesFromPaise(paise))
}
