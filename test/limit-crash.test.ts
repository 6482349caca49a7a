import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { startProductChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { moneyFindings, startCampaign, startProduct, type Product } from './full-stack.ts'
import { limitedShop, passHours } from './scenes/limited-shop.ts'
import { until } from './until.ts'

/** The long form: LIMIT_CONTACTS=6000 LIMIT_PEOPLE=2000 LIMIT_KILLS=10 npm test -- --only unit limit-crash */
const { LIMIT_CONTACTS = '30', LIMIT_PEOPLE = '20', LIMIT_KILLS = '2' } = process.env
const CONTACTS = Number(LIMIT_CONTACTS)
const LIMIT = Number(LIMIT_PEOPLE)
const KILLS = Number(LIMIT_KILLS)
const MAX_DAYS = 5 * Math.ceil((2 * CONTACTS) / LIMIT)

let product: Product
let env: Record<string, string>
let child: ChildProcess | null = null

before(async () => {
	// This process only prepares data. Another process, which can be killed, serves and sends.
	const port = await findFreePort()
	product = await startProduct({ env: { ROLE: 'http' } })
	env = { ...product.env, ROLE: 'all', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, UNKNOWN_AFTER: '4' }
})
after(() => product.close())

test('two accounts of a portfolio whose worker is killed never exceed their limit, and reach each person once', async (t) => {
	const { db, simulator } = product
	const shops = []
	for (let each = 0; each < 2; each++) {
		const shop = await limitedShop(product, { contacts: CONTACTS, limit: LIMIT, portfolio: 'portfolio-crash' })
		await db`update senders set messages_per_second = 40 where account_id = ${shop.accountId}`
		const [row] = await db<{ key: string }[]>`
			select webhook_key as key from senders where account_id = ${shop.accountId}
		`
		const url = `${env.PUBLIC_URL}/api/webhooks/whatsapp/${row?.key}`
		await simulator.control.subscribe({ waba_id: shop.credentials.waba_id, url })
		await startCampaign(product, shop)
		shops.push(shop)
	}
	const waba_id = shops[0]?.credentials.waba_id ?? ''
	child = await startProductChild(env)
	let day = 1
	for (; ; day++) {
		if (day <= KILLS) {
			await sleep(Math.random() * 700)
			child.kill('SIGKILL')
			await once(child, 'exit')
			child = await startProductChild(env)
		}
		await until(isDayOver, 60_000)
		const { most, refused } = await simulator.control.limitStats({ waba_id })
		assert.ok(most <= LIMIT, `${most} people on day ${day}`)
		assert.equal(refused, 0)
		assert.deepEqual(await moneyFindings(db), [])
		if (await isDone()) break
		assert.ok(day < MAX_DAYS, 'the campaigns end')
		await passHours(product, 24.1)
	}
	await simulator.control.waitIdle()
	const received = await simulator.control.receivedCounts()
	assert.deepEqual([...new Set(Object.values(received))], [1])
	const failed = await db<{ number: string; errorCode: number }[]>`
		select number, error_code as "errorCode" from campaign_messages where status = 'failed'
	`
	assert.ok(failed.every((one) => !received[one.number] && one.errorCode === OWN_ERRORS.unconfirmed.code))
	assert.equal(Object.keys(received).length + failed.length, 2 * CONTACTS)
	t.diagnostic(`${day} days, ${failed.length} messages could not be confirmed`)
})

/** Returns true when no campaign sends: each has ended, or waits for places that come free on another day. */
async function isDayOver(): Promise<boolean> {
	const busy = await product.db`
		select 1 from campaigns c
		where c.status in ('pending', 'processing')
			and (c.limit_waits_until is null or c.limit_waits_until < now() + interval '10 minutes')
		union all
		select 1 from message_claims
		union all
		select 1 from unsettled_messages where unknown_since is not null
	`
	return busy.length === 0
}

async function isDone(): Promise<boolean> {
	return (await product.db`select 1 from campaigns where finished_at is null`).length === 0
}
