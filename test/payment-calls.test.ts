import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { before, test } from 'node:test'
import { payments } from '#features/payments/contract.ts'
import { DEFAULT_MERCHANT } from '#simulator/razorpay/merchant.ts'
import { account, type TestAccount } from './factories.ts'
import { launchProduct, moneyFindings } from './full-stack.ts'
import { call, statusBeforeBody } from './http-app.ts'
import { until } from './until.ts'

const product = await launchProduct({ payments: true })
const { db, simulator } = product
const { url, context } = product.process
const hook = `${url}/api/webhooks/razorpay`
const { webhook_secret: webhookSecret, key_secret: keySecret } = DEFAULT_MERCHANT

const PAID = 50_000
/** Bytes of an endless body after which its sender gives up. */
const MAX_SENT = 50_000_000

interface Begun {
	by: TestAccount
	id: string
	reference: string
	linkId: string
}

let mine: TestAccount
let theirs: TestAccount
before(async () => {
	mine = await account(context)
	theirs = await account(context)
	// Only the webhooks of these tests arrive.
	await simulator.control.addFault({ call: 'razorpay.webhook', kind: 'silent' })
})

async function begin(by: TestAccount): Promise<Begun> {
	const body = { amount: PAID / 100, requestId: randomUUID() }
	const answer = await call(url, payments.create, { body, token: by.token })
	assert.equal(answer.status, 200, JSON.stringify(answer.body))
	const { _id, reference } = answer.body.payment
	const link = (await simulator.control.paymentLinks()).find((each) => each.reference_id === reference)
	return { by, id: _id, reference, linkId: link?.id ?? '' }
}

const hmac = (secret: string, content: string | Buffer) => createHmac('sha256', secret).update(content).digest('hex')

/** Returns the body of Razorpay's webhook for a paid link. */
function paidEvent(reference: string, linkId = 'plink_x'): string {
	const entity = { id: linkId, reference_id: reference, status: 'paid', amount_paid: 5_000_000 }
	return JSON.stringify({ entity: 'event', event: 'payment_link.paid', payload: { payment_link: { entity } } })
}

async function postHook(body: string | Buffer, signature: string | null): Promise<number> {
	const headers = {
		'content-type': 'application/json',
		...(signature !== null && { 'x-razorpay-signature': signature }),
	}
	const response = await fetch(hook, { method: 'POST', headers, body })
	await response.arrayBuffer()
	return response.status
}

/** Returns the facts about an account's payments and money that a refused call must not change. */
async function booksOf({ accountId }: TestAccount): Promise<unknown> {
	const rows = await db`
		select id, state, fault, credited_by, check_at, check_cause from payments where account_id = ${accountId} order by id
	`
	const entries = await db`select reference, available_change_paise from ledger_entries where account_id = ${accountId}`
	return JSON.stringify([rows, entries])
}

async function creditsOf({ accountId }: TestAccount, id: string): Promise<number> {
	const rows = await db`
		select 1 from ledger_entries where account_id = ${accountId} and reference = ${`payment:${id}`}
	`
	return rows.length
}

test('a webhook without a valid signature is refused with 401 and changes nothing', async () => {
	const { reference, linkId } = await begin(mine)
	await simulator.control.payLink({ reference_id: reference })
	const known = await booksOf(mine)
	const body = paidEvent(reference, linkId)
	const signature = hmac(webhookSecret, body)
	for (const [name, given] of [
		['none', null],
		['empty', ''],
		['short', signature.slice(0, 40)],
		['not hexadecimal', 'z'.repeat(64)],
		['upper case', signature.toUpperCase()],
		['two', `${signature},${signature}`],
		['with the name of the algorithm', `sha256=${signature}`],
		['of another body', hmac(webhookSecret, `${body} `)],
		['by the secret of the key', hmac(keySecret, body)],
		['by another secret', hmac('guess', body)],
		['very long', signature.repeat(100)],
	] as const)
		assert.equal(await postHook(body, given), 401, name)
	for (const changed of [
		body.replace('paid', 'Paid'),
		`${body}\n`,
		Buffer.concat([Buffer.from(body), Buffer.from([0])]),
	])
		assert.equal(await postHook(changed, signature), 401)
	assert.equal(await booksOf(mine), known)
})

test('a signed webhook with an unreadable, strange or foreign body changes no payment and ends no process', async () => {
	const { reference } = await begin(mine)
	const known = await booksOf(mine)
	const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
	for (const body of [
		'',
		'null',
		'[]',
		'{',
		'"paid"',
		deep,
		`{"payload":${deep}}`,
		'{"event":5}',
		'{"event":"payment_link.paid"}',
		'{"event":"payment_link.paid","payload":{"payment_link":null}}',
		'{"event":"payment_link.paid","payload":{"payment_link":{"entity":{"reference_id":{"a":1}}}}}',
		'{"__proto__":{"event":"payment_link.paid"}}',
		paidEvent(`${reference}' or true --`),
		paidEvent(reference.replace('-', '-\u0000')),
		paidEvent('99999999999999999999-abc'),
		paidEvent('-1-abc'),
		paidEvent(`${Number(mine.accountId) + 1}-${reference.split('-')[1]}`),
		paidEvent('x'.repeat(100_000)),
		JSON.stringify({ event: 'payment.captured', payload: { payment: { entity: { id: 'pay_unknown' } } } }),
		JSON.stringify({ event: 'refund.processed', payload: { refund: { entity: { payment_id: 'pay_unknown' } } } }),
		JSON.stringify({ event: 'subscription.charged', payload: {} }),
	]) {
		const status = await postHook(body, hmac(webhookSecret, body))
		assert.ok(status < 500, `${status} for ${body.slice(0, 80)}`)
	}
	assert.equal(await booksOf(mine), known)
	assert.equal((await fetch(`${url}/healthz`)).status, 200)
})

