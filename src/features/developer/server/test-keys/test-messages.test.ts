import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setManyOptedOut } from '#features/contacts/server/service.ts'
import { sendingRules } from '#features/delivery/contract.ts'
import { createKey } from '#features/developer/server/keys/keys.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { DAY_MS } from '#lib/durations.ts'
import { launchProduct, moneyFindings } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop, type Problem } from '#test/scenes/shop.ts'
import { until } from '#test/until.ts'

const PRICE_PAISE = 100

const product = await launchProduct()
const { url } = product.process

const EVENTS = [
	'message.sent',
	'message.delivered',
	'message.read',
	'message.failed',
	'campaign.completed',
	'campaign.paused',
]

interface TestEvent {
	id: string
	test?: boolean
	reference?: string
	metadata?: object
	reason?: string
}

type Answer = Problem & {
	id: string
	status: string
	messages: { id: string }[]
	counts: Record<string, number>
	price: { paise: number } | null
	held: { paise: number }
	cost: { paise: number }
	added: number
	optedOut: number
	total: number
}

/** Creates an account with ₹3 and a test key. */
async function shopWithTestKey({ contacts = 0 } = {}) {
	const my = await openShop(product, { balancePaise: 3 * PRICE_PAISE, contacts })
	const person = { userId: Number(my.userId), ip: '192.0.2.1' }
	const scopes = ['messages:write' as const, 'messages:read' as const, 'campaigns:write' as const]
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
		const answer = (await response.json()) as Answer
		return { status: response.status, body: answer }
	}
	const eventsOf = async (id: string) => {
		const rows = await product.db<{ events: { type: string; data: TestEvent }[] }[]>`
			select events from waiting_events where account_id = ${my.accountId}
			union all select body::json -> 'events' from event_deliveries where account_id = ${my.accountId}
		`
		const events = rows.flatMap(({ events: all }) => all)
		assert.ok(events.every(({ data }) => data.test === true))
		return events.filter(({ data }) => data.id === id)
	}
	await product.db`
		insert into webhook_addresses (account_id, url, events, secret)
		values (${my.accountId}, 'https://shop.example/', ${EVENTS}::text[], '')
	`
	const template = { name: 'hello' }
	const values = { var1: 'Asha' }
	return {
		...my,
		testKey: key,
		eventsOf,
		testRead: async (id: string) => (await call(url, v1Campaigns.campaign, { params: { id }, token: key })).body,
		testRecipients: async (id: string, query: object = {}) =>
			(await call(url, v1Campaigns.recipients, { params: { id }, query, token: key })).body.data,
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
	const typesOf = async (id: string) => (await my.eventsOf(id)).map(({ type }) => type).toSorted()
	await until(async () => (await typesOf(body.id)).length === 3)
	assert.deepEqual(await typesOf(body.id), ['message.delivered', 'message.read', 'message.sent'])
	assert.deepEqual(await typesOf(failing.id), ['message.failed'])
	assert.equal((await my.testFind(body.id)).status, 'read')
	const { status: failed, error } = await my.testFind(failing.id)
	assert.deepEqual([failed, error?.code], ['failed', 131026])

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

test('a test key may not change contacts, neither key sees the other’s campaigns, and a test key with the prefix of a real key returns 401', async () => {
	const my = await shopWithTestKey({ contacts: 2 })
	assert.equal((await my.testPost('/v1/groups', { name: 'Buyers' })).status, 403)
	const swapped = my.testKey.replace(/^test/, 'wbm')
	assert.equal((await call(url, v1.balance, { token: swapped })).status, 401)
	const person = { userId: Number(my.userId), ip: '192.0.2.1' }
	const form = { name: 'Try', scopes: ['contacts:write' as const], networks: [], isTest: true }
	await assert.rejects(createKey(product.db, my.accountId, { person, form, prove: async () => {} }), { status: 400 })
	const order = { ...CAMPAIGN, audience: 'all', startsAt: TOMORROW }
	const rehearsed = (await my.testPost('/v1/campaigns', order)).body
	const real = (await my.post('/v1/campaigns', order)).body
	for (const [token, own, other] of [
		[my.token, real.id, rehearsed.id],
		[my.testKey, rehearsed.id, real.id],
	] as const) {
		const { data } = (await call(url, v1Campaigns.campaigns, { token })).body
		assert.deepEqual(
			data.map(({ id }) => id),
			[own],
		)
		const params = { id: other }
		for (const endpoint of [v1Campaigns.campaign, v1Campaigns.report, v1Campaigns.recipients])
			assert.equal((await call(url, endpoint, { params, token })).status, 404)
		for (const endpoint of [v1Campaigns.startCampaign, v1Campaigns.cancelCampaign])
			assert.equal((await call(url, endpoint, { params, token })).status, 404)
		assert.equal((await call(url, v1Messages.message, { params: { id: `${other}-1` }, token })).status, 404)
	}
})

const CAMPAIGN = { name: 'Diwali', template: { name: 'hello' }, values: { var1: '{{firstName|friend}}' } }
const TOMORROW = new Date(Date.now() + DAY_MS).toISOString()

test('a campaign of a test key to a list is filled, started, announced and reported, and neither sent, charged nor counted', async () => {
	const my = await shopWithTestKey()
	const { db } = product
	const rule = { frequency: { messages: 1, days: 3 }, quiet: null }
	await call(url, sendingRules.saveRules, { body: rule, token: my.session })
	await setManyOptedOut(db, my.accountId, { numbers: ['919876500123'], ids: [], optedOut: true })
	const first = { to: '919876500121', name: 'Asha', values: {}, reference: 'T-1', metadata: { till: '4' } }
	const order = { ...CAMPAIGN, recipients: [first] }
	const { status, body } = await my.testPost('/v1/campaigns', order, 'one')
	assert.deepEqual([status, body.status, body.price, body.counts['total']], [201, 'draft', null, 1])
	assert.deepEqual((await my.testPost('/v1/campaigns', order, 'one')).body, body)
	assert.equal(
		(await my.testPost('/v1/campaigns', { ...order, name: 'Other' }, 'one')).body.code,
		'idempotency_key_reused',
	)
	const add = (recipients: object[]) => my.testPost(`/v1/campaigns/${body.id}/recipients`, { recipients })
	const page = [{ to: '919876500122' }, { to: '919876500123' }, { to: '447700900999', reference: 'T-2' }]
	const { added, optedOut, total } = (await add(page)).body
	assert.deepEqual([added, optedOut, total], [2, 1, 3])
	assert.equal((await add(page.slice(0, 1))).body.code, 'recipient_listed')
	assert.deepEqual(
		(await add([{ to: '12', values: { other: 'x' } }])).body.errors?.map(({ path }) => path),
		['/recipients/0/to', '/recipients/0/values/other'],
	)
	assert.equal((await my.testFind(`${body.id}-1`)).status, 'pending')
	const change = (step: string) => my.testPost(`/v1/campaigns/${body.id}/${step}`, {})
	assert.equal((await change('pause')).status, 409)
	const started = (await change('start')).body
	assert.deepEqual([started.price?.paise, started.held.paise], [PRICE_PAISE, 3 * PRICE_PAISE])
	assert.equal((await add([{ to: '919876500124' }])).status, 409)
	await until(async () => (await my.eventsOf(body.id)).length === 1)
	await until(async () => (await my.testRead(body.id)).counts.read === 2)
	const done = await my.testRead(body.id)
	assert.deepEqual([done.status, done.counts.failed, done.cost.paise, done.held.paise], ['completed', 1, 200, 0])
	assert.deepEqual(
		(await my.testRecipients(body.id)).map((one) => [one.to, one.name, one.status, one.reference]),
		[
			['919876500121', 'Asha', 'read', 'T-1'],
			['919876500122', null, 'read', null],
			['447700900999', null, 'failed', 'T-2'],
		],
	)
	assert.equal((await my.testRecipients(body.id, { status: 'failed' })).length, 1)
	const report = (await call(url, v1Campaigns.report, { params: { id: body.id }, token: my.testKey })).body
	assert.deepEqual([report.failures[0]?.code, report.failures[0]?.count], [131026, 1])
	assert.equal(report.timeline.spans[0]?.sent, 2)
	assert.deepEqual(
		(await my.testList({ reference: 'T-1' })).map(({ id }) => id),
		[`${body.id}-1`],
	)
	await until(async () => (await my.eventsOf(`${body.id}-1`)).length === 3)
	const events = await my.eventsOf(`${body.id}-1`)
	assert.deepEqual(events[0]?.data.metadata, { till: '4' })
	assert.deepEqual((await my.eventsOf(body.id))[0]?.type, 'campaign.completed')
	assert.deepEqual(
		(await my.eventsOf(`${body.id}-3`)).map(({ type }) => type),
		['message.failed'],
	)

	assert.equal((await product.simulator.control.received('919876500121')).accepted, 0)
	assert.deepEqual(await my.wallet(), { availablePaise: 3 * PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual([...(await my.entries())], [])
	// The frequency rule ignores the test campaign, so the same people can get a real one.
	const real = await my.post('/v1/campaigns', { ...CAMPAIGN, recipients: [first] })
	assert.deepEqual([real.status, (real.body as unknown as Answer).counts['total']], [201, 1])
	assert.deepEqual(await moneyFindings(db), [])
})

test('a campaign of a test key to contacts is paused, resumed and cancelled, and is refused for the reasons of a real one', async () => {
	const my = await shopWithTestKey({ contacts: 3 })
	const create = (given: object = {}) => my.testPost('/v1/campaigns', { ...CAMPAIGN, audience: 'all', ...given })
	const { status, body } = await create({ startsAt: TOMORROW })
	assert.deepEqual([status, body.status, body.held.paise], [201, 'pending', 3 * PRICE_PAISE], JSON.stringify(body))
	const step = async (name: string) => (await my.testPost(`/v1/campaigns/${body.id}/${name}`, {})).body
	assert.equal((await step('pause')).status, 'paused')
	assert.equal((await my.eventsOf(body.id))[0]?.data.reason, 'You paused this campaign.')
	assert.equal((await step('resume')).status, 'pending')
	assert.equal((await step('cancel')).status, 'cancelled')
	await until(async () => (await my.testRead(body.id)).counts.failed === 3)
	await until(async () => (await my.eventsOf(`${body.id}-1`))[0]?.type === 'message.failed')
	assert.match((await step('start')).detail, /cancelled cannot be started/)

	assert.equal((await create({ template: { name: 'none' } })).body.code, 'template_not_found')
	assert.equal((await create({ audience: undefined, group: '999999' })).body.code, 'not_found')
	assert.equal((await create({ values: { var2: 'x' } })).body.code, 'invalid')
	await product.db`update prices set marketing_paise = 101 where account_id = ${my.accountId}`
	assert.equal((await create()).body.code, 'insufficient_balance')
	assert.deepEqual(await my.wallet(), { availablePaise: 3 * PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual([...(await my.entries())], [])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('an account has at most 10,000 test messages', async () => {
	const my = await shopWithTestKey()
	await product.db`
		insert into test_messages (account_id, order_id, seq, number, template, created_at, steps)
		select ${my.accountId}::bigint, 1, s, '919876500101', '{}'::json, now(), 0 from generate_series(1, 10000) s
	`
	const { status, body } = await my.testSend('919876500101')
	assert.deepEqual([status, body.code], [429, 'test_limit_reached'])
	const order = { ...CAMPAIGN, recipients: [{ to: '919876500101', values: {} }] }
	const campaign = await my.testPost('/v1/campaigns', order)
	assert.deepEqual([campaign.status, campaign.body.code], [429, 'test_limit_reached'])
})
