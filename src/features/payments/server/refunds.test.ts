import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallet } from '#features/wallet/contract.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { collectOwed, owedRefusal } from '#features/wallet/server/owed.ts'
import { transaction } from '#lib/server/db.ts'
import { account, campaignRow, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { payAt } from '#test/servers/payment-steps.ts'

const app = await launchTestApp()
const { db } = app.context
const admin = await app.signIn('admin')
const steps = payAt(app)
const { provider, begin, deliver, checkDue, checkNow, read, balanceOf, textsOf, assertSound } = steps

/** Spends this amount for good. */
async function spend(person: TestAccount, paise: number): Promise<void> {
	const campaignId = await campaignRow(db, person.accountId)
	const reference = `spent:${campaignId}`
	await transaction(db, async (sql) => {
		const posting = { paise, campaignId, messageCount: 1 }
		await post(sql, person.accountId, { kind: 'hold', reference, ...posting })
		await post(sql, person.accountId, { kind: 'capture', reference: `${reference}:c`, ...posting })
	})
}

test('a refund takes its share of the credit back, and a failed refund returns it', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	await db`update payments set igst_paise = 18000, gst_percent = 18 where id = ${payment._id}`
	const page = provider.pages.get(payment.reference)
	assert.ok(page)
	page.totalPaise = 118_000
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	part.refundedPaise = 59_001
	await deliver({ event: 'refund.processed', providerPaymentId: part.providerPaymentId })
	await checkDue()
	// 1,00,000 × 59,001 ÷ 1,18,000 = 50,000.8 paise, rounded down.
	assert.deepEqual(await balanceOf(person), { walletBalance: 500, onHold: 0, owed: 0 })
	const partly = await read(person, payment)
	assert.deepEqual([partly.state, partly.refunded, partly.total], ['paid', 590.01, 1180])
	assert.ok((await textsOf(person)).some((text) => text.includes('was refunded: ₹500.00 was taken from your wallet')))
	await assertSound(person)
	part.refundedPaise = 0
	await checkNow(payment)
	assert.equal((await balanceOf(person)).walletBalance, 1000)
	part.refundedPaise = 118_000
	await checkNow(payment)
	assert.equal((await read(person, payment)).state, 'refunded')
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 0 })
	await assertSound(person)
})

test('an exact payment is credited once after one of another amount was refunded on the same page', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference, { paise: 5_000, refundedPaise: 5_000 })
	await checkNow(payment)
	assert.equal((await read(person, payment)).state, 'refunded')
	provider.pay(payment.reference)
	await checkNow(payment)
	assert.deepEqual(await balanceOf(person), { walletBalance: 1000, onHold: 0, owed: 0 })
	await assertSound(person)
})

test('what the wallet cannot pay of a lost dispute is owed, refuses orders, and is settled by the next recharges', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	await spend(person, 70_000)
	part.lostPaise = part.paise
	await deliver({ event: 'payment.dispute.lost', providerPaymentId: part.providerPaymentId })
	await checkDue()
	assert.equal((await read(person, payment)).state, 'disputed')
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 700 })
	assert.ok(
		(await textsOf(person)).some((text) => text.includes('disputed: ₹300.00') && text.includes('₹700.00 is owed')),
	)
	assert.match((await owedRefusal(db, person.accountId))?.message ?? '', /^₹700\.00 of a refunded payment is owed/)
	await assertSound(person)

	const recharge = (amount: number) =>
		app.call(
			wallet.recharge,
			{ params: { userId: person.userId }, body: { amount, requestId: `settles-${amount}` } },
			admin,
		)
	assert.equal((await recharge(500)).body.newBalance, 0)
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 200 })
	const next = await begin(person)
	provider.pay(next.reference)
	await checkNow(next)
	assert.deepEqual(await balanceOf(person), { walletBalance: 800, onHold: 0, owed: 0 })
	assert.equal((await recharge(500)).body.newBalance, 0)
	assert.equal(await owedRefusal(db, person.accountId), null)
	await assertSound(person)
})

test('collectOwed settles what is owed from money that came back from a hold', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	const campaignId = await campaignRow(db, person.accountId)
	const posting = { paise: 60_000, campaignId, messageCount: 600 }
	await post(db, person.accountId, { kind: 'hold', reference: 'hold', ...posting })
	part.refundedPaise = part.paise
	await checkNow(payment)
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 600, owed: 600 })
	await collectOwed(app.context)
	await post(db, person.accountId, { kind: 'release', reference: 'release', ...posting })
	await collectOwed(app.context)
	await collectOwed(app.context)
	assert.deepEqual(await balanceOf(person), { walletBalance: 0, onHold: 0, owed: 0 })
})
