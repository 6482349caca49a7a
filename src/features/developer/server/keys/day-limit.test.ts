import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey } from '#features/developer/server/keys/keys.ts'
import { launchProduct, moneyFindings } from '#test/full-stack.ts'
import { openShop, type Problem } from '#test/scenes/shop.ts'

const PRICE_PAISE = 100

const product = await launchProduct()

const one = (to: string) => ({ to, values: { var1: 'Asha' } })

/** Creates an account with ₹10, and a key that may spend ₹3 of it a day. */
async function shopWithLimit() {
	const my = await openShop(product, { balancePaise: 10 * PRICE_PAISE })
	const person = { userId: Number(my.userId), ip: '192.0.2.1' }
	const form = {
		name: 'Till',
		scopes: ['messages:write' as const, 'campaigns:write' as const],
		networks: [],
		dayLimitRupees: 3,
	}
	const { id, key } = await createKey(product.db, my.accountId, { person, form, prove: async () => {} })
	const post = async (path: string, body: object, idempotencyKey?: string) => {
		const response = await fetch(product.process.url + path, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${key}`,
				'content-type': 'application/json',
				...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
			},
			body: JSON.stringify(body),
		})
		return {
			status: response.status,
			body: (await response.json()) as Problem & { id: string; spent?: object; limit?: object },
		}
	}
	const template = { name: 'hello' }
	let last = 0
	const numbers = (count: number) =>
		Array.from({ length: count }, () => `9198${String(my.accountId).padStart(4, '0')}${1000 + ++last}`)
	return {
		...my,
		keyId: id,
		post,
		send: (idempotencyKey?: string, [to = ''] = numbers(1)) =>
			post('/v1/messages', { template, ...one(to) }, idempotencyKey),
		batch: (count: number) => post('/v1/messages/batch', { template, messages: numbers(count).map(one) }),
		draft: (count: number) => post('/v1/campaigns', { name: 'Offer', template, recipients: numbers(count).map(one) }),
		spent: async () => {
			const rows = await product.db<{ spent: number }[]>`
				select spent_paise as spent from api_key_days where account_id = ${my.accountId} and key_id = ${id}
			`
			return rows.map((row) => row.spent)
		},
	}
}

test('a key spends up to its limit of the day, and a further order returns 402 with spent and limit and costs nothing', async () => {
	const my = await shopWithLimit()
	assert.equal((await my.batch(2)).status, 202)
	const { status, body } = await my.batch(2)
	assert.deepEqual([status, body.code], [402, 'day_limit_reached'])
	const { needed, spent, limit } = body
	assert.deepEqual(
		[needed, spent, limit],
		[
			{ paise: 200, rupees: '2.00' },
			{ paise: 200, rupees: '2.00' },
			{ paise: 300, rupees: '3.00' },
		],
	)
	assert.equal((await my.send()).status, 202)
	assert.equal((await my.send()).status, 402)
	assert.deepEqual(await my.spent(), [300])
	// Another key of the account can still spend.
	assert.equal((await my.sendBatch([{ to: '919876500001', values: { var1: 'A' } }])).status, 202)
	await product.db`update api_key_days set day = day - 1 where account_id = ${my.accountId}`
	assert.equal((await my.send()).status, 202)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('concurrent orders of a key are accepted up to its limit, and a repeated one counts once', async () => {
	const my = await shopWithLimit()
	const answers = await Promise.all(Array.from({ length: 8 }, () => my.send()))
	const statuses = answers.map(({ status }) => status).toSorted()
	assert.deepEqual(statuses, [202, 202, 202, 402, 402, 402, 402, 402])
	assert.deepEqual(await my.spent(), [300])
	await product.db`delete from api_key_days where account_id = ${my.accountId}`
	for (let at = 0; at < 5; at++) assert.equal((await my.send('order-1', ['919876500002'])).status, 202)
	assert.deepEqual(await my.spent(), [100])
})

test('the start of a campaign counts its hold towards the limit once for repeated calls, and one above the limit leaves a draft', async () => {
	const my = await shopWithLimit()
	const small = (await my.draft(2)).body.id
	const large = (await my.draft(4)).body.id
	assert.deepEqual(await my.spent(), [])
	const starts = await Promise.all([1, 2, 3].map(() => my.post(`/v1/campaigns/${small}/start`, {})))
	assert.deepEqual(
		starts.map(({ status }) => status),
		[200, 200, 200],
	)
	assert.deepEqual(await my.spent(), [200])
	const refused = await my.post(`/v1/campaigns/${large}/start`, {})
	assert.deepEqual([refused.status, refused.body.code], [402, 'day_limit_reached'])
	const [row] = await product.db<{ status: string }[]>`
		select status from campaigns where account_id = ${my.accountId} and id = ${large}
	`
	assert.equal(row?.status, 'draft')
	assert.deepEqual(await moneyFindings(product.db), [])
})
