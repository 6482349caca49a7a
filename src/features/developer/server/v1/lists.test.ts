import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteOldRows } from '#app/server/housekeeping/retention.ts'
import { setManyOptedOut } from '#features/contacts/server/service.ts'
import { sendingRules } from '#features/delivery/contract.ts'
import { cancelOldDrafts } from '#features/delivery/server/orders/order-queries.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { DAY_MS } from '#lib/durations.ts'
import { transaction } from '#lib/server/db.ts'
import { launchProduct, moneyFindings } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop, type Problem } from '#test/scenes/shop.ts'
import { until, untilLocked } from '#test/until.ts'

const PRICE_PAISE = 100

const product = await launchProduct()

interface Answer extends Partial<Problem> {
	id: string
	status: string
	price: { paise: number } | null
	held: { paise: number }
	counts: { total: number; pending: number }
	added: number
	optedOut: number
	capped: number
	total: number
}

async function shopWithLists(balancePaise: number) {
	const my = await openShop(product, { balancePaise })
	const post = async (path: string, body: object, key?: string) => {
		const answer = await my.post(path, body, key)
		return { status: answer.status, body: answer.body as unknown as Answer }
	}
	const people = (from: number, count: number) =>
		Array.from({ length: count }, (_, at) => ({ to: numberOf(from + at), values: { var1: `Asha ${from + at}` } }))
	const numberOf = (at: number) => `9197${String(my.accountId).padStart(4, '0')}${String(at).padStart(4, '0')}`
	const form = { name: 'Diwali', template: { name: 'hello' } }
	const { url } = product.process
	return {
		...my,
		post,
		people,
		numberOf,
		create: (recipients: object[], given: object = {}, key?: string) =>
			post('/v1/campaigns', { ...form, recipients, ...given }, key),
		add: (id: string, recipients: object[], key?: string) =>
			post(`/v1/campaigns/${id}/recipients`, { recipients }, key),
		start: (id: string) => post(`/v1/campaigns/${id}/start`, {}),
		get: async (id: string) => (await call(url, v1Campaigns.campaign, { params: { id }, token: my.token })).body,
	}
}

const received = async (number: string) => (await product.simulator.control.received(number)).accepted
const TOMORROW = new Date(Date.now() + DAY_MS).toISOString()

