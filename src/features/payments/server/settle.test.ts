import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#lib/durations.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { payAt } from '#test/servers/payment-steps.ts'
import { claimCheck, listDueAllAccounts } from './check-queries.ts'
import { settlePayment } from './settle.ts'

const app = await launchTestApp()
const { db } = app.context
// Admins are notified of faults.
await app.signIn('admin')
const steps = payAt(app)
const { provider, begin, deliver, sendReturn, makeDue, checkDue, checkNow } = steps
const { read, balanceOf, textsOf, creditsOf, assertSound } = steps

/** Returns the entries of the audit trail about a payment. */
async function actionsOn({ reference }: { reference: string }): Promise<string[]> {
	const rows = await db<{ text: string }[]>`
		select action || ': ' || details as text from admin_actions where strpos(details, ${reference}) > 0 order by id
	`
	return rows.map(({ text }) => text)
}

/** Returns the number of notifications that admins got about a payment. */
async function countForAdmins({ reference }: { reference: string }): Promise<number> {
	const [row] = await db<[{ found: number }]>`
		select count(*)::int as found from notifications where strpos(text, ${reference}) > 0
	`
	return row.found
}

test('a paid payment is credited once with receipt, notification and audit entry, by webhook, return or poll', async () => {
	const causes = {
		webhook: (_: TestAccount, payment: { _id: string; reference: string }) => deliver({ reference: payment.reference }),
		return: (person: TestAccount, payment: { _id: string; reference: string }) => sendReturn(person, payment, payment),
		poll: (_: TestAccount, payment: { _id: string }) => makeDue(payment),
	}
	for (const [cause, ask] of Object.entries(causes)) {
		const person = await account(app.context)
		const payment = await begin(person)
		await ask(person, payment)
		await checkDue()
		assert.equal((await read(person, payment)).state, 'created', cause)
		provider.pay(payment.reference)
		await ask(person, payment)
		await checkDue()
		// Repeated and late messages change nothing.
		await deliver({ reference: payment.reference })
		await checkDue()
		await sendReturn(person, payment, payment)
		await checkDue()
		const paid = await read(person, payment)
		assert.deepEqual([paid.state, paid.method, paid.url, paid.problem], ['paid', 'upi', null, null])
		assert.equal(typeof paid.receiptId, 'string')
		assert.deepEqual(await creditsOf(payment), { creditedBy: cause, entries: 1, receipts: 1 })
		assert.deepEqual(await balanceOf(person), { walletBalance: 1000, onHold: 0, owed: 0 })
		assert.equal((await textsOf(person)).filter((text) => text.includes('recharged with ₹1,000.00')).length, 1)
		assert.deepEqual(await actionsOn(payment), [`payment-credited: ₹1,000.00, ${payment.reference}`])
		await assertSound(person)
	}
})

test('settlePayment credits once when twenty checks of the same payment run at once', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference)
	const id = Number(payment._id)
	await makeDue(payment)
	const claim = await claimCheck(db, person.accountId, { id, minSeconds: 60, maxSeconds: 60 })
	assert.ok(claim)
	assert.equal(await claimCheck(db, person.accountId, { id, minSeconds: 60, maxSeconds: 60 }), undefined)
	await Promise.all(Array.from({ length: 20 }, () => settlePayment(app.context, person.accountId, { id, claim })))
	assert.deepEqual(await creditsOf(payment), { creditedBy: 'poll', entries: 1, receipts: 1 })
	assert.equal((await balanceOf(person)).walletBalance, 1000)
})

test('a webhook that comes during a check leads to another check', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.onRead = async () => {
		provider.onRead = async () => {}
		await deliver({ reference: payment.reference })
	}
	await checkNow(payment)
	assert.equal((await read(person, payment)).state, 'created')
	provider.pay(payment.reference)
	await checkDue()
	assert.deepEqual(await creditsOf(payment), { creditedBy: 'webhook', entries: 1, receipts: 1 })
})

test('a check whose reading was overtaken by a refund leaves the refund taken back, and is repeated', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const part = provider.pay(payment.reference)
	await checkNow(payment)
	await makeDue(payment)
	const limits = { minSeconds: 60, maxSeconds: 60 }
	const id = Number(payment._id)
	const claim = await claimCheck(db, person.accountId, { id, ...limits })
	assert.ok(claim)
	const [answered, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
	provider.afterRead = async () => {
		provider.afterRead = async () => {}
		answered.resolve()
		await answer.promise
	}
	const overtaken = settlePayment(app.context, person.accountId, { id, claim })
	await answered.promise
	part.refundedPaise = 40_000
	await checkNow(payment)
	answer.resolve()
	await overtaken
	assert.equal((await balanceOf(person)).walletBalance, 600)
	await checkDue()
	assert.equal((await balanceOf(person)).walletBalance, 600)
	await assertSound(person)
})

test('a check is repeated after the provider did not answer, and after its transaction failed', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference)
	const errors = app.context.paymentCounters.providerErrors
	provider.isSilent = true
	await checkNow(payment)
	provider.isSilent = false
	assert.equal(app.context.paymentCounters.providerErrors, errors + 1)
	const { notify } = app.context
	app.context.notify = () => Promise.reject(new Error('crash before the commit'))
	await checkNow(payment)
	app.context.notify = notify
	assert.deepEqual(await creditsOf(payment), { creditedBy: null, entries: 0, receipts: 0 })
	await checkNow(payment)
	assert.deepEqual(await creditsOf(payment), { creditedBy: 'poll', entries: 1, receipts: 1 })
	await assertSound(person)
})

