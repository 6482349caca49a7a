import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AppContext } from '#app/server/context.ts'
import { ReturnBody } from '#features/payments/contract.ts'
import { claimCheck, type Claim } from '#features/payments/server/check-queries.ts'
import { findByRequest, findPayment } from '#features/payments/server/queries.ts'
import { acceptReturn, beginPayment } from '#features/payments/server/service.ts'
import { settlePayment } from '#features/payments/server/settle.ts'
import { WEBHOOK_PATH } from '#features/payments/server/webhook.ts'
import { isProblem } from '#lib/app-error.ts'
import type { Payment, PaymentLink } from '#simulator/razorpay/entities.ts'
import { RazorpayError } from '#simulator/razorpay/errors.ts'
import { DEFAULT_MERCHANT } from '#simulator/razorpay/merchant.ts'
import { cancelLink, disputePayment, expireLink, payLink, refundPayment } from '#simulator/razorpay/payment-events.ts'
import { disputeShape, linkShape, paymentShape } from '#simulator/razorpay/shapes.ts'
import { hexHmac, returnUrl } from '#simulator/razorpay/signatures.ts'
import { Crash, type HistoryProvider } from './history-provider.ts'
import { checkPayment, type ModelPayment } from './model-payments.ts'
import type { Model } from './model.ts'
import type { PaymentStep } from './payment-steps.ts'
import type { Place } from './worker.ts'

type StepOf<D extends PaymentStep['does']> = Extract<PaymentStep, { does: D }>

/** Drives the online payments of one account: its payers, the provider, and the product's checks. */
export class LanePayments {
	readonly #context: AppContext
	readonly #place: Place
	readonly #model: Model
	/** True while a notification within a transaction crashes the product. */
	#crashes = false

	constructor(context: AppContext, place: Place, model: Model) {
		const notify: AppContext['notify'] = async (...given) => {
			if (this.#crashes) throw new Crash()
			await context.notify(...given)
		}
		this.#context = { ...context, notify }
		this.#place = place
		this.#model = model
	}

	async run(step: PaymentStep): Promise<void> {
		if (step.does === 'begin') return this.#begin(step)
		const payment = this.#model.payments.at(-1 - step.payment)
		if (!payment) return
		if (step.does === 'check') return this.#check(payment, step)
		const link = this.#provider.linkOf(payment.reference)
		if (!link) return
		if (step.does === 'webhook') return this.#receive(link, step)
		if (step.does === 'return') return this.#return({ payment, link }, step)
		return this.#act(link, step)
	}

	/** Applies a check of all payments that wait for one. */
	checkAll(): void {
		for (const payment of this.#model.payments) this.#applyCheck(payment)
	}

	get #provider(): HistoryProvider {
		return this.#context.paymentProvider as HistoryProvider
	}

	async #begin({ paise, fault, isRepeated }: StepOf<'begin'>): Promise<void> {
		if (!this.#model.isInUse) return
		const { accountId, userId } = this.#place
		const requestId = randomUUID()
		const wanted = { userId: Number(userId), creditPaise: paise, requestId, back: undefined }
		this.#provider.failCreation(accountId, fault)
		for (let times = isRepeated ? 2 : 1; times > 0; times--)
			await beginPayment(this.#context, accountId, wanted).catch((error: unknown) => {
				if (!isProblem(error, 'payment_provider_silent')) throw error
			})
		const made = await findByRequest(this.#context.db, accountId, requestId)
		assert.ok(made)
		const { id, reference, creditPaise, cgstPaise, sgstPaise, igstPaise } = made
		const amounts = { creditPaise, cgstPaise, sgstPaise, igstPaise }
		this.#model.payments.push({ id, reference, amounts, creditedPart: null, refundedPaise: 0 })
	}

	/** Lets payer, bank or merchant act at the provider, without a message to the product. */
	#act(link: PaymentLink, step: StepOf<'pay' | 'cancel' | 'expire' | 'refund' | 'lose dispute'>): void {
		const { payments } = this.#provider
		const paid = payments.store.paymentsOf(link)
		if (step.does === 'pay') {
			payLink(payments, link, { method: 'upi', amount: step.otherPaise ?? undefined, currency: step.currency })
			return
		}
		if (step.does === 'expire') return expireLink(payments, link)
		if (step.does === 'cancel' && link.status === 'created') return cancelLink(payments, link)
		if (step.does === 'cancel') return
		const payment = step.does === 'refund' ? paid[step.tenths % Math.max(1, paid.length)] : paid[0]
		if (payment) giveBack(payments, payment, step)
	}

