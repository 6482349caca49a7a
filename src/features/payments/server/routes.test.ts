import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payments } from '#features/payments/contract.ts'
import { account } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { FakeProvider } from '#test/servers/fake-provider.ts'
import { payAt } from '#test/servers/payment-steps.ts'

const app = await launchTestApp()
const { db } = app.context
const { provider, begin, deliver, sendReturn, checkDue, checkNow, read } = payAt(app)

test('payments.create answers with the page, and with the same payment for a repeated form', async () => {
	const person = await account(app.context)
	const first = await begin(person, { requestId: 'repeated-form' })
	assert.deepEqual([first.state, first.amount, first.total, first.receiptId], ['created', 1000, 1000, null])
	assert.match(first.url ?? '', /^https:\/\/pay\.example\/plink_/)
	assert.equal(provider.pages.get(first.reference)?.returnUrl, `${app.url}/user/payment/${first._id}`)
	assert.deepEqual(await begin(person, { requestId: 'repeated-form' }), first)
	const body = { amount: 2000, requestId: 'repeated-form' }
	const other = await app.call(payments.create, { body }, person)
	assert.equal(other.status, 409)
	assert.match(other.body.message ?? '', /already begun a payment of ₹1,000\.00/)
})

test('payments.create returns 400 for an amount outside the limits, which it names, and for a path that leads elsewhere', async () => {
	const person = await account(app.context)
	for (const amount of [99.99, 100_000.01]) {
		const { status, body } = await app.call(payments.create, { body: { amount, requestId: 'outside-limits' } }, person)
		assert.deepEqual([status, body.message], [400, 'Enter an amount from ₹100.00 to ₹1,00,000.00'])
	}
	for (const back of ['//evil.example', 'https://evil.example', '/admin/manage/users', '/user/../x y'])
		assert.equal(
			(await app.call(payments.create, { body: { amount: 100, requestId: 'wrong-back-path', back } }, person)).status,
			400,
			back,
		)
})

test('all calls return 404 without a provider, except the list of earlier payments', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	app.context.paymentProvider = null
	try {
		const body = { amount: 100, requestId: 'without-provider' }
		assert.equal((await app.call(payments.options, {}, person)).status, 404)
		assert.equal((await app.call(payments.create, { body }, person)).status, 404)
		assert.equal((await sendReturn(person, payment, payment)).status, 404)
		assert.equal(await deliver({ reference: payment.reference }), 404)
		assert.equal((await app.call(payments.list, { query: { page: 1, limit: 10 } }, person)).body.total, 1)
	} finally {
		app.context.paymentProvider = provider
	}
})

test('the webhook returns 401 and changes nothing without a valid signature, and 200 for an unknown payment', async () => {
	const person = await account(app.context)
	const payment = await begin(person)
	provider.pay(payment.reference)
	await db`update payments set check_at = now() + interval '1 hour' where id = ${payment._id}`
	const refused = app.context.paymentCounters.webhooksRefused
	for (const signature of ['', 'b'.repeat(64), FakeProvider.VALID.slice(1), 'A'.repeat(64)])
		assert.equal(await deliver({ reference: payment.reference }, signature), 401)
	assert.equal(app.context.paymentCounters.webhooksRefused, refused + 4)
	await checkDue()
	assert.equal((await read(person, payment)).state, 'created')
	for (const subject of [
		{ reference: '1-unknown' },
		{ reference: 'no account' },
		{ reference: '999999999999999999999-x' },
		{ providerPaymentId: 'pay_unknown' },
		{},
	])
		assert.equal(await deliver(subject), 200)
})

test('payments.returned returns 400 for a wrong signature and for the return of another payment', async () => {
	const [person, other] = [await account(app.context), await account(app.context)]
	const [payment, theirs] = [await begin(person), await begin(other)]
	provider.pay(theirs.reference)
	assert.equal((await sendReturn(person, payment, { ...payment, signature: 'b'.repeat(64) })).status, 400)
	const foreign = await sendReturn(person, payment, theirs)
	assert.equal(foreign.status, 400)
	assert.match(foreign.body.message ?? '', /your money is added as soon as the payment is confirmed/)
	assert.equal((await sendReturn(person, theirs, theirs)).status, 404)
	await checkDue()
	assert.equal((await read(person, payment)).state, 'created')
})

test('an interrupted creation is completed by a repetition or by the poll, and given up when no page was made', async () => {
	const person = await account(app.context)
	provider.creation = 'fails'
	const body = { amount: 500, requestId: 'interrupted-form' }
	const silent = await app.call(payments.create, { body }, person)
	assert.equal(silent.status, 502)
	assert.match(silent.body.message ?? '', /Nothing was charged/)
	provider.creation = 'works'
	assert.match((await begin(person, body)).url ?? '', /plink/)

	provider.creation = 'answer-lost'
	await app.call(payments.create, { body: { amount: 600, requestId: 'lost-answer-form' } }, person)
	provider.creation = 'fails'
	await app.call(payments.create, { body: { amount: 700, requestId: 'never-made-form' } }, person)
	provider.creation = 'works'
	const list = (await app.call(payments.list, { query: { page: 1, limit: 10 } }, person)).body.payments
	const [never, lost] = list
	assert.ok(never && lost && list.length === 3)
	assert.equal(lost.url, null)
	await checkNow(lost)
	assert.match((await read(person, lost)).url ?? '', /plink/)
	await checkNow(never)
	assert.equal((await read(person, never)).state, 'created')
	await db`update payments set created_at = now() - interval '31 minutes' where id = ${never._id}`
	await checkNow(never)
	assert.equal((await read(person, never)).state, 'cancelled')
})

test('another account sees neither a payment nor its list entry', async () => {
	const [person, other] = [await account(app.context), await account(app.context)]
	const payment = await begin(person)
	assert.equal((await app.call(payments.one, { params: { paymentId: payment._id } }, other)).status, 404)
	assert.equal((await app.call(payments.list, { query: { page: 1, limit: 10 } }, other)).body.total, 0)
})
