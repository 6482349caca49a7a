import { randomBytes } from 'node:crypto'
import { noteText } from '#features/wallet/rules.ts'
import { placeOfSupply } from '#lib/gst-states.ts'
import { stateOfGstin } from '#lib/gstin.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { accountChannel, publish } from '#lib/server/db/channels/channels.ts'
import type { Log } from '#lib/server/log.ts'
import type { ReturnBody } from '../contract.ts'
import { paymentPath } from '../paths.ts'
import { problem } from '../problems.ts'
import { taxOf, totalOf, type TaxRule } from '../rules.ts'
import { requestCheck } from './check-queries.ts'
import type { PaymentCounters } from './counters.ts'
import { ProviderError, type PaymentProvider } from './provider/provider.ts'
import * as queries from './queries.ts'
import type { Payment } from './queries.ts'

export interface PaymentContext {
	db: Db
	log: Log
	/** Null when users cannot pay online. */
	paymentProvider: PaymentProvider | null
	paymentCounters: PaymentCounters
	env: PaymentSettings
}

export interface PaymentSettings {
	PUBLIC_URL: string
	PAYMENT_MIN: number
	PAYMENT_MAX: number
	PAYMENT_PRESETS: number[]
	GST_PERCENT: number
	ISSUER_NAME: string
	ISSUER_GSTIN: string
}

/** Seconds for which a page can be paid. */
const LIFE_SECONDS = 24 * 60 * 60
/** Seconds from the creation of a payment until its first check. */
const FIRST_CHECK_SECONDS = 60
/** Maximum number of open payments of an account. */
const MAX_OPEN = 50
/** Random bytes of a reference, which has at most 40 characters with the account's id. */
const REFERENCE_BYTES = 12
const PAISE = 100

/** Returns the provider; throws 404 when users cannot pay online. */
export function providerOf({ paymentProvider }: Pick<PaymentContext, 'paymentProvider'>): PaymentProvider {
	if (!paymentProvider) throw problem('payments_off')
	return paymentProvider
}

/** Returns the rule of GST for a payer. */
export function taxRuleOf(env: PaymentSettings, payer: Pick<queries.Payer, 'gstin' | 'businessState'>): TaxRule {
	return {
		percent: env.GST_PERCENT,
		issuerState: stateOfGstin(env.ISSUER_GSTIN) || null,
		payerState: placeOfSupply(payer, env.ISSUER_GSTIN) || null,
	}
}

export interface WantedPayment {
	userId: number
	creditPaise: number
	requestId: string
	back: string | undefined
}

/**
 * Begins a payment and returns it with the provider's page. A repeated request id returns the same payment, and creates its
 * page when an earlier attempt was interrupted. Throws 409 for a repeated request id with another amount.
 */
export async function beginPayment(
	context: PaymentContext,
	accountId: AccountId,
	wanted: WantedPayment,
): Promise<Payment> {
	const provider = providerOf(context)
	const { env, db } = context
	requireWithinLimits(env, wanted.creditPaise)
	const payment = await insertOnce(context, accountId, wanted)
	if (payment.providerId !== null || payment.state !== 'created') return payment
	const page = await makePage(context, provider, payment)
	await queries.updatePage(db, accountId, { id: payment.id, ...page })
	return { ...payment, providerId: page.providerId, providerUrl: page.url }
}

function requireWithinLimits({ PAYMENT_MIN: min, PAYMENT_MAX: max }: PaymentSettings, creditPaise: number): void {
	if (creditPaise < min * PAISE || creditPaise > max * PAISE) throw problem('payment_amount_refused', { min, max })
}