	async #receive(link: PaymentLink, { isForged, times }: StepOf<'webhook'>): Promise<void> {
		const body = Buffer.from(JSON.stringify(this.#eventOf(link)))
		const secret = isForged ? DEFAULT_MERCHANT.key_secret : DEFAULT_MERCHANT.webhook_secret
		const headers = { 'x-razorpay-signature': hexHmac(secret, body) }
		for (let time = 0; time < times; time++) {
			const url = `${this.#context.env.PUBLIC_URL}${WEBHOOK_PATH}`
			const { status } = await fetch(url, { method: 'POST', headers, body })
			assert.equal(status, isForged ? 401 : 200)
		}
	}

	/** Returns the latest event about a link. */
	#eventOf(link: PaymentLink): unknown {
		const { store } = this.#provider.payments
		const payment = store.paymentsOf(link).at(-1)
		const dispute = payment && store.disputeOf(payment.id)
		if (dispute) return { event: 'payment.dispute.lost', payload: { dispute: { entity: disputeShape(dispute) } } }
		const entity = payment && { entity: paymentShape(payment) }
		if (payment && payment.amount_refunded > 0) return { event: 'refund.processed', payload: { payment: entity } }
		const payload = { payment_link: { entity: linkShape(link) }, ...(entity && { payment: entity }) }
		return { event: `payment_link.${link.status}`, payload }
	}

	async #return(
		{ payment, link }: { payment: ModelPayment; link: PaymentLink },
		{ isForged, ofNext }: StepOf<'return'>,
	): Promise<void> {
		const { store } = this.#provider.payments
		const paid = store.paymentsOf(link).at(-1)
		const merchant = { ...DEFAULT_MERCHANT, ...(isForged && { key_secret: 'guess' }) }
		const query = new URL(returnUrl(link, paid?.id ?? '', merchant) ?? '').searchParams
		const body = Object.fromEntries(query) as ReturnBody
		const at = this.#model.payments.indexOf(payment)
		const to = ofNext ? this.#model.payments[at + 1] : payment
		if (!to) return
		const stored = await findPayment(this.#context.db, this.#place.accountId, to.id)
		assert.ok(stored)
		assert.equal(await acceptReturn(this.#context, stored, body), !isForged && to === payment)
	}

	async #check(payment: ModelPayment, { fault }: StepOf<'check'>): Promise<void> {
		if (fault === 'overtaken') return this.#checkOvertaken(payment)
		const { accountId } = this.#place
		const { id } = payment
		const claim = await this.#claim(id)
		const check = () => settlePayment(this.#context, accountId, { id, claim })
		this.#provider.failReads(accountId, fault)
		this.#crashes = fault === 'crash in transaction'
		const checks = fault === 'at once' ? [check(), check()] : [check()]
		const results = await Promise.allSettled(checks)
		this.#crashes = false
		this.#provider.failReads(accountId, 'none')
		const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
		const mayFail = fault !== 'none' && fault !== 'at once'
		for (const error of errors) if (!mayFail) throw error
		if (errors.length === 0 && fault !== 'silent' && fault !== 'crash after answer') this.#applyCheck(payment)
	}

	/** Runs a check whose reading is applied after a refund has happened and has been checked. */
	async #checkOvertaken(payment: ModelPayment): Promise<void> {
		const { accountId } = this.#place
		const { id, reference } = payment
		const link = this.#provider.linkOf(reference)
		const paid = link && this.#provider.payments.store.paymentsOf(link)[0]
		if (!paid) return
		const { read, answer } = this.#provider.delayNextRead(accountId)
		const claim = await this.#claim(id)
		const overtaken = settlePayment(this.#context, accountId, { id, claim })
		await read
		giveBack(this.#provider.payments, paid, { kind: 'payment', does: 'refund', payment: 0, tenths: 3 })
		await settlePayment(this.#context, accountId, { id, claim: await this.#claim(id) })
		answer()
		await overtaken
		this.#applyCheck(payment)
	}

	/** Claims the next check of a payment, as if its time had come. */
	async #claim(id: number): Promise<Claim> {
		const { db } = this.#context
		const { accountId } = this.#place
		await db`update payments set check_at = now() where account_id = ${accountId} and id = ${id} and check_at is not null`
		const claim = await claimCheck(db, accountId, { id, minSeconds: 60, maxSeconds: 60 })
		assert.ok(claim, 'a payment that may still change is checked again')
		return claim
	}

	#applyCheck(payment: ModelPayment): void {
		const link = this.#provider.linkOf(payment.reference)
		if (link) checkPayment(this.#model, payment, this.#provider.partsOf(link))
	}
}

function giveBack(
	payments: HistoryProvider['payments'],
	payment: Payment,
	step: StepOf<'refund' | 'lose dispute'>,
): void {
	try {
		if (step.does === 'refund') refundPayment(payments, payment, Math.ceil((payment.amount * step.tenths) / 10))
		if (step.does === 'lose dispute') disputePayment(payments, payment, { status: 'lost' })
	} catch (error) {
		// Razorpay refuses to refund more than was paid.
		if (!(error instanceof RazorpayError)) throw error
	}
}
