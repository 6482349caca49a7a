import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startSimulator } from '../simulator.ts'
import { startReceiver } from '../webhook-receiver.ts'
import { DEFAULT_MERCHANT } from './merchant.ts'

const KEYS = `Basic ${btoa(`${DEFAULT_MERCHANT.key_id}:${DEFAULT_MERCHANT.key_secret}`)}`
const ORDER = {
	amount: 118_000,
	currency: 'INR',
	description: 'Recharge',
	reference_id: '7-abc',
	callback_url: 'https://shop.example/user/payment/1?x=1',
	callback_method: 'get',
}

type Json = Record<string, unknown>

async function startScene(t: TestContext, stateDir?: string) {
	const simulator = await startSimulator(stateDir === undefined ? {} : { stateDir })
	const receiver = await startReceiver()
	t.after(async () => {
		await simulator.close()
		await receiver.close()
	})
	const { url, control } = simulator
	const { webhook_events: chosen } = DEFAULT_MERCHANT
	await control.setMerchant({
		webhook_url: receiver.url,
		webhook_events: [...chosen, 'payment.captured', 'payment.failed'],
	})
	const call = async (method: string, path: string, body?: unknown, authorization = KEYS) => {
		const init = { method, headers: { authorization }, body: body === undefined ? null : JSON.stringify(body) }
		const response = await fetch(`${url}/v1/${path}`, init)
		return { status: response.status, body: (await response.json()) as Json }
	}
	const create = async (given: Json = {}) => (await call('POST', 'payment_links', { ...ORDER, ...given })).body
	const events = () => receiver.deliveries.map(({ text }) => (JSON.parse(text) as { event: string }).event)
	return { url, control, receiver, call, create, events }
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text, 'latin1').digest('hex')
const descriptionOf = (body: Json) => (body['error'] as { description: string }).description

test('a payment link is created, read by its id and by its reference', async (t) => {
	const { url, call, create } = await startScene(t)
	const link = await create()
	assert.match(String(link['id']), /^plink_\w{14}$/)
	assert.equal(link['short_url'], `${url}/pay/${String(link['id'])}`)
	assert.equal(link['status'], 'created')
	const read = await call('GET', `payment_links/${String(link['id'])}`)
	assert.deepEqual([read.status, read.body['amount'], read.body['payments']], [200, 118_000, []])
	await create({ reference_id: '7-other' })
	const found = await call('GET', 'payment_links?reference_id=7-abc')
	const links = found.body['payment_links'] as Json[]
	assert.deepEqual(
		links.map((each) => each['id']),
		[link['id']],
	)
	const all = await call('GET', 'payment_links?count=1&skip=1')
	assert.deepEqual(
		(all.body['payment_links'] as Json[]).map((each) => each['id']),
		[link['id']],
	)
})

test('a call with wrong keys, wrong fields, a used reference or an unknown id is refused in the form of Razorpay', async (t) => {
	const { call, create } = await startScene(t)
	await create()
	const wrongKeys = await call('GET', 'payment_links', undefined, `Basic ${btoa('rzp_test_simulator:guess')}`)
	assert.deepEqual([wrongKeys.status, descriptionOf(wrongKeys.body)], [401, 'Authentication failed'])
	const again = await call('POST', 'payment_links', ORDER)
	assert.equal(again.status, 400)
	assert.match(descriptionOf(again.body), /^payment link with given reference_id: 7-abc already exists/)
	for (const [fields, text] of [
		[{ amount: 99 }, 'amount: amount should be minimum 1.00 for INR.'],
		[{ amount: 0 }, 'amount: cannot be blank.'],
		[{ amount: 100.5 }, 'amount: must be an integer.'],
		[{ currency: 'rupees' }, 'currency: wrong input field.'],
		[{ expire_by: 1 }, 'expire_by: timestamp must be atleast 15 minutes in future, to allow for payment processing.'],
		[{ reference_id: 'x'.repeat(41) }, 'reference_id: the length must be no more than 40.'],
		[{ callback_method: 'post' }, 'callback_method: must be get.'],
	] as const) {
		const refused = await call('POST', 'payment_links', { ...ORDER, reference_id: 'new', ...fields })
		assert.deepEqual([refused.status, descriptionOf(refused.body)], [400, text])
	}
	assert.deepEqual(await call('GET', 'payment_links/plink_none'), { status: 404, body: {} })
	assert.equal((await call('GET', 'payments')).status, 404)
})

