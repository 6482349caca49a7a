import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { pauseSender } from '#features/delivery/server/sending/auto-pause.ts'
import { cancelCampaign, resumeSending } from '#features/delivery/server/service.ts'
import { users } from '#features/users/contract.ts'
import { AppError } from '#lib/app-error.ts'
import { connect, transaction } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { account } from '#test/factories.ts'
import { campaignWhen, launchProduct, moneyFindings } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/scenes/shop.ts'
import { until, untilLocked } from '#test/until.ts'
import { OrderQueue } from './order-queue.ts'
import { writeOrders, type Placed } from './write-orders.ts'

const PRICE_PAISE = 100

const product = await launchProduct()

const shop = (balancePaise: number) => openShop(product, { balancePaise })

suite('Idempotency-Key', () => {
	test('a repeated request returns the first answer and sends nothing more, and another request with the key returns 409', async () => {
		const my = await shop(10 * PRICE_PAISE)
		const first = await my.send('919876500020', { key: 'order-1' })
		assert.deepEqual(await my.send('919876500020', { key: 'order-1' }), first)
		const other = await my.send('919876500021', { key: 'order-1' })
		assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused'])
		assert.equal((await my.entries())[0]?.total, 1)
		assert.equal((await my.send('919876500020', { key: 'x'.repeat(256) })).status, 422)
	})

	test('thirty concurrent requests with one key on two servers send one message, and all return its answer', async () => {
		const my = await shop(100 * PRICE_PAISE)
		const other = await startProcess(readEnv({ ...product.env, ROLE: 'http' }), createLog('silent'), {
			kind: 'production',
		})
		try {
			const urls = [product.process.url, other.url]
			const answers = await Promise.all(
				Array.from({ length: 30 }, async (_, at) => {
					const response = await fetch(`${urls[at % 2]}/v1/messages`, {
						method: 'POST',
						headers: {
							authorization: `Bearer ${my.token}`,
							'content-type': 'application/json',
							'idempotency-key': 'at once',
						},
						body: JSON.stringify({ to: '919876500022', template: { name: 'hello' }, values: { var1: 'A' } }),
					})
					return `${response.status} ${await response.text()}`
				}),
			)
			assert.equal(new Set(answers).size, 1, answers.join('\n'))
			assert.match(answers[0] ?? '', /^202 /)
			assert.equal((await my.entries())[0]?.total, 1)
		} finally {
			await other.stop()
		}
	})

	test('a refused request can be corrected under its key', async () => {
		const my = await shop(PRICE_PAISE)
		assert.equal((await my.send('12', { key: 'again' })).status, 422)
		assert.equal((await my.send('919876500023', { key: 'again' })).status, 202)
	})

	test('a key can be used for another request after a day', async () => {
		const my = await shop(10 * PRICE_PAISE)
		await my.send('919876500024', { key: 'daily' })
		await product.db`update api_requests set created_at = now() - interval '25 hours' where account_id = ${my.accountId}`
		assert.equal((await my.send('919876500025', { key: 'daily' })).status, 202)
		assert.equal((await my.entries())[0]?.total, 2)
	})
})

const one = (to: string) => ({ to, values: { var1: 'A' } })

test('writeOrders writes an order with ten statements, of which two follow the lock of the wallet', async () => {
	const my = await shop(2 * PRICE_PAISE)
	const statements: string[] = []
	const log = { ...createLog('silent'), warn: (fields: object) => statements.push(nameOf(fields)) }
	const db = connect(product.env.DATABASE_URL ?? '', { slow: { log, afterMs: 0 }, vault: product.db.vault })
	try {
		for (const to of ['919876500026', '919876500027']) {
			const idempotency = { keyHash: sha256(to), requestHash: sha256(to) }
			statements.length = 0
			const order = { messages: [one(to)], isList: false, idempotency, key: { keyId: 1, dayLimitPaise: null } }
			const [placed] = await writeOrders(db, my.accountId, { ref: { name: 'hello' }, orders: [order] })
			assert.ok(placed && 'campaignId' in placed)
		}
		// Notifications of other processes use a separate connection.
		const written = statements.slice(statements.indexOf('begin')).filter((name) => name !== 'select')
		assert.deepEqual(written, [
			'begin',
			'addToApiCampaign',
			'insertMessages',
			'addToBlocks',
			...Array.from({ length: 3 }, () => 'claimRequests'),
			'moveWallet',
			'insertEntry',
			'commit',
		])
	} finally {
		await db.end()
	}
})

