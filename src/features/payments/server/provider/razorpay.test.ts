import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { DAY_MS, MINUTE_MS } from '#lib/durations.ts'
import { DEFAULT_MERCHANT } from '#simulator/razorpay/merchant.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { startReceiver } from '#simulator/webhook-receiver.ts'
import { ProviderError } from './provider.ts'
import { createRazorpay } from './razorpay.ts'

const { key_id: keyId, key_secret: keySecret, webhook_secret: webhookSecret } = DEFAULT_MERCHANT
const sign = (text: string) => createHmac('sha256', webhookSecret).update(text).digest('hex')
const PAGE = {
	reference: '7-abc',
	totalPaise: 118_000,
	description: 'Recharge',
	returnUrl: 'https://shop.example/user/payment/1',
}

async function start(t: TestContext) {
	const [simulator, receiver] = await Promise.all([startSimulator(), startReceiver()])
	const { url, control } = simulator
	await control.setMerchant({ webhook_url: receiver.url })
	const razorpay = createRazorpay({ url, keyId, keySecret, webhookSecret })
	t.after(() => Promise.all([razorpay.close(), simulator.close(), receiver.close()]))
	const create = (reference = PAGE.reference) =>
		razorpay.createPayment({ ...PAGE, reference, expiresAt: new Date(Date.now() + DAY_MS) })
	const read = (reference = PAGE.reference, isRoutine = false) =>
		razorpay.readPayment({ reference, providerId: null, isRoutine })
	return { url, control, receiver, razorpay, create, read }
}

test('createPayment returns the page of an earlier attempt whose answer was lost, also when its reference is not filtered', async (t) => {
	const { control, create, read } = await start(t)
	await control.addFault({ call: 'razorpay.create', kind: 'drop', accepted: true, times: 1 })
	const page = await create()
	assert.match(page.url, /\/pay\/plink_\w+$/)
	assert.deepEqual(await create(), page)
	await control.setMerchant({ reference_filter: 'ignored' })
	await create('7-other')
	assert.deepEqual(await create(), page)
	assert.equal((await control.paymentLinks()).length, 2)
	const reading = await read()
	assert.deepEqual(reading, { ...page, reference: '7-abc', state: 'created', parts: [] })
})

test('createPayment throws a ProviderError with the status of a refusal, and a wrong key reads nothing', async (t) => {
	const { url, control, create } = await start(t)
	for (const status of [429, 500]) {
		await control.addFault({ call: 'razorpay.create', kind: 'error', code: 0, status, times: 1 })
		await assert.rejects(create(), (error) => error instanceof ProviderError && error.status === status)
	}
	const stranger = createRazorpay({ url, keyId, keySecret: 'wrong', webhookSecret })
	t.after(() => stranger.close())
	await assert.rejects(
		stranger.createPayment({ ...PAGE, expiresAt: new Date() }),
		(error) => error instanceof ProviderError && error.status === 401,
	)
	assert.equal(
		await stranger.readPayment({ reference: 'x', providerId: null, isRoutine: false }).catch(() => 'refused'),
		'refused',
	)
})

test('readPayment returns null for an unknown reference, and the state, parts, refunds and lost disputes of a known one', async (t) => {
	const { control, create, read, razorpay } = await start(t)
	assert.equal(await read(), null)
	const { providerId } = await create()
	await control.expireLink({ reference_id: '7-abc' })
	assert.equal((await read())?.state, 'expired')
	const { payment_id } = await control.payLink({ reference_id: '7-abc' })
	const twice = await control.payLink({ reference_id: '7-abc', amount: 100, currency: 'USD' })
	await control.refundPayment({ payment_id, amount: 18_000 })
	await control.disputePayment({ payment_id, amount: 50_000, status: 'lost' })
	await control.disputePayment({ payment_id: twice.payment_id, status: 'won' })
	const reading = await razorpay.readPayment({ reference: '7-abc', providerId, isRoutine: false })
	assert.equal(reading?.state, 'paid')
	const byId = new Map(reading.parts.map((part) => [part.providerPaymentId, part]))
	assert.equal(byId.size, 2)
	const { paidAt, ...part } = byId.get(payment_id) ?? {}
	assert.ok(paidAt)
	assert.deepEqual(part, {
		providerPaymentId: payment_id,
		paise: 118_000,
		currency: 'INR',
		method: 'upi',
		refundedPaise: 18_000,
		lostPaise: 50_000,
	})
	const other = byId.get(twice.payment_id)
	assert.deepEqual([other?.paise, other?.currency, other?.lostPaise], [100, 'USD', 0])
	await create('7-failed')
	await control.failPayment({ reference_id: '7-failed' })
	assert.deepEqual((await read('7-failed'))?.parts, [])
	await control.cancelLink({ reference_id: '7-failed' })
	assert.equal((await read('7-failed'))?.state, 'cancelled')
})

