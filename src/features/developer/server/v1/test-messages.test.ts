import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey } from '#features/developer/server/keys/keys.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { launchProduct, moneyFindings } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop, type Problem } from '#test/shop.ts'
import { until } from '#test/until.ts'

const PRICE_PAISE = 100

const product = await launchProduct()
const { url } = product.process

/** Creates an account with ₹3 and a test key. */
async function shopWithTestKey() {
	const my = await openShop(product, { balancePaise: 3 * PRICE_PAISE })
	const person = { userId: Number(my.userId), ip: '192.0.2.1' }
	const scopes = ['messages:write' as const, 'messages:read' as const, 'campaigns:read' as const]
	const { key } = await createKey(product.db, my.accountId, {
		person,
		form: { name: 'Try', scopes, networks: [], isTest: true },
		prove: async () => {},
	})
	const post = async (path: string, body: object, idempotencyKey?: string) => {
		const response = await fetch(url + path, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${key}`,
				'content-type': 'application/json',
				...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
			},
			body: JSON.stringify(body),
		})
		const answer = (await response.json()) as Problem & { id: string; messages: { id: string }[] }
		return { status: response.status, body: answer }
	}
	const template = { name: 'hello' }
	const values = { var1: 'Asha' }
	return {
		...my,
		testKey: key,
		testPost: post,
		testSend: (to: string, more: object = {}, idempotencyKey?: string) =>
			post('/v1/messages', { to, template, values, ...more }, idempotencyKey),
		testBatch: (numbers: string[]) =>
			post('/v1/messages/batch', { template, messages: numbers.map((to) => ({ to, values })) }),
		testFind: async (id: string) => (await call(url, v1Messages.message, { params: { id }, token: key })).body,
		testList: async (query: object = {}) => (await call(url, v1Messages.messages, { query, token: key })).body.data,
	}
}

test('a message of a test key is answered, listed and announced step by step, and neither sent, charged nor counted', async () => {
	const my = await shopWithTestKey()
	assert.match(my.testKey, /^test_\d+_[\w-]{43}$/)
	const { db } = product
	await db`
		insert into webhook_addresses (account_id, url, events, secret)
		values (${my.accountId}, 'https://shop.example/', '{message.sent,message.delivered,message.read,message.failed}', '')
	`
	const { status, body } = await my.testSend('919876500101', { reference: 'T-1', metadata: { till: '4' } }, 'one')
	assert.equal(status, 202, JSON.stringify(body))
	assert.deepEqual((await my.testSend('919876500101', { reference: 'T-1', metadata: { till: '4' } }, 'one')).body, body)
	const failing = (await my.testSend('+447700900999')).body
	assert.deepEqual((await my.testFind(failing.id)).to, '447700900999')
	assert.equal((await my.testFind(body.id)).reference, 'T-1')
	assert.deepEqual(
		(await my.testList({ reference: 'T-1' })).map(({ id }) => id),
		[body.id],
	)
	const told = async (id: string) => {
		const rows = await db<{ events: { type: string; data: { id: string; test?: boolean; reference?: string } }[] }[]>`
			select events from waiting_events where account_id = ${my.accountId}
			union all select body::json -> 'events' from event_deliveries where account_id = ${my.accountId}
		`
		const events = rows.flatMap(({ events: all }) => all).filter(({ data }) => data.id === id)
		assert.ok(events.every(({ data }) => data.test === true))
		return events.map(({ type }) => type).toSorted()
	}
	await until(async () => (await told(body.id)).length === 3, 30_000)
	assert.deepEqual(await told(body.id), ['message.delivered', 'message.read', 'message.sent'])
	assert.deepEqual(await told(failing.id), ['message.failed'])
	assert.equal((await my.testFind(body.id)).status, 'read')
	const { status: failed, error } = await my.testFind(failing.id)
	assert.deepEqual([failed, error?.code], ['failed', 131_026])

	assert.equal((await product.simulator.control.received('919876500101')).accepted, 0)
	assert.deepEqual(await my.wallet(), { availablePaise: 3 * PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual([...(await my.entries())], [])
	assert.deepEqual((await my.list()).data, [])
	assert.equal((await call(url, v1Messages.message, { params: { id: body.id }, token: my.token })).status, 404)
	assert.deepEqual(await moneyFindings(db), [])
})

test('an order of a test key is refused for the reasons of a real one', async () => {
	const my = await shopWithTestKey()
	const wrong = await my.testSend('12', { values: { var2: 'x' } })
	assert.deepEqual(
		wrong.body.errors?.map(({ path }) => path),
		['/to', '/values/var1', '/values/var2'],
	)
	const numbers = ['919876500111', '919876500112', '919876500113', '919876500114']
	assert.equal((await my.testBatch(numbers.slice(1))).body.messages.length, 3)
	assert.deepEqual((await my.testBatch(numbers)).body.code, 'insufficient_balance')
	assert.deepEqual(
		(await my.testSend(numbers[0] ?? '', { template: { name: 'none' } })).body.code,
		'template_not_found',
	)
	await product.db`update senders set stopped_reason = 'Stopped' where account_id = ${my.accountId}`
	assert.deepEqual((await my.testSend(numbers[0] ?? '')).body.code, 'sender_stopped')
	assert.equal((await my.testList()).length, 3)
})

test('a test key reads campaigns and changes nothing of the account, and its text with another prefix returns 401', async () => {
	const my = await shopWithTestKey()
	assert.equal((await call(url, v1Campaigns.campaigns, { token: my.testKey })).status, 200)
	assert.equal((await my.testPost('/v1/groups', { name: 'Buyers' })).status, 403)
	const swapped = my.testKey.replace(/^test/, 'wbm')
	assert.equal((await call(url, v1.balance, { token: swapped })).status, 401)
	const person = { userId: Number(my.userId), ip: '192.0.2.1' }
	for (const scope of ['contacts:write', 'campaigns:write'] as const) {
		const form = { name: 'Try', scopes: [scope], networks: [], isTest: true }
		await assert.rejects(createKey(product.db, my.accountId, { person, form, prove: async () => {} }), { status: 400 })
	}
})

test('an account has at most 10,000 test messages', async () => {
	const my = await shopWithTestKey()
	await product.db`
		insert into test_messages (account_id, order_id, seq, number, template, created_at, steps)
		select ${my.accountId}::bigint, 1, s, '919876500101', '{}'::json, now(), 0 from generate_series(1, 10000) s
	`
	const { status, body } = await my.testSend('919876500101')
	assert.deepEqual([status, body.code], [429, 'test_limit_reached'])
})
