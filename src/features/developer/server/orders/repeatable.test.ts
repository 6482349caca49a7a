import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v1 } from '#features/developer/v1-contract.ts'
import { transaction } from '#lib/server/db.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { startProduct, type Product } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/shop.ts'
import { claimRequests } from './request-queries.ts'

let product: Product
before(async () => {
	product = await startProduct()
})
after(() => product.close())

const shop = () => openShop(product, { balancePaise: 1000 })

const CREATIONS: [path: string, body: (name: string) => object][] = [
	['/v1/groups', (name) => ({ name })],
	[
		'/v1/campaigns',
		(name) => ({ name, template: { name: 'hello' }, recipients: [{ to: '919876511001', values: { var1: 'Asha' } }] }),
	],
]

test('an Idempotency-Key gives the first answer for a day, then a new one, and another body a 409', async () => {
	const my = await shop()
	for (const [path, body] of CREATIONS) {
		const create = (name: string) => my.post(path, body(name), path)
		const [first, again] = [await create('Diwali'), await create('Diwali')]
		assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body], path)
		const other = await create('Holi')
		assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused'], path)
		await product.db`
			update api_requests set created_at = now() - interval '25 hours' where account_id = ${my.ownerId}
		`
		const fresh = await create('Holi')
		assert.equal(fresh.status, 201, path)
		assert.notEqual(fresh.body.id, first.body.id, path)
	}
})

test('requests that come at once with one key create once', async () => {
	const my = await shop()
	const answers = await Promise.all(Array.from({ length: 5 }, () => my.post('/v1/groups', { name: 'Buyers' }, 'one')))
	assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
	const { data } = (await call(product.process.url, v1.groups, { token: my.token })).body
	assert.equal(data.length, 1)
})

test('a request is refused with 409 while another one with its key goes on for seconds, and nothing is created', async () => {
	const my = await shop()
	const keyHash = sha256('slow')
	await transaction(product.db, async (sql) => {
		await claimRequests(sql, my.ownerId, [{ keyHash, requestHash: sha256('anything') }])
		const refused = await my.post('/v1/groups', { name: 'Buyers' }, 'slow')
		assert.deepEqual([refused.status, refused.body.code], [409, 'idempotency_in_progress'])
	})
	assert.deepEqual((await call(product.process.url, v1.groups, { token: my.token })).body.data, [])
})

test('a repeated message is answered as the first was when its template can be sent no more', async () => {
	const my = await shop()
	const first = await my.send('919876511002', { key: 'order' })
	await product.db`update templates set status = 'PAUSED' where account_id = ${my.ownerId}`
	assert.deepEqual(await my.send('919876511002', { key: 'order' }), first)
	assert.equal((await my.send('919876511003', { key: 'next' })).status, 422)
})
