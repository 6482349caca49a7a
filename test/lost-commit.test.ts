import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { readEnv } from '#app/server/env.ts'
import { startProcess, type Process } from '#app/server/process.ts'
import { chats } from '#features/chats/contract.ts'
import { createLog } from '#lib/server/log.ts'
import { moneyFindings, campaignWhen, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { call } from './http-app.ts'
import { startTcpProxy, type TcpProxy } from './servers/tcp-proxy.ts'
import { until } from './until.ts'

const RECIPIENTS = 60

let product: Product
let proxy: TcpProxy
let worker: Process

before(async () => {
	product = await startProduct({ env: { ROLE: 'http' } })
	const { DATABASE_URL = '' } = product.env
	proxy = await startTcpProxy({ port: Number(new URL(DATABASE_URL).port) })
	const env = readEnv({
		...product.env,
		ROLE: 'all',
		PORT: '0',
		DATABASE_URL: proxy.url(DATABASE_URL),
		LISTEN_URL: DATABASE_URL,
	})
	worker = await startProcess(env, createLog('silent'), { kind: 'production' })
})
after(async () => {
	await worker.stop()
	await proxy.close()
	await product.close()
})

/** Asserts that a campaign completes, every recipient got one message, no claim is left, and the money adds up. */
async function sendsOnceToEach(campaign: {
	accountId: Parameters<typeof campaignWhen>[1]['accountId']
	campaignId: number
}) {
	const done = await campaignWhen(product, campaign, (c) => c.status === 'completed')
	assert.equal(done.failed, 0)
	const prefix = `9155${String(campaign.accountId).padStart(3, '0')}`
	const counts = Object.entries(await product.simulator.control.receivedCounts()).filter(([n]) => n.startsWith(prefix))
	assert.equal(counts.length, RECIPIENTS)
	assert.ok(counts.every(([, count]) => count === 1))
	// Status updates may complete the campaign before the worker has repeated its transaction.
	await until(async () => {
		const open = await product.db`
			select 1 from message_claims where account_id = ${campaign.accountId}
			union all select 1 from unsettled_messages where account_id = ${campaign.accountId}
		`
		return open.length === 0
	})
	assert.deepEqual(await moneyFindings(product.db), [])
}

describe('a worker whose database executes a statement and never answers', () => {
	for (const ending of ['cut', 'silence'] as const) {
		test(`the engine does not repeat a message when the COMMIT of outcomes is lost and the connection ends by ${ending}`, async () => {
			const sender = await sendingAccount(product, { contacts: RECIPIENTS })
			const lost = proxy.dropReplyTo('commit', {
				ending,
				times: 2,
				where: ({ statements }) => statements.some((text) => text.includes('with finished as')),
			})
			const campaignId = await startCampaign(product, sender)
			await lost.happened
			await sendsOnceToEach({ ...sender, campaignId })
		})

		test(`the engine neither loses nor repeats a message when the COMMIT of a claim is lost and the connection ends by ${ending}`, async () => {
			const sender = await sendingAccount(product, { contacts: RECIPIENTS })
			const lost = proxy.dropReplyTo('commit', {
				ending,
				where: ({ statements }) => statements.some((text) => text.includes('insert into message_claims')),
			})
			const campaignId = await startCampaign(product, sender)
			await lost.happened
			await sendsOnceToEach({ ...sender, campaignId })
		})
	}

	test('a reply in a chat is sent once, and shown as sent, when the COMMIT of its row is lost', async () => {
		const { token, ...sender } = await sendingAccount(product, { contacts: 1 })
		const { phone_number_id } = sender.credentials
		const { control } = product.simulator
		const number = '919811122233'
		await control.sendInbound({ phone_number_id, from: number, content: { body: 'Hi' } })
		const lost = proxy.dropReplyTo('commit', {
			ending: 'cut',
			where: ({ statements }) => statements.some((text) => text.includes('insert into chat_messages (')),
		})
		const body = { number, message: 'Here is the answer', requestId: randomUUID() }
		const send = () => call(worker.url, chats.send, { body, token })
		const first = await send()
		assert.equal(lost.count, 1)
		assert.deepEqual([first.status, first.body.newMessage.status], [200, 'sent'])
		assert.equal((await send()).body.newMessage.id, first.body.newMessage.id)
		assert.equal((await control.received(number)).messages.length, 1)
	})

	test('the engine requeues a refused message once when the COMMIT of the requeueing is lost', async () => {
		const sender = await sendingAccount(product, { contacts: RECIPIENTS })
		const { phone_number_id } = sender.credentials
		await product.simulator.control.addFault({ kind: 'error', code: 130429, times: 10, phone_number_id })
		const lost = proxy.dropReplyTo('commit', {
			ending: 'cut',
			where: ({ statements }) => statements.some((text) => text.includes('insert into unsettled_messages')),
		})
		const campaignId = await startCampaign(product, sender)
		await lost.happened
		await sendsOnceToEach({ ...sender, campaignId })
	})
})