test('the page sends a customer who pays back with signed parameters, and signed webhooks arrive', async (t) => {
	const { control, call, create, receiver, events } = await startScene(t)
	const link = await create({ description: '<script>alert(1)</script>' })
	const page = await fetch(String(link['short_url']))
	const html = await page.text()
	assert.match(html, /₹1,180\.00/)
	assert.ok(!html.includes('<script>'))
	const paid = await fetch(String(link['short_url']), {
		method: 'POST',
		body: new URLSearchParams({ choice: 'upi' }),
		redirect: 'manual',
	})
	assert.equal(paid.status, 303)
	const back = new URL(paid.headers.get('location') ?? '')
	const at = (name: string) => back.searchParams.get(`razorpay_${name}`) ?? ''
	assert.deepEqual(
		[back.pathname, back.searchParams.get('x'), at('payment_link_status')],
		['/user/payment/1', '1', 'paid'],
	)
	const signed = [at('payment_link_id'), at('payment_link_reference_id'), at('payment_link_status'), at('payment_id')]
	assert.equal(at('signature'), hmac(DEFAULT_MERCHANT.key_secret, signed.join('|')))

	await control.waitIdle()
	assert.deepEqual(events().toSorted(), ['payment.captured', 'payment_link.paid'])
	for (const { text, headers } of receiver.deliveries)
		assert.equal(headers['x-razorpay-signature'], hmac(DEFAULT_MERCHANT.webhook_secret, text))
	const payment = await call('GET', `payments/${at('payment_id')}`)
	assert.deepEqual(
		[payment.body['status'], payment.body['amount'], payment.body['method']],
		['captured', 118_000, 'upi'],
	)
	const read = await call('GET', `payment_links/${String(link['id'])}`)
	assert.equal((read.body['payments'] as Json[])[0]?.['payment_id'], at('payment_id'))
})