/** Inserts the payment unless its request id is known, and returns it. */
async function insertOnce({ db, env }: PaymentContext, accountId: AccountId, wanted: WantedPayment): Promise<Payment> {
	const { userId, creditPaise, requestId, back } = wanted
	const known = await queries.findByRequest(db, accountId, requestId)
	if (!known && (await queries.countOpen(db, accountId)) >= MAX_OPEN) throw problem('payments_open', { most: MAX_OPEN })
	if (!known) {
		const rule = taxRuleOf(env, await queries.getPayer(db, accountId))
		await transaction(db, (sql) =>
			queries.insertPayment(sql, accountId, {
				reference: `${accountId}-${randomBytes(REFERENCE_BYTES).toString('hex')}`,
				requestId,
				userId,
				creditPaise,
				...taxOf(creditPaise, rule),
				gstPercent: rule.percent,
				placeOfSupply: rule.percent > 0 ? rule.payerState : null,
				back,
				lifeSeconds: LIFE_SECONDS,
				firstCheckSeconds: FIRST_CHECK_SECONDS,
			}),
		)
	}
	const payment = known ?? (await queries.findByRequest(db, accountId, requestId))
	if (!payment) throw new Error('an inserted payment is found')
	if (payment.creditPaise !== creditPaise)
		throw problem('payment_begun_already', { rupees: rupeesFromPaise(payment.creditPaise) })
	return payment
}

async function makePage({ env, log, paymentCounters }: PaymentContext, provider: PaymentProvider, payment: Payment) {
	try {
		return await provider.createPayment({
			reference: payment.reference,
			totalPaise: totalOf(payment),
			description: `Wallet recharge at ${env.ISSUER_NAME}`.slice(0, 200),
			expiresAt: payment.expiresAt,
			returnUrl: `${env.PUBLIC_URL}${paymentPath(payment.id)}`,
		})
	} catch (error) {
		if (!(error instanceof ProviderError)) throw error
		paymentCounters.providerErrors++
		// The payment stays: a repetition of the request, or the poll, asks for its page again.
		log.error({ error, accountId: payment.accountId, payment: payment.id }, 'a payment page could not be made')
		throw problem('payment_provider_silent')
	}
}

/** Channel of accounts with a payment that is to be checked at once. */
export const paymentChannel = accountChannel('payments')

/**
 * Asks for a check of the payment, unless it is credited, when the provider signed this return for it. Returns false for any
 * other return, such as one of another payment.
 */
export async function acceptReturn(context: PaymentContext, payment: Payment, given: ReturnBody): Promise<boolean> {
	const provider = providerOf(context)
	const signed = {
		providerId: given.razorpay_payment_link_id,
		reference: given.razorpay_payment_link_reference_id,
		status: given.razorpay_payment_link_status,
		providerPaymentId: given.razorpay_payment_id,
		signature: given.razorpay_signature,
	}
	if (signed.reference !== payment.reference || !provider.verifyReturn(signed)) return false
	if (payment.creditedBy !== null) return true
	await transaction(context.db, async (sql) => {
		await requestCheck(sql, payment.accountId, { key: { id: payment.id }, cause: 'return' })
		publish(sql, paymentChannel, payment.accountId)
	})
	return true
}

/** Returns an account's payment; throws 404 for another account's. */
export async function getPayment(db: Db, accountId: AccountId, id: string): Promise<Payment> {
	const payment = await queries.findPayment(db, accountId, Number(id))
	if (!payment) throw notFound('Payment')
	return payment
}

/** Returns the notes of the payments' tax invoices, oldest first. */
export function listNotesOf(db: Sql, payments: readonly Payment[]): Promise<queries.Note[]> {
	return queries.listNotesAllAccounts(
		db,
		payments.flatMap(({ receiptId }) => receiptId ?? []),
	)
}

/** Returns a payment as the API shows it, with its own of the `notes`. */
export function presentPayment(payment: Payment, notes: readonly queries.Note[]) {
	const totalPaise = totalOf(payment)
	return {
		_id: payment.id,
		createdAt: payment.createdAt,
		paidAt: payment.paidAt,
		amount: rupeesFromPaise(payment.creditPaise),
		tax: rupeesFromPaise(totalPaise - payment.creditPaise),
		total: rupeesFromPaise(totalPaise),
		refunded: rupeesFromPaise(payment.refundedPaise),
		state: payment.state,
		method: payment.method,
		reference: payment.reference,
		url: payment.state === 'created' ? payment.providerUrl : null,
		receiptId: payment.receiptId,
		notes: notes
			.filter(({ receiptId }) => receiptId === payment.receiptId)
			.map((note) => ({
				_id: note.id,
				kind: note.kind,
				number: noteText(note),
				total: rupeesFromPaise(note.totalPaise),
			})),
		back: payment.back,
		problem: payment.fault,
	}
}
