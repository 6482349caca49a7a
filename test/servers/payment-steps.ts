import assert from 'node:assert/strict'
import { notifications } from '#features/notifications/contract.ts'
import { payments } from '#features/payments/contract.ts'
import { checkDuePayments } from '#features/payments/server/poll.ts'
import { reconcilePayments } from '#features/payments/server/reconciliation-queries.ts'
import { wallet } from '#features/wallet/contract.ts'
import { reconcileWallet } from '#features/wallet/server/reconciliation.ts'
import type { TestAccount } from '../factories.ts'
import type { TestApp } from '../http-app.ts'
import { FakeProvider } from './fake-provider.ts'

/** Returns steps with online payments at a provider in memory, which the app uses from now on. */
export function payAt(app: TestApp) {
	const { db } = app.context
	const provider = new FakeProvider()
	app.context.paymentProvider = provider
	let forms = 0

	/** Begins a payment of ₹1,000, and returns it. */
	async function begin(person: TestAccount, given: { amount?: number; requestId?: string } = {}) {
		const body = { amount: 1000, requestId: `form-${++forms}-of-payments`, ...given }
		const { status, body: answer } = await app.call(payments.create, { body }, person)
		assert.equal(status, 200, String(answer.message))
		return answer.payment
	}

	async function read(person: TestAccount, { _id }: { _id: string }) {
		return (await app.call(payments.one, { params: { paymentId: _id } }, person)).body.payment
	}

	/** Sends a webhook about a payment. Returns the status of the answer. */
	async function deliver(subject: object, signature: string = FakeProvider.VALID): Promise<number> {
		const headers = { 'content-type': 'application/json', 'x-razorpay-signature': signature }
		const body = JSON.stringify({ event: 'payment_link.paid', reference: null, providerPaymentId: null, ...subject })
		return (await fetch(`${app.url}/api/webhooks/razorpay`, { method: 'POST', headers, body })).status
	}

	function sendReturn(person: TestAccount, { _id }: { _id: string }, given: { reference: string; signature?: string }) {
		const body = {
			razorpay_payment_id: 'pay_1',
			razorpay_payment_link_id: 'plink_1',
			razorpay_payment_link_reference_id: given.reference,
			razorpay_payment_link_status: 'paid',
			razorpay_signature: given.signature ?? FakeProvider.VALID,
		}
		return app.call(payments.returned, { params: { paymentId: _id }, body }, person)
	}

	/** Makes the check of a payment due, as its interval does. */
	async function makeDue({ _id }: { _id: string }): Promise<void> {
		await db`update payments set check_at = now() where id = ${_id}`
	}

	const checkDue = () => checkDuePayments(app.context)

	async function checkNow(payment: { _id: string }): Promise<void> {
		await makeDue(payment)
		await checkDue()
	}

	async function balanceOf(person: TestAccount) {
		const { walletBalance, onHold, owed } = (await app.call(wallet.balance, {}, person)).body
		return { walletBalance, onHold, owed }
	}

	async function textsOf(person: { token: string }): Promise<string[]> {
		const { body } = await app.call(notifications.list, { query: { page: 1 } }, person)
		return body.notifications.map(({ text }) => text)
	}

	/** Returns the cause of a payment's credit, and the number of its recharges and of its receipts. */
	async function creditsOf({ _id }: { _id: string }) {
		const [row] = await db<{ creditedBy: string | null; entries: number; receipts: number }[]>`
			select p.credited_by as "creditedBy",
				(select count(*) from ledger_entries e where e.account_id = p.account_id and e.reference = 'payment:' || p.id)::int as entries,
				(select count(*) from receipts r join ledger_entries e on e.id = r.entry_id and e.account_id = r.account_id
					where r.account_id = p.account_id and e.reference = 'payment:' || p.id)::int as receipts
			from payments p where id = ${_id}
		`
		return row
	}

	async function assertSound({ accountId }: TestAccount): Promise<void> {
		assert.deepEqual(await reconcileWallet(db, accountId, { since: null }), [])
		assert.deepEqual(await reconcilePayments(db, accountId), [])
	}

	const reading = { read, balanceOf, textsOf, creditsOf, assertSound }
	return { provider, begin, deliver, sendReturn, makeDue, checkDue, checkNow, ...reading }
}