test('the page refuses a second payment, lets a payment fail and cancels a link', async (t) => {
	const { create, call, events, control } = await startScene(t)
	const link = await create()
	const choose = (choice: string) =>
		fetch(String(link['short_url']), { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' })
	assert.match(await (await choose('fail')).text(), /declined/)
	const cancelled = await choose('cancel')
	assert.match(cancelled.headers.get('location') ?? '', /razorpay_payment_id=&.*status=cancelled/)
	assert.match(await (await choose('upi')).text(), /was cancelled/)
	const read = await call('GET', `payment_links/${String(link['id'])}`)
	assert.deepEqual([read.body['status'], read.body['amount_paid']], ['cancelled', 0])
	await control.waitIdle()
	assert.deepEqual(events().toSorted(), ['payment.failed', 'payment_link.cancelled'])
	const unknown = await fetch(`${String(link['short_url'])}x`)
	assert.equal(unknown.status, 404)
})

test('refunds and disputes show in the payment, in the list of disputes and in webhooks', async (t) => {
	const { control, call, create, events } = await startScene(t)
	await create()
	const { payment_id } = await control.payLink({ reference_id: '7-abc' })
	await control.refundPayment({ payment_id, amount: 18_000 })
	const partly = await call('GET', `payments/${payment_id}`)
	assert.deepEqual([partly.body['amount_refunded'], partly.body['refund_status']], [18_000, 'partial'])
	const tooMuch = await call('POST', `payments/${payment_id}/refund`, { amount: 118_000 })
	assert.equal(tooMuch.status, 400)
	await call('POST', `payments/${payment_id}/refund`)
	const whole = await call('GET', `payments/${payment_id}`)
	assert.deepEqual([whole.body['status'], whole.body['refund_status']], ['refunded', 'full'])

	await create({ reference_id: '7-disputed' })
	const disputed = await control.payLink({ reference_id: '7-disputed' })
	await control.disputePayment({ payment_id: disputed.payment_id, status: 'open' })
	await control.disputePayment({ payment_id: disputed.payment_id, status: 'lost' })
	const { body } = await call('GET', 'disputes')
	const [dispute] = body['items'] as Json[]
	assert.deepEqual([dispute?.['payment_id'], dispute?.['amount_deducted']], [disputed.payment_id, 118_000])
	await control.waitIdle()
	const names = events()
	assert.equal(names.filter((name) => name === 'refund.processed').length, 2)
	assert.ok(names.includes('payment.dispute.created') && names.includes('payment.dispute.lost'))
})

test('an expired link can still be paid by a late bank, with another amount or currency, and twice', async (t) => {
	const { control, call, create } = await startScene(t)
	const { id } = await create()
	await control.expireLink({ id: String(id) })
	assert.equal((await call('GET', `payment_links/${String(id)}`)).body['status'], 'expired')
	await control.payLink({ id: String(id), amount: 100 })
	const { payment_id } = await control.payLink({ id: String(id), currency: 'USD' })
	const link = await call('GET', `payment_links/${String(id)}`)
	assert.deepEqual([link.body['status'], (link.body['payments'] as Json[]).length], ['paid', 2])
	assert.equal((await call('GET', `payments/${payment_id}`)).body['currency'], 'USD')
})

test('faults lose, repeat, delay, reorder and forge webhooks, and a resend brings the lost ones', async (t) => {
	const { control, create, events, receiver } = await startScene(t)
	const pay = async (reference_id: string) => {
		await create({ reference_id })
		await control.payLink({ reference_id })
	}
	const fault = (kind: 'silent' | 'webhook-duplicate' | 'webhook-reorder' | 'webhook-wrongly-signed') =>
		control.addFault({ call: 'razorpay.webhook', kind, times: 1 })
	await control.addFault({ call: 'razorpay.webhook', kind: 'silent', times: 2 })
	await pay('lost')
	assert.equal((await control.paymentWebhookStats()).lost, 2)
	assert.deepEqual(await control.resendPaymentEvents(), { sent: 2 })
	await control.waitIdle()
	assert.equal(events().length, 2)
	await fault('webhook-duplicate')
	await control.addFault({ call: 'razorpay.webhook', kind: 'webhook-late', ms: 20, times: 1 })
	await pay('late and twice')
	await control.waitIdle()
	assert.equal(events().length, 5)
	await fault('webhook-reorder')
	await pay('reordered')
	await control.waitIdle()
	assert.equal(events().length, 7)
	await fault('webhook-wrongly-signed')
	await pay('forged')
	await control.waitIdle()
	const forged = receiver.deliveries.filter(
		({ text, headers }) => headers['x-razorpay-signature'] !== hmac(DEFAULT_MERCHANT.webhook_secret, text),
	)
	assert.equal(forged.length, 1)
})

test('only events that the merchant has chosen are sent', async (t) => {
	const { control, create, events } = await startScene(t)
	await control.setMerchant({ webhook_events: ['payment_link.paid'] })
	await create()
	await control.payLink({ reference_id: '7-abc' })
	await control.waitIdle()
	assert.deepEqual(events(), ['payment_link.paid'])
})

test('a webhook that gets no 2xx is sent again', async (t) => {
	const { control, create, receiver } = await startScene(t)
	receiver.answerWith(() => (receiver.deliveries.length === 0 ? 503 : 200))
	await create()
	await control.cancelLink({ reference_id: '7-abc' })
	await control.waitIdle()
	assert.deepEqual(
		receiver.deliveries.map(({ answered }) => answered),
		[503, 200],
	)
})

test('faults of calls take effect before or after the link is created', async (t) => {
	const { control, call, create } = await startScene(t)
	const order = { ...ORDER, reference_id: 'faulty' }
	await control.addFault({ call: 'razorpay.create', kind: 'error', code: 0, status: 429, times: 1 })
	const limited = await call('POST', 'payment_links', order)
	assert.deepEqual([limited.status, descriptionOf(limited.body)], [429, 'Too many requests'])
	await control.addFault({ call: 'razorpay.create', kind: 'drop', accepted: true, times: 1 })
	await assert.rejects(create({ reference_id: 'faulty' }))
	const again = await call('POST', 'payment_links', order)
	assert.match(descriptionOf(again.body), /already exists/)
	await control.addFault({ call: 'razorpay.links', kind: 'break', by: 'reset', after: 'headers', times: 1 })
	await assert.rejects(call('GET', 'payment_links'))
	for (const [reference_filter, found] of [
		['honoured', 1],
		['ignored', 2],
		['empty', 0],
	] as const) {
		await control.setMerchant({ reference_filter })
		await create({ reference_id: 'another' })
		const { body } = await call('GET', 'payment_links?reference_id=faulty')
		assert.equal((body['payment_links'] as Json[]).length, found)
	}
})

test('links, payments, refunds and disputes outlive a restart', async (t) => {
	const stateDir = await mkdtemp(join(tmpdir(), 'razorpay-'))
	t.after(() => rm(stateDir, { recursive: true, force: true }))
	const before = await startScene(t, stateDir)
	await before.create()
	const { payment_id } = await before.control.payLink({ reference_id: '7-abc' })
	await before.control.refundPayment({ payment_id, amount: 18_000 })
	await before.control.disputePayment({ payment_id })
	const after = await startScene(t, stateDir)
	assert.deepEqual(await after.control.paymentLinks(), await before.control.paymentLinks())
	const payment = await after.call('GET', `payments/${payment_id}`)
	assert.equal(payment.body['amount_refunded'], 18_000)
	const { body } = await after.call('GET', 'disputes')
	assert.equal(body['count'], 1)
})