test('readPayment finds the payment of a link after many failed attempts, and refuses a link with more payments than it reads', async (t) => {
	const { control, create, read } = await start(t)
	const link = { reference_id: PAGE.reference }
	await create()
	for (let attempt = 0; attempt < 25; attempt++) await control.failPayment(link)
	assert.equal((await read())?.state, 'created')
	const { payment_id } = await control.payLink(link)
	assert.deepEqual(
		(await read())?.parts.map((part) => part.providerPaymentId),
		[payment_id],
	)
	for (let more = 0; more < 20; more++) await control.payLink(link)
	await assert.rejects(read(), /has 21 payments, and at most 20 are read/)
})

test('routine readings share one listing of disputes, which a failure ends, and other readings see each dispute at once', async (t) => {
	const { control, create, read } = await start(t)
	const lostOf = async (reference: string, isRoutine: boolean) =>
		(await read(reference, isRoutine))?.parts[0]?.lostPaise
	const references = ['7-one', '7-two', '7-three']
	const ids: string[] = []
	for (const reference of references) {
		await create(reference)
		ids.push((await control.payLink({ reference_id: reference })).payment_id)
	}
	await control.addFault({ call: 'razorpay.disputes', kind: 'error', code: 0, status: 500, times: 1 })
	await assert.rejects(lostOf('7-one', true), ProviderError)
	await control.disputePayment({ payment_id: ids[0] ?? '', status: 'lost' })
	assert.deepEqual(await Promise.all(references.map((reference) => lostOf(reference, true))), [118_000, 0, 0])
	await control.disputePayment({ payment_id: ids[1] ?? '', status: 'lost' })
	assert.equal(await lostOf('7-two', true), 0)
	assert.equal(await lostOf('7-two', false), 118_000)
})

test('verifyWebhook returns the subject of each kind of signed event, and null for another body or signature', async (t) => {
	const { control, receiver, razorpay, create } = await start(t)
	await create()
	const { payment_id } = await control.payLink({ reference_id: '7-abc' })
	await control.refundPayment({ payment_id, amount: 100 })
	await control.disputePayment({ payment_id, status: 'lost' })
	await control.waitIdle()
	const subjects = receiver.deliveries.map(({ text, headers }) => {
		const bytes = Buffer.from(text)
		const signature = String(headers['x-razorpay-signature'])
		assert.equal(razorpay.verifyWebhook(Buffer.concat([bytes, Buffer.from(' ')]), signature), null)
		assert.equal(razorpay.verifyWebhook(bytes, signature.toUpperCase()), null)
		return razorpay.verifyWebhook(bytes, signature)
	})
	const events = new Map(subjects.map((subject) => [subject?.event, subject]))
	assert.deepEqual(events.get('payment_link.paid'), {
		event: 'payment_link.paid',
		reference: '7-abc',
		providerPaymentId: payment_id,
	})
	assert.equal(events.get('refund.processed')?.providerPaymentId, payment_id)
	assert.equal(events.get('payment.dispute.lost')?.providerPaymentId, payment_id)
	for (const text of ['', '[]', 'null', '{"event":1}', '{"payload":', '{"event":"x","payload":{"payment":{}}}'])
		assert.equal(razorpay.verifyWebhook(Buffer.from(text), sign(text))?.providerPaymentId ?? null, null, text)
})

test('verifyReturn is true for the signed address of the page only', async (t) => {
	const { control, razorpay, create } = await start(t)
	await create()
	const { return_url } = await control.payLink({ reference_id: '7-abc' })
	const query = new URL(String(return_url)).searchParams
	const given = (name: string) => query.get(`razorpay_${name}`) ?? ''
	const signed = {
		providerId: given('payment_link_id'),
		reference: given('payment_link_reference_id'),
		status: given('payment_link_status'),
		providerPaymentId: given('payment_id'),
		signature: given('signature'),
	}
	assert.equal(razorpay.verifyReturn(signed), true)
	for (const part of Object.keys(signed) as (keyof typeof signed)[])
		assert.equal(razorpay.verifyReturn({ ...signed, [part]: `${signed[part]}0` }), false, part)
})

