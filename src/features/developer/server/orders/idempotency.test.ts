import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { transaction } from '#lib/server/db.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { launchProduct } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/scenes/shop.ts'
import { until, untilLocked } from '#test/until.ts'
import { isSameRequest, readIdempotentRequest } from './idempotency.ts'
import { OrderQueue } from './order-queue.ts'
import { claimRequests, deleteOldRequests, type IdempotentRequest } from './request-queries.ts'

const product = await launchProduct()

const shop = () => openShop(product, { balancePaise: 1000 })

const CREATIONS: [path: string, body: (name: string) => object][] = [
	['/v1/groups', (name) => ({ name })],
	[
		'/v1/campaigns',
		(name) => ({ name, template: { name: 'hello' }, recipients: [{ to: '919876511001', values: { var1: 'Asha' } }] }),
	],
]

test('an Idempotency-Key returns the first answer for a day, then a new one, and 409 for another body', async () => {
	const my = await shop()
	for (const [path, body] of CREATIONS) {
		const create = (name: string) => my.post(path, body(name), path)
		const [first, again] = [await create('Diwali'), await create('Diwali')]
		assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body], path)
		const other = await create('Holi')
		assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused'], path)
		await product.db`
			update api_requests set created_at = now() - interval '25 hours' where account_id = ${my.accountId}
		`
		const fresh = await create('Holi')
		assert.equal(fresh.status, 201, path)
		assert.notEqual(fresh.body.id, first.body.id, path)
	}
})

test('a repeated upsert, opt-out or campaign step with its key returns the first answer and undoes no later change', async () => {
	const my = await shop()
	const { url } = product.process
	const contacts = [{ firstName: 'Asha', number: '919876511004' }]
	const answered = { status: 200, body: { added: 1, updated: 0 } }
	assert.deepEqual(await my.post('/v1/contacts', { contacts }, 'contacts'), answered)
	assert.deepEqual(await my.post('/v1/contacts', { contacts }, 'contacts'), answered)
	const others = await my.post('/v1/contacts', { contacts: [...contacts, ...contacts] }, 'contacts')
	assert.deepEqual([others.status, others.body.code], [409, 'idempotency_key_reused'])

	const optOut = (optedOut: boolean, key: string) =>
		my.post('/v1/opt-outs', { numbers: ['919876511004'], optedOut }, key)
	const first = await optOut(true, 'out')
	await optOut(false, 'in')
	assert.deepEqual(await optOut(true, 'out'), first)
	assert.deepEqual((await call(url, v1.optOuts, { token: my.token })).body.data, [])

	const recipients = [{ to: '919876511005', values: { var1: 'Asha' } }]
	const form = { name: 'Diwali', template: { name: 'hello' }, recipients, startsAt: '2099-01-01T10:00:00Z' }
	const { id } = (await my.post('/v1/campaigns', form)).body
	const step = (name: string) => my.post(`/v1/campaigns/${id}/${name}`, {}, name)
	const answers = []
	for (const name of ['start', 'pause', 'resume']) answers.push(await step(name))
	assert.deepEqual([await step('start'), await step('pause'), await step('resume')], answers)
	const campaign = await call(url, v1Campaigns.campaign, { params: { id }, token: my.token })
	assert.equal(campaign.body.status, 'pending')
	const cancelled = await step('cancel')
	assert.deepEqual(await step('cancel'), cancelled)
})

test('concurrent requests with one key create once', async () => {
	const my = await shop()
	const answers = await Promise.all(Array.from({ length: 5 }, () => my.post('/v1/groups', { name: 'Buyers' }, 'one')))
	assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
	const { data } = (await call(product.process.url, v1.groups, { token: my.token })).body
	assert.equal(data.length, 1)
})

test('a request returns 409 and creates nothing while another one with its key runs, and orders written together with it succeed', async () => {
	const my = await shop()
	const keyHash = sha256('slow')
	const { held } = await transaction(product.db, async (sql) => {
		// On a busy machine the orders take longer than a transaction may wait.
		await sql`set local idle_in_transaction_session_timeout = 0`
		await claimRequests(sql, my.accountId, { requests: [{ keyHash, requestHash: sha256('anything') }] })
		const queue = new OrderQueue(product.db)
		const order = (to: string, idempotency: IdempotentRequest | null) => {
			const messages = [{ to, values: { var1: 'A' } }]
			return queue.place(
				my.accountId,
				{ name: 'hello' },
				{ messages, isList: false, idempotency, key: { keyId: 1, dayLimitPaise: null } },
			)
		}
		const first = order('919876511006', null)
		// Both orders wait for the first one, and are written together.
		const beside = order('919876511007', null)
		const refusal = assert.rejects(order('919876511008', { keyHash, requestHash: sha256('another') }), { status: 409 })
		const placed = Promise.all([first, beside, order('919876511009', null)])
		assert.equal(await Promise.race([placed.then(() => 'placed'), refusal.then(() => 'refused')]), 'placed')
		await placed
		const refused = await my.post('/v1/groups', { name: 'Buyers' }, 'slow')
		assert.deepEqual([refused.status, refused.body.code], [409, 'idempotency_in_progress'])
		const places = await Promise.all([first, beside])
		assert.deepEqual(
			places.map((place) => place.before),
			[0, 1],
		)
		return { held: refusal }
	})
	await held
	assert.deepEqual((await call(product.process.url, v1.groups, { token: my.token })).body.data, [])
})

