import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { webhooks } from '#features/developer/webhook-contract.ts'
import type { EventType } from '#features/events/rules.ts'
import { generateClient, type ApiClient } from './api-client.ts'
import { startProductChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { moneyFindings, startProduct, type Product } from './full-stack.ts'
import { call } from './http-app.ts'
import { openShop } from './scenes/shop.ts'
import { startReceiver, type WebhookReceiver } from './servers/webhook-receiver.ts'
import { PATIENCE_MS, until } from './until.ts'

const ORDERS = 300
const BATCHES = 10
const BATCH_SIZE = 20
const PAGES = 10
const PAGE_SIZE = 30
const MESSAGES = ORDERS + BATCHES * BATCH_SIZE + PAGES * PAGE_SIZE
const PRICE_PAISE = 100
const KILLS = 3

let product: Product
let env: Record<string, string>
let child: ChildProcess
let receiver: WebhookReceiver
before(async () => {
	// This process only prepares data. Another process, which can be killed, serves and sends.
	const port = await findFreePort()
	product = await startProduct({ env: { ROLE: 'http', ALLOW_PRIVATE_TARGETS: '1' } })
	receiver = await startReceiver()
	env = { ...product.env, ROLE: 'all', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, UNKNOWN_AFTER: '4' }
	child = await startProductChild(env)
})
after(async () => {
	receiver.close()
	await product.close()
})

test(`a generated client that repeats its calls after ${KILLS} kills has every message sent once, paid once, and reported with a valid signature`, async (t) => {
	const url = env.PUBLIC_URL ?? ''
	const my = await openShop(product, { balancePaise: MESSAGES * PRICE_PAISE, perSecond: 400 })
	const [row] = await product.db<{ key: string }[]>`
		select webhook_key as key from senders where account_id = ${my.accountId}
	`
	const hook = `${url}/api/webhooks/whatsapp/${row?.key}`
	await product.simulator.control.subscribe({ waba_id: my.credentials.waba_id, url: hook })
	const body = { url: receiver.url, events: EVENTS, currentPassword: my.password }
	const { secret } = (await call(product.process.url, webhooks.create, { body, token: my.session })).body
	const client = await generateClient(url, my.token)

	const killing = killAgainAndAgain()
	const first = await sendAll(client)
	await killing
	const again = await sendAll(client)
	assert.deepEqual(again, first, 'a repeated request gets the first answer')

	await until(async () => (await client.v1.balance()).data.held.paise === 0)
	await product.simulator.control.waitIdle()
	await until(async () => (await listAll(client)).every(isOver))
	const messages = await listAll(client)
	const received = await product.simulator.control.receivedCounts()
	assert.equal(messages.length, MESSAGES)
	assert.equal(new Set(messages.map(({ to }) => to)).size, MESSAGES, 'each person has one message')
	assert.deepEqual(
		Object.values(received).filter((count) => count !== 1),
		[],
		'nobody got it twice',
	)
	const failed = messages.filter(({ status }) => status === 'failed')
	assert.ok(failed.every(({ to, error }) => !received[to] && error?.title))
	assert.equal(Object.keys(received).length + failed.length, MESSAGES, 'each person got the message, or it failed')
	const { available } = (await client.v1.balance()).data
	assert.equal(available.paise, failed.length * PRICE_PAISE, 'only sent messages are paid')
	assert.deepEqual(await moneyFindings(product.db), [])
	await checkStatuses(messages, secret)
	t.diagnostic(`${MESSAGES} messages, ${failed.length} could not be confirmed`)
})

const EVENTS: EventType[] = ['message.sent', 'message.delivered', 'message.read', 'message.failed']

/** Asserts that the receiver got the last status of every message, and that every delivery was signed. */
async function checkStatuses(messages: readonly { id: string; status: string }[], secret: string): Promise<void> {
	const receivedStatuses = () => new Set(receiver.accepted().map(({ type, data }) => `${type} ${String(data.id)}`))
	const left = () => {
		const known = receivedStatuses()
		return messages.filter(({ id, status }) => !known.has(`message.${status} ${id}`))
	}
	await until(() => left().length === 0)
	const webhook = new Webhook(secret)
	for (const { body, headers } of receiver.received) webhook.verify(body, headers as Record<string, string>)
	const ids = new Set(messages.map(({ id }) => id))
	assert.ok(receiver.accepted().every(({ data }) => ids.has(String(data.id))))
}

function isOver({ status }: { status: string }): boolean {
	return status !== 'pending' && status !== 'sent'
}

async function killAgainAndAgain(): Promise<void> {
	for (let kill = 0; kill < KILLS; kill++) {
		await sleep(150 + Math.random() * 400)
		child.kill('SIGKILL')
		await once(child, 'exit')
		child = await startProductChild(env)
	}
}

let number = 919_870_000_000
const numbers = Array.from({ length: MESSAGES }, () => String(number++))
const template = { name: 'hello' }
const messageTo = (to: string) => ({ to, values: { var1: 'Asha' } })

/**
 * Sends single messages, batches and a campaign, each request with its own key and repeated until it is answered. Returns the
 * ids of all messages.
 */
async function sendAll({ v1 }: ApiClient): Promise<string[]> {
	const left = [...numbers]
	const take = (count: number) => left.splice(0, count).map(messageTo)
	const orders = take(ORDERS).map((message, at) => async () => {
		const { data } = await repeat((params) => v1.sendMessage({ ...message, template }, params), `order ${at}`)
		return data.id
	})
	const batches = Array.from({ length: BATCHES }, (_, at) => {
		const messages = take(BATCH_SIZE)
		return async () => {
			const { data } = await repeat((params) => v1.sendBatch({ template, messages }, params), `batch ${at}`)
			return data.messages.map(({ id }) => id).join()
		}
	})
	const pages = Array.from({ length: PAGES }, () => take(PAGE_SIZE))
	const campaign = async () => {
		const body = { name: 'Diwali', template, recipients: pages[0] }
		const { id } = (await repeat((params) => v1.createCampaign(body, params), 'campaign')).data
		for (const [at, recipients] of pages.slice(1).entries()) {
			const { data } = await repeat((params) => v1.addRecipients(id, { recipients }, params), `page ${at}`)
			assert.equal(data.total, (at + 2) * PAGE_SIZE)
		}
		await repeat(() => v1.startCampaign(id), '')
		return id
	}
	const waiting = [campaign, ...orders.flatMap((order, at) => (at % 30 === 0 ? [order, batches[at / 30]] : [order]))]
	const answers = waiting.map(() => '')
	const next = waiting.entries()
	await Promise.all(
		Array.from({ length: 8 }, async () => {
			for (const [at, send] of next) {
				answers[at] = (await send?.()) ?? ''
				// Pause between orders, so that kills happen between them.
				await sleep(20)
			}
		}),
	)
	return answers
}

/**
 * Repeats a request until it is answered. Throws when the answer is a refusal, except for a refusal by a server that is
 * stopping or starting, and when none comes within the time of all restarts.
 */
async function repeat<T>(send: (params: { headers: Record<string, string> }) => Promise<T>, key: string): Promise<T> {
	const deadline = performance.now() + KILLS * PATIENCE_MS
	for (;;) {
		try {
			return await send({ headers: { 'Idempotency-Key': key } })
		} catch (error) {
			const { status = 503 } = error as { status?: number }
			if (status < 500 || performance.now() > deadline) throw error
			await sleep(50)
		}
	}
}

async function listAll({ v1 }: ApiClient) {
	const all = []
	for (let cursor: string | null = null; ;) {
		const query = { limit: 1000, ...(cursor !== null && { cursor }) }
		const page: Awaited<ReturnType<typeof v1.messages>> = await v1.messages(query)
		all.push(...page.data.data)
		cursor = page.data.next
		if (cursor === null) return all
	}
}