test('a list in pages costs nothing until its start, and then each recipient gets one message', async () => {
	const my = await shopWithLists(5 * PRICE_PAISE)
	const { status, body } = await my.create(my.people(0, 2))
	assert.equal(status, 201, JSON.stringify(body))
	assert.deepEqual([body.status, body.price, body.held.paise, body.counts.total], ['draft', null, 0, 2])
	assert.deepEqual((await my.add(body.id, my.people(2, 3), 'page 2')).body, {
		added: 3,
		optedOut: 0,
		capped: 0,
		total: 5,
	})
	assert.deepEqual((await my.add(body.id, my.people(2, 3), 'page 2')).body, {
		added: 3,
		optedOut: 0,
		capped: 0,
		total: 5,
	})
	assert.deepEqual(await my.wallet(), { availablePaise: 5 * PRICE_PAISE, heldPaise: 0 })
	assert.equal(await received(my.numberOf(0)), 0)
	const started = await Promise.all([my.start(body.id), my.start(body.id), my.start(body.id)])
	assert.deepEqual(
		started.map((one) => [one.status, one.body.id, one.body.price?.paise]),
		started.map(() => [200, body.id, PRICE_PAISE]),
	)
	await until(async () => (await my.get(body.id)).status === 'completed')
	assert.equal((await my.start(body.id)).body.status, 'completed')
	assert.equal((await my.add(body.id, my.people(5, 1))).status, 409)
	const counts = await Promise.all([0, 1, 2, 3, 4].map((at) => received(my.numberOf(at))))
	assert.deepEqual(counts, [1, 1, 1, 1, 1])
	assert.deepEqual(await my.wallet(), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('v1.startCampaign returns 402 and changes nothing when the wallet is short, and sends when the price falls within the balance', async () => {
	const my = await shopWithLists(PRICE_PAISE)
	const { body } = await my.create(my.people(0, 2))
	const short = await my.start(body.id)
	assert.deepEqual([short.status, short.body.code], [402, 'insufficient_balance'])
	assert.deepEqual(short.body.needed, { paise: 2 * PRICE_PAISE, rupees: '2.00' })
	const { status, price, held } = await my.get(body.id)
	assert.deepEqual([status, price, held.paise], ['draft', null, 0])
	assert.deepEqual(await my.wallet(), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	await product.db`update prices set marketing_paise = 50 where account_id = ${my.accountId}`
	assert.equal((await my.start(body.id)).status, 200)
	await until(async () => (await my.get(body.id)).status === 'completed')
	assert.deepEqual(await my.wallet(), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a page with faults returns the place of each and adds no recipient', async () => {
	const my = await shopWithLists(10 * PRICE_PAISE)
	const values = { var1: 'Hi {{first name|friend}}, {{a/b}}' }
	const { body } = await my.create([{ to: my.numberOf(0), values: { 'a/b': 'x' } }], { values })
	const page = [
		{ to: my.numberOf(1), values: { 'a/b': 'fine', 'first name': 'Asha' } },
		{ to: '12', values: { 'a/b': 'x' } },
		{ to: my.numberOf(2), values: { 'first name': 'two\nlines', other: 'x' } },
		{ to: `+${my.numberOf(1)}`, values: { 'a/b': 'x' } },
	]
	const wrong = await my.add(body.id, page, 'page')
	assert.deepEqual([wrong.status, wrong.body.code], [422, 'invalid'])
	assert.deepEqual(wrong.body.errors?.map(({ path }) => path).toSorted(), [
		'/recipients/1/to',
		'/recipients/2/values/a~1b',
		'/recipients/2/values/first name',
		'/recipients/2/values/other',
		'/recipients/3/to',
	])
	const known = await my.add(body.id, [...page.slice(0, 1), { to: my.numberOf(0), values: { 'a/b': 'x' } }], 'page')
	assert.deepEqual([known.status, known.body.code], [422, 'recipient_listed'])
	assert.deepEqual(
		known.body.errors?.map(({ path }) => path),
		['/recipients/1/to'],
	)
	assert.deepEqual((await my.add(body.id, page.slice(0, 1), 'page')).body, {
		added: 1,
		optedOut: 0,
		capped: 0,
		total: 2,
	})
	const reused = await my.add(body.id, my.people(5, 1), 'page')
	assert.deepEqual([reused.status, reused.body.code], [409, 'idempotency_key_reused'])
})

test('an opted-out recipient of a marketing list is omitted and not charged', async () => {
	const my = await shopWithLists(2 * PRICE_PAISE)
	const { body } = await my.create(my.people(0, 1))
	await setManyOptedOut(product.db, my.accountId, { numbers: [my.numberOf(1)], ids: [], optedOut: true })
	assert.deepEqual((await my.add(body.id, my.people(1, 2))).body, { added: 1, optedOut: 1, capped: 0, total: 2 })
	assert.equal((await my.start(body.id)).body.counts.total, 2)
	await until(async () => (await my.get(body.id)).status === 'completed')
	assert.deepEqual([await received(my.numberOf(1)), await received(my.numberOf(2))], [0, 1])
})

test('a scheduled list is paused, resumed and cancelled like any campaign, and releases all its money', async () => {
	const my = await shopWithLists(2 * PRICE_PAISE)
	const { body } = await my.create(my.people(0, 2), { startsAt: TOMORROW })
	const started = await my.start(body.id)
	const { startsAt } = await my.get(body.id)
	assert.deepEqual([started.body.status, startsAt, started.body.held.paise], ['pending', TOMORROW, 200])
	for (const [step, status] of [
		['pause', 'paused'],
		['resume', 'pending'],
		['cancel', 'cancelled'],
	])
		assert.equal((await my.post(`/v1/campaigns/${body.id}/${step}`, {})).body.status, status)
	await until(async () => (await my.wallet()).heldPaise === 0)
	assert.equal((await my.wallet()).availablePaise, 2 * PRICE_PAISE)
	assert.equal((await my.start(body.id)).status, 409)
})

test('each page of a list omits recipients at their frequency limit, and the start returns their number', async () => {
	const my = await shopWithLists(10 * PRICE_PAISE)
	const rule = { frequency: { messages: 1, days: 3 }, quiet: null }
	assert.equal((await call(product.process.url, sendingRules.saveRules, { body: rule, token: my.session })).status, 200)
	const first = (await my.create(my.people(1, 3))).body
	await my.post(`/v1/campaigns/${first.id}/start`, {})
	const { body } = await my.create(my.people(3, 2))
	assert.deepEqual([body.counts.total, body.capped], [1, 1])
	const page = (await my.add(body.id, [...my.people(1, 2), ...my.people(5, 1)])).body
	assert.deepEqual([page.added, page.optedOut, page.capped, page.total], [1, 0, 2, 2])
	const started = (await my.post(`/v1/campaigns/${body.id}/start`, {})).body
	assert.deepEqual([started.counts.total, started.capped], [2, 3])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('lists that were filled concurrently reach a recipient as often as the frequency rule allows, in the order of their starts', async () => {
	const my = await shopWithLists(10 * PRICE_PAISE)
	const rule = { frequency: { messages: 1, days: 3 }, quiet: null }
	await call(product.process.url, sendingRules.saveRules, { body: rule, token: my.session })
	const first = (await my.create(my.people(1, 2))).body
	const second = (await my.create([...my.people(1, 3), ...my.people(4, 1)])).body
	const third = (await my.create(my.people(2, 1))).body
	const started = []
	for (const { id } of [first, second, third]) started.push((await my.start(id)).body)
	assert.deepEqual(
		started.map(({ counts, capped, held }) => [counts.total, capped, held.paise]),
		[
			[2, 0, 200],
			[2, 2, 200],
			[0, 1, 0],
		],
	)
	await until(async () => (await my.entries()).every(({ status }) => status === 'completed'))
	for (let at = 1; at <= 4; at++) assert.equal(await received(my.numberOf(at)), 1, `person ${at}`)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a draft is cancelled by its account or after a week, and at most ten exist at a time', async () => {
	const my = await shopWithLists(PRICE_PAISE)
	const { body: first } = await my.create(my.people(0, 1))
	assert.equal((await my.post(`/v1/campaigns/${first.id}/pause`, {})).status, 409)
	assert.equal((await my.post(`/v1/campaigns/${first.id}/cancel`, {})).body.status, 'cancelled')
	for (let at = 0; at < 10; at++) assert.equal((await my.create(my.people(at, 1))).status, 201)
	assert.equal((await my.create(my.people(10, 1))).status, 409)
	await product.db`
		update campaigns set created_at = now() - interval '8 days' where account_id = ${my.accountId} and status = 'draft'
	`
	await deleteOldRows(product.process.context)
	await until(
		async () =>
			(await my.entries()).length === 11 && (await my.entries()).every(({ status }) => status === 'cancelled'),
	)
	await until(async () => {
		const [row] = await product.db<{ waiting: number }[]>`
			select count(*) as waiting from campaigns where account_id = ${my.accountId} and finished_at is null
		`
		return row?.waiting === 0
	})
	assert.equal((await my.create(my.people(11, 1))).status, 201)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('v1.createCampaign refuses an empty list, 5,001 recipients and a list with a group, and another account cannot reach a list', async () => {
	const my = await shopWithLists(PRICE_PAISE)
	const { body } = await my.create(my.people(0, 1))
	assert.equal((await my.create([])).status, 422)
	assert.equal((await my.create(my.people(0, 1), { group: '1' })).status, 422)
	assert.equal((await my.create(my.people(0, 5001))).status, 422)
	const other = await shopWithLists(PRICE_PAISE)
	assert.equal((await other.add(body.id, my.people(1, 1))).status, 404)
	assert.equal((await other.start(body.id)).status, 404)
})

test('cancelOldDrafts keeps a list that is started while the sweep waits for its row', async () => {
	const { db } = product
	const my = await shopWithLists(PRICE_PAISE)
	const { id } = (await my.create(my.people(0, 1))).body
	await db`update campaigns set created_at = now() - interval '8 days' where id = ${id}`
	const [start, sweep] = await transaction(db, async (sql) => {
		await sql`select 1 from wallets where account_id = ${my.accountId} for update`
		const starting = my.start(id)
		await untilLocked(db)
		const sweeping = cancelOldDrafts(db, my.accountId, { age: '7 days', limit: 2000 })
		await untilLocked(db, 2)
		return [starting, sweeping] as const
	})
	assert.deepEqual([(await start).status, await sweep], [200, 0])
	await until(async () => (await my.get(id)).status === 'completed')
	assert.equal(await received(my.numberOf(0)), 1)
})