/** Returns the function that a logged statement belongs to. */
function nameOf(fields: { statement?: string }): string {
	return fields.statement?.split(' ', 1)[0] ?? ''
}

suite('concurrent orders', () => {
	test('three hundred orders are written by few transactions, each message once and each paid', async () => {
		const my = await shop(300 * PRICE_PAISE)
		const answers = await Promise.all(
			Array.from({ length: 300 }, (_, at) =>
				my.send(`9198766${String(at).padStart(5, '0')}`, { key: `together-${at}` }),
			),
		)
		assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
		assert.equal(new Set(answers.map(({ body }) => body.id)).size, 300)
		const [{ holds } = { holds: 0 }] = await product.db<{ holds: number }[]>`
			select count(*) as holds from ledger_entries where account_id = ${my.accountId} and kind = 'hold'
		`
		assert.ok(holds <= 100, `${holds} transactions`)
		const [{ lines } = { lines: 0 }] = await product.db<{ lines: number }[]>`
			select count(*) as lines from statement_lines where account_id = ${my.accountId} and kind = 'hold'
		`
		assert.ok(lines <= 2, `${lines} lines of the statement`)
		await until(async () => (await my.wallet()).heldPaise === 0)
		assert.deepEqual(await my.wallet(), { availablePaise: 0, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('orders that the wallet cannot pay are refused, and the others are sent', async () => {
		const my = await shop(20 * PRICE_PAISE)
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, at) => my.send(`9198767${String(at).padStart(5, '0')}`, { key: `some-${at}` })),
		)
		const count = (status: number) => answers.filter((answer) => answer.status === status).length
		assert.deepEqual([count(202), count(402)], [20, 30])
		await until(async () => (await my.wallet()).heldPaise === 0)
		assert.deepEqual(await my.wallet(), { availablePaise: 0, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('a batch is accepted as a whole, or refused as a whole with the place of each fault', async () => {
		const my = await shop(3 * PRICE_PAISE)
		const wrong = await my.sendBatch([one('919876500030'), { to: '5', values: {} }, one('919876500031')])
		assert.deepEqual(
			wrong.body.errors?.map(({ path }) => path),
			['/messages/1/to', '/messages/1/values/var1'],
		)
		const four = ['1', '2', '3', '4'].map((digit) => one(`91987650004${digit}`))
		assert.equal((await my.sendBatch(four)).status, 402)
		assert.deepEqual([...(await my.entries())], [])
		const sent = await my.sendBatch(four.slice(0, 3), 'batch')
		assert.equal(sent.status, 202)
		const { messages, total } = sent.body as unknown as {
			messages: { id: string; to: string }[]
			total: { paise: number }
		}
		assert.deepEqual(
			messages.map(({ to }) => to),
			four.slice(0, 3).map(({ to }) => to),
		)
		assert.equal(total.paise, 3 * PRICE_PAISE)
		assert.deepEqual(await my.sendBatch(four.slice(0, 3), 'batch'), sent)
		await until(async () => (await my.find(messages[2]?.id ?? '')).status !== 'pending')
		assert.equal((await my.find(messages[2]?.id ?? '')).to, '919876500043')
	})

	test('a batch may have 1,000 messages and no more, and its cancellation releases the price of unsent ones', async () => {
		const my = await shop(1000 * PRICE_PAISE)
		const many = Array.from({ length: 1001 }, (_, at) => ({
			to: `9198768${String(at).padStart(5, '0')}`,
			values: { var1: 'A' },
		}))
		assert.equal((await my.sendBatch(many)).status, 422)
		const { status, body } = await my.sendBatch(many.slice(1))
		assert.equal(status, 202)
		const campaignId = Number(body.campaignId)
		const { accountId } = my
		await cancelCampaign(product.process.context, accountId, body.campaignId)
		const { total } = await campaignWhen(product, { accountId, campaignId }, ({ pending }) => pending === 0)
		assert.equal(total, 1000)
		assert.deepEqual(await moneyFindings(product.db), [])
	})
})

const orderTo = (...to: string[]) => ({
	messages: to.map((number) => ({ to: number, values: { var1: 'Asha' } })),
	isList: to.length > 1,
	idempotency: null,
	key: { keyId: 1, dayLimitPaise: null },
})

test('writeOrders returns the place of each of two orders that the wallet pays, and the shortage for a third', async () => {
	const my = await shop(2 * PRICE_PAISE)
	const orders = [orderTo('919876500921'), orderTo('919876500922', '919876500923'), orderTo('919876500924')]
	const outcomes = await writeOrders(product.db, my.accountId, { ref: { name: 'hello' }, orders })
	const [first, refused, last] = outcomes as [Placed, AppError, Placed]
	assert.deepEqual([first.before, last.before, last.campaignId], [0, 1, first.campaignId])
	assert.deepEqual([refused.status, refused.details], [402, { needed: 2, available: 1 }])
	const rows = await product.db`
		select seq, number from campaign_messages where account_id = ${my.accountId} and campaign_id = ${first.campaignId} order by seq
	`
	assert.deepEqual(
		[...rows],
		[
			{ seq: first.before + 1, number: '919876500921' },
			{ seq: last.before + 1, number: '919876500924' },
		],
	)
	assert.equal((await my.wallet()).availablePaise, 0)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('an order that arrives right after the answer to another one is answered', async () => {
	for (let turns = 0; turns < 5; turns++) {
		const my = await shop(2 * PRICE_PAISE)
		const queue = new OrderQueue(product.db)
		const place = () => queue.place(my.accountId, { name: 'hello' }, orderTo('919876500911'))
		await place()
		for (let turn = 0; turn < turns; turn++) await Promise.resolve()
		const never = sleep(5000, 'never', { ref: false })
		assert.notEqual(await Promise.race([place(), never]), 'never', `after ${turns} turns`)
	}
})

/** Orders a message and runs `stop` before the order's transaction commits. */
async function orderBeside(my: Awaited<ReturnType<typeof shop>>, to: string, stop: () => Promise<unknown>) {
	const { order } = await transaction(product.db, async (sql) => {
		await sql`select 1 from wallets where account_id = ${my.accountId} for update`
		const begun = { order: my.send(to) }
		await untilLocked(product.db)
		await stop()
		return begun
	})
	assert.equal((await order).status, 202)
}

async function untilRefunded(my: Awaited<ReturnType<typeof shop>>, to: string) {
	await until(async () => (await my.wallet()).heldPaise === 0)
	assert.deepEqual(await my.wallet(), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	assert.equal((await product.simulator.control.received(to)).accepted, 0)
}

test('a message that was ordered during the deactivation of its account is refunded, not sent, when the account is activated', async () => {
	const admin = await account(product.process.context, { role: 'admin' })
	const my = await shop(PRICE_PAISE)
	const to = '919876500918'
	const setActive = async (isActive: boolean) => {
		const given = { params: { id: my.userId }, body: { isActive }, token: admin.token }
		assert.equal((await call(product.process.url, users.toggleStatus, given)).status, 200)
	}
	await orderBeside(my, to, () => setActive(false))
	await setActive(true)
	await untilRefunded(my, to)
})

test('a message that was ordered while its sender was being paused is refunded, not sent', async () => {
	const my = await shop(PRICE_PAISE)
	const to = '919876500919'
	const reason = { user: 'WhatsApp refused the credentials.', admin: 'The token has expired.' }
	await orderBeside(my, to, () => pauseSender(product.process.context, my.accountId, reason))
	await untilRefunded(my, to)
	await resumeSending(product.process.context, my.accountId)
	assert.equal((await my.send('919876500920')).status, 202)
	assert.equal((await product.simulator.control.received(to)).accepted, 0)
})