test('a repeated message returns the first answer when its template can no longer be sent', async () => {
	const my = await shop()
	const first = await my.send('919876511002', { key: 'order' })
	await product.db`update templates set status = 'PAUSED' where account_id = ${my.accountId}`
	assert.deepEqual(await my.send('919876511002', { key: 'order' }), first)
	assert.equal((await my.send('919876511003', { key: 'next' })).status, 422)
})

test('deleteOldRequests keeps a key that a request claims again while the sweep waits for its row', async () => {
	const { db } = product
	const my = await shop()
	const to = '919876511091'
	await my.send(to, { key: 'daily' })
	await until(async () => (await my.entries()).every(({ status }) => status === 'completed'))
	await db`update api_requests set created_at = now() - interval '24 hours 1 minute' where account_id = ${my.accountId}`
	const [order, sweep] = await transaction(db, async (sql) => {
		await sql`select 1 from wallets where account_id = ${my.accountId} for update`
		const running = [my.send(to, { key: 'daily' })] as const
		const free = () => db`select 1 from api_requests where account_id = ${my.accountId} for update skip locked`
		await until(async () => (await free()).length === 0)
		const sweeping = deleteOldRequests(db, my.accountId, { age: '1 day', limit: 2000 })
		await untilLocked(db, 2)
		return [...running, sweeping] as const
	})
	assert.equal(await sweep, 0)
	const first = await order
	assert.equal(first.status, 202)
	assert.equal((await my.send(to, { key: 'daily' })).body.id, first.body.id)
})

test('an Idempotency-Key of one campaign returns 409 for the same step of another campaign', async () => {
	const my = await shop()
	const recipients = [{ to: '919876511092', values: { var1: 'Asha' } }]
	const create = async () =>
		(await my.post('/v1/campaigns', { name: 'Diwali', template: { name: 'hello' }, recipients })).body.id
	const [first, second] = [await create(), await create()]
	assert.equal((await my.post(`/v1/campaigns/${first}/cancel`, {}, 'step')).status, 200)
	const other = await my.post(`/v1/campaigns/${second}/cancel`, {}, 'step')
	assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused'])
	assert.equal((await my.entries()).find(({ id }) => String(id) === second)?.status, 'draft')
})

test('claimRequests does not claim a key that was claimed less than a day ago, and claims an older one', async () => {
	const { db } = product
	const { accountId } = await shop()
	const asked = { keyHash: sha256('key'), requestHash: sha256('asked') }
	const claim = () => transaction(db, (sql) => claimRequests(sql, accountId, { requests: [asked] }))
	const age = (hours: number) =>
		db`update api_requests set created_at = now() - make_interval(hours => ${hours}) where account_id = ${accountId}`
	assert.equal(await claim(), 1)
	await age(23)
	assert.equal(await claim(), 0)
	await age(25)
	assert.equal(await claim(), 1)
	assert.equal(await claim(), 0)
})

test('readIdempotentRequest hashes a request with its key, and isSameRequest accepts the bare hash that the previous release stored', () => {
	const request = {
		method: 'POST',
		headers: { 'idempotency-key': 'k' },
		routeOptions: { url: '/v1/groups' },
		params: {},
	}
	const body = { name: 'Buyers' }
	const asked = readIdempotentRequest(request as unknown as FastifyRequest, body)
	const bare = sha256(JSON.stringify(['POST', '/v1/groups', {}, body]))
	assert.ok(asked)
	assert.equal(asked.requestHash.equals(bare), false)
	assert.equal(isSameRequest(asked, { requestHash: asked.requestHash }), true)
	assert.equal(isSameRequest(asked, { requestHash: bare }), true)
	assert.equal(isSameRequest(asked, { requestHash: sha256('another') }), false)
})