/** Starts a provider whose API answers each path as `answerTo` says. */
async function startAt(t: TestContext, answerTo: (path: string) => string) {
	const server = createServer(({ url = '' }, response) => response.end(answerTo(url))).listen(0, '127.0.0.1')
	await new Promise((resolve) => server.once('listening', resolve))
	const { port } = server.address() as AddressInfo
	const razorpay = createRazorpay({ url: `http://127.0.0.1:${port}`, keyId, keySecret, webhookSecret })
	t.after(async () => {
		await razorpay.close()
		server.close()
	})
	return razorpay
}

test('readPayment counts a lost dispute once that another one moved onto the next page of the list', async (t) => {
	const lost = { id: 'disp_lost', payment_id: 'pay_1', amount: 20_000, amount_deducted: 20_000, status: 'lost' }
	const open = Array.from({ length: 99 }, (_, at) => ({
		...lost,
		id: `disp_${at}`,
		payment_id: 'pay_2',
		status: 'open',
	}))
	const link = { id: 'plink_1', reference_id: 'x', short_url: 'https://pay.example', status: 'paid' }
	const payment = { id: 'pay_1', amount: 100_000, currency: 'INR', status: 'captured', created_at: 1_800_000_000 }
	const razorpay = await startAt(t, (path) => {
		if (path.startsWith('/v1/payments/')) return JSON.stringify(payment)
		if (path.startsWith('/v1/payment_links/')) return JSON.stringify({ ...link, payments: [{ payment_id: 'pay_1' }] })
		return JSON.stringify({ items: path.endsWith('skip=0') ? [...open, lost] : [lost] })
	})
	const reading = await razorpay.readPayment({ reference: 'x', providerId: 'plink_1', isRoutine: false })
	assert.equal(reading?.parts[0]?.lostPaise, 20_000)
})

test('isUntouched makes two calls for a thousand payments, and returns false for a refund, for a lost dispute, and when a list is too long', async (t) => {
	const calls: string[] = []
	let isEndless = false
	const item = { amount: 100, amount_deducted: 0, currency: 'INR' }
	const razorpay = await startAt(t, (path) => {
		calls.push(path)
		if (isEndless && path.startsWith('/v1/refunds')) {
			const items = Array.from({ length: 100 }, (_, at) => ({
				...item,
				id: `rfnd_${calls.length}_${at}`,
				payment_id: 'pay_x',
			}))
			return JSON.stringify({ items })
		}
		const items = path.startsWith('/v1/refunds')
			? [{ ...item, id: 'rfnd_1', payment_id: 'pay_1', status: 'processed' }]
			: [
					{ ...item, id: 'disp_1', payment_id: 'pay_2', status: 'lost' },
					{ ...item, id: 'disp_2', payment_id: 'pay_3', status: 'won' },
				]
		return JSON.stringify({ items })
	})
	const isUntouched = (at: number) =>
		razorpay.isUntouched({ providerPaymentId: `pay_${at}`, paidAt: new Date(Date.now() - at * MINUTE_MS) })
	const answers = await Promise.all(Array.from({ length: 1000 }, (_, at) => isUntouched(at)))
	assert.deepEqual(
		answers.flatMap((answer, at) => (answer ? [] : [at])),
		[1, 2],
	)
	assert.equal(calls.length, 2)
	isEndless = true
	const older = { providerPaymentId: 'pay_3', paidAt: new Date(Date.now() - 300 * DAY_MS) }
	assert.equal(await razorpay.isUntouched(older), false)
	assert.equal(calls.length, 2 + 50 + 1)
})

test('readPayment throws a ProviderError for an answer that is too long, no JSON, or of another shape', async (t) => {
	let answer = ''
	const razorpay = await startAt(t, () => answer)
	for (const text of ['', '<html>', 'null', '{"payment_links":{}}', '{"id":1}', `"${'x'.repeat(2_100_000)}"`]) {
		answer = text
		await assert.rejects(
			razorpay.readPayment({ reference: 'x', providerId: null, isRoutine: false }),
			ProviderError,
			text.slice(0, 40),
		)
		await assert.rejects(
			razorpay.readPayment({ reference: 'x', providerId: 'plink_1', isRoutine: false }),
			ProviderError,
		)
	}
})