test('a huge or endless body of a webhook is refused before it is stored', async () => {
	for (const signature of [null, 'a'.repeat(64)]) {
		const headers = {
			'content-type': 'application/json',
			...(signature !== null && { 'x-razorpay-signature': signature }),
		}
		const status = await statusBeforeBody(hook, { bytes: 500_000_000, headers })
		assert.ok(status === 401 || status === 413, String(status))
		assert.ok((await sendEndlessly(headers)) < MAX_SENT)
	}
})

/** Sends a chunked body until the server answers or closes the connection. Returns the bytes that were sent. */
async function sendEndlessly(headers: Record<string, string>): Promise<number> {
	const chunk = Buffer.alloc(64 * 1_024, '[')
	let bytes = 0
	const body = new Readable({
		read() {
			bytes += chunk.length
			this.push(bytes < MAX_SENT ? chunk : null)
		},
	})
	const outgoing = request(hook, { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } })
	const answered = new Promise((resolve) => outgoing.once('response', resolve).once('error', resolve))
	body.pipe(outgoing)
	await answered
	body.destroy()
	outgoing.destroy()
	return bytes
}

test('a return is refused without a session, for another account, and unless it is signed for this payment', async () => {
	const paid = await begin(mine)
	const other = await begin(mine)
	const foreign = await begin(theirs)
	const { return_url } = await simulator.control.payLink({ reference_id: paid.reference })
	const signed = parametersOf(return_url)
	const cancelled = parametersOf((await simulator.control.cancelLink({ reference_id: other.reference })).return_url)
	const known = [await booksOf(mine), await booksOf(theirs)]
	const send = async (to: Begun, body: ReturnType<typeof parametersOf>, token: string | undefined = mine.token) =>
		(await call(url, payments.returned, { params: { paymentId: to.id }, body, token })).status
	assert.equal(await send(paid, signed, ''), 401)
	assert.equal(await send(paid, signed, theirs.token), 404)
	assert.equal(await send(foreign, signed), 404)
	assert.equal(await send(foreign, signed, theirs.token), 400)
	assert.equal(await send(other, signed), 400)
	assert.equal(await send(other, { ...cancelled, razorpay_payment_link_status: 'paid' }), 400)
	for (const razorpay_signature of ['x', 'z'.repeat(64), hmac(webhookSecret, 'a'), signed.razorpay_signature.slice(1)])
		assert.equal(await send(paid, { ...signed, razorpay_signature }), 400)
	assert.equal(await send(paid, { ...signed, razorpay_payment_id: 'pay_other' }), 400)
	assert.equal(await send(paid, { ...signed, razorpay_payment_link_id: 'x'.repeat(1_000) }), 400)
	assert.equal(await send(paid, { ...signed, razorpay_payment_link_id: 'x'.repeat(1_000_000) }), 413)
	assert.deepEqual([await booksOf(mine), await booksOf(theirs)], known)
})

/** Returns the parameters that the page adds to the return address. */
function parametersOf(returnUrl: string | null) {
	const query = new URL(returnUrl ?? '').searchParams
	const at = (name: string) => query.get(name) ?? ''
	return {
		razorpay_payment_id: at('razorpay_payment_id'),
		razorpay_payment_link_id: at('razorpay_payment_link_id'),
		razorpay_payment_link_reference_id: at('razorpay_payment_link_reference_id'),
		razorpay_payment_link_status: at('razorpay_payment_link_status'),
		razorpay_signature: at('razorpay_signature'),
	}
}

test('a payment is credited once when its webhook and its return are repeated at the same time', async () => {
	const { by, id, reference, linkId } = await begin(theirs)
	const { return_url } = await simulator.control.payLink({ reference_id: reference })
	const body = paidEvent(reference, linkId)
	const returned = { params: { paymentId: id }, body: parametersOf(return_url), token: by.token }
	const statuses = await Promise.all(
		Array.from({ length: 20 }, async (_, at) =>
			at % 2 === 0 ? postHook(body, hmac(webhookSecret, body)) : (await call(url, payments.returned, returned)).status,
		),
	)
	assert.deepEqual(
		statuses.filter((status) => status !== 200),
		[],
	)
	await until(async () => (await creditsOf(by, id)) > 0)
	assert.equal(await postHook(body, hmac(webhookSecret, body)), 200)
	assert.equal((await call(url, payments.returned, returned)).status, 200)
	// The repetition is checked too: the payment waits for its next daily check again.
	await until(async () => {
		const [row] = await db<{ isDone: boolean }[]>`
			select state = 'paid' and check_at > now() as "isDone" from payments where account_id = ${by.accountId} and id = ${id}
		`
		return row?.isDone === true
	})
	assert.equal(await creditsOf(by, id), 1)
	assert.deepEqual(await moneyFindings(db), [])
})

test('a true webhook about an unpaid payment, and a webhook of a paid one with another amount, add nothing', async () => {
	const unpaid = await begin(mine)
	const body = paidEvent(unpaid.reference, unpaid.linkId)
	const short = await begin(mine)
	await simulator.control.payLink({ reference_id: short.reference, amount: 100 })
	const shortBody = paidEvent(short.reference, short.linkId)
	assert.equal(await postHook(body, hmac(webhookSecret, body)), 200)
	assert.equal(await postHook(shortBody, hmac(webhookSecret, shortBody)), 200)
	await until(async () => {
		const [row] = await db<{ fault: string | null }[]>`
			select fault from payments where account_id = ${mine.accountId} and id = ${short.id}
		`
		return row?.fault === 'amount'
	})
	assert.deepEqual([await creditsOf(mine, unpaid.id), await creditsOf(mine, short.id)], [0, 0])
})