test('a payment of another amount or currency credits nothing, and is shown to user and admins until it has gone back', async () => {
	for (const [fault, part] of [
		['amount', { paise: 99_999 }],
		['amount', { paise: 1 }],
		['currency', { currency: 'USD' }],
	] as const) {
		const person = await account(app.context)
		const payment = await begin(person)
		const paid = provider.pay(payment.reference, part)
		await checkNow(payment)
		await checkNow(payment)
		const row = await read(person, payment)
		assert.deepEqual([row.state, row.problem, row.receiptId], ['paid', fault, null])
		assert.deepEqual(await creditsOf(payment), { creditedBy: null, entries: 0, receipts: 0 })
		assert.equal((await balanceOf(person)).walletBalance, 0)
		assert.equal((await textsOf(person)).filter((text) => text.includes(`another ${fault}`)).length, 1)
		assert.equal(await countForAdmins(payment), 1)
		paid.refundedPaise = paid.paise
		await checkNow(payment)
		const after = await read(person, payment)
		assert.deepEqual([after.state, after.problem, after.refunded], ['refunded', null, 1000])
		await assertSound(person)
	}
})

test('a payment that was paid twice is credited once, and its fault ends when the second part has gone back', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference)
	await checkNow(payment)
	const second = provider.pay(payment.reference)
	await checkNow(payment)
	assert.equal((await read(person, payment)).problem, 'paid-twice')
	assert.equal((await balanceOf(person)).walletBalance, 1000)
	second.refundedPaise = second.paise
	await checkNow(payment)
	const row = await read(person, payment)
	assert.deepEqual([row.state, row.problem, row.refunded], ['paid', null, 0])
	await assertSound(person)
	assert.equal((await balanceOf(person)).walletBalance, 1000)
})

test('an expired payment is shown as such, and credited when the bank confirms it later', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const page = provider.pages.get(payment.reference)
	assert.ok(page)
	page.state = 'expired'
	await checkNow(payment)
	const expired = await read(person, payment)
	assert.deepEqual([expired.state, expired.url], ['expired', null])
	provider.pay(payment.reference)
	await checkNow(payment)
	assert.equal((await read(person, payment)).state, 'paid')
	assert.equal((await balanceOf(person)).walletBalance, 1000)
})

test('a daily check reads a payment of the last six days, and later every 30 days, with a fault, or when something went back', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	const part = provider.pay(payment.reference)
	const readsOf = async () => {
		const before = provider.reads
		await checkNow(payment)
		return provider.reads - before
	}
	const nextCheck = async () => {
		const [row] = await db<[{ hours: number | null }]>`
			select round(extract(epoch from check_at - now()) / 3600)::int as hours from payments where id = ${payment._id}
		`
		return row.hours
	}
	const setAge = (days: number) => {
		const at = new Date(Date.now() - days * DAY_MS)
		return db`update payments set created_at = ${at}, paid_at = ${at} where id = ${payment._id}`
	}
	assert.deepEqual([await readsOf(), await readsOf()], [1, 1])
	await setAge(30)
	assert.equal(await readsOf(), 1)
	await setAge(7)
	assert.deepEqual([await readsOf(), await nextCheck()], [0, 24])
	await deliver({ reference: payment.reference })
	const before = provider.reads
	await checkDue()
	assert.equal(provider.reads, before + 1)
	part.refundedPaise = 40_000
	assert.deepEqual([await readsOf(), await readsOf()], [1, 1])
	assert.equal((await balanceOf(person)).walletBalance, 600)
	part.refundedPaise = 0
	provider.pay(payment.reference)
	assert.equal(await readsOf(), 1)
	assert.equal((await read(person, payment)).problem, 'paid-twice')
	assert.equal(await readsOf(), 1)
	await assertSound(person)
})

test('a check that the provider does not answer is repeated at growing intervals, daily at last, and given up after 210 days', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference)
	await checkNow(payment)
	provider.isSilent = true
	const nextCheck = async (days: number) => {
		await db`update payments set created_at = now() - make_interval(days => ${days}) where id = ${payment._id}`
		await checkNow(payment)
		const [row] = await db<[{ hours: number | null }]>`
			select round(extract(epoch from check_at - now()) / 3600)::int as hours from payments where id = ${payment._id}
		`
		return row.hours
	}
	await db`update payments set fault = 'paid-twice' where id = ${payment._id}`
	assert.deepEqual([await nextCheck(2), await nextCheck(209), await nextCheck(211)], [6, 24, null])
	provider.isSilent = false
})

test('listDueAllAccounts lists daily checks after those that follow a webhook or an open page', async () => {
	const person = await account(app.context)
	const [daily, open, refunded] = [await begin(person), await begin(person), await begin(person)]
	for (const payment of [daily, refunded]) provider.pay(payment.reference)
	for (const payment of [daily, refunded]) await checkNow(payment)
	await db`update payments set check_at = now() - interval '1 day' where id = ${daily._id}`
	await db`update payments set check_at = now() - interval '1 minute' where id = ${open._id}`
	await deliver({ reference: refunded.reference })
	const due = await listDueAllAccounts(db, 3)
	assert.deepEqual(
		due.map(({ id }) => String(id)),
		[open._id, refunded._id, daily._id],
	)
	await checkDue()
})

test('a signed return of a credited payment asks for no further check', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference)
	await checkNow(payment)
	const before = provider.reads
	assert.equal((await sendReturn(person, payment, payment)).body.payment.state, 'paid')
	await checkDue()
	assert.equal(provider.reads, before)
})
