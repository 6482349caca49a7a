import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import * as z from 'zod/mini'
import { receiveMessages } from '#features/chats/server/inbound/receive.ts'
import { failure } from '#features/delivery/server/message/status-update.ts'
import { pauseCampaign } from '#features/delivery/server/service.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { EVENT_DATA } from '#features/developer/webhook-events.ts'
import { EVENT_TYPES } from '#features/events/rules.ts'
import { applyTemplateChange } from '#features/templates/server/sync/changes.ts'
import { wallet } from '#features/wallet/contract.ts'
import { warnLowBalances } from '#features/wallet/server/warnings.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { transaction } from '#lib/server/db.ts'
import { startProductChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { campaignWhen, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { call } from './http-app.ts'
import { accept, ALL_EVENTS } from './scenes/webhook-scene.ts'
import { startReceiver, type WebhookReceiver } from './servers/webhook-receiver.ts'
import { until } from './until.ts'

let product: Product
let env: Record<string, string>
const receivers: WebhookReceiver[] = []
before(async () => {
	const port = await findFreePort()
	// This process only prepares data. Another process, which can be killed, serves and sends.
	product = await startProduct({ env: { ROLE: 'http', ALLOW_PRIVATE_TARGETS: '1' }, statuses: { readRate: 1 } })
	env = { ...product.env, ROLE: 'all', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` }
})
after(async () => {
	for (const receiver of receivers) receiver.close()
	await product.close()
})

async function newReceiver(): Promise<WebhookReceiver> {
	const receiver = await startReceiver()
	receivers.push(receiver)
	return receiver
}

/** Creates an account whose status updates go to the process that will be killed, with a receiver of every event. */
async function subscriber(contacts: number, { url: own }: WebhookReceiver) {
	const sender = await sendingAccount(product, { contacts, perSecond: 400, balancePaise: 100_000 })
	const [row] = await product.db<{ key: string }[]>`
		select webhook_key as key from senders where account_id = ${sender.accountId}
	`
	const url = `${env.PUBLIC_URL}/api/webhooks/whatsapp/${row?.key}`
	await product.simulator.control.subscribe({ waba_id: sender.credentials.waba_id, url })
	const body = { url: own, events: ALL_EVENTS, currentPassword: sender.password }
	const { status } = await call(product.process.url, webhooks.create, { body, token: sender.token })
	assert.equal(status, 201)
	return sender
}

/** Returns the accepted events, each once. */
const acceptedBy = (receiver: WebhookReceiver) => [
	...new Map(receiver.accepted().map((event) => [event.id, event])).values(),
]

test('the receiver gets each status of each message although the process is killed between commits and deliveries', async () => {
	const receiver = await newReceiver()
	const sender = await subscriber(200, receiver)
	receiver.answer = () => {}
	let child = await startProductChild(env)
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ read }) => read === 200)
	for (let kill = 1; kill <= 2; kill++) {
		await until(() => receiver.received.length >= kill, MINUTE_MS)
		child.kill('SIGKILL')
		await once(child, 'exit')
		child = await startProductChild(env)
	}
	receiver.answer = accept
	const stepsOf = (type: string) => acceptedBy(receiver).filter((event) => event.type === type)
	await until(() => stepsOf('message.read').length === 200, MINUTE_MS)
	assert.deepEqual(
		stepsOf('campaign.completed').map(({ data }) => data.id),
		[String(campaignId)],
	)
	const steps = Map.groupBy(
		acceptedBy(receiver).filter(({ type }) => type.startsWith('message.')),
		({ data }) => data.id,
	)
	assert.equal(steps.size, 200)
	// Statuses that arrive together with a later status, or after it, count too.
	for (const [id, events] of steps)
		assert.deepEqual(
			events.map(({ type }) => type),
			['message.sent', 'message.delivered', 'message.read'],
			String(id),
		)
	const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
	assert.ok(receiver.received.length > ids.size, 'a delivery was repeated with its id')
})

test('the receiver gets each kind of event with the data in its description', async () => {
	const { db, process } = product
	const receiver = await newReceiver()
	const sender = await subscriber(1, receiver)
	const { accountId } = sender
	const campaignId = await startCampaign(product, sender, {
		schedule: 'later',
		scheduleDatetime: '2099-01-01T10:00:00',
	})
	await pauseCampaign({ db }, accountId, String(campaignId))
	await transaction(db, (sql) =>
		settle(sql, accountId, {
			updates: [{ campaignId, seq: 1, ...failure(131026, 'Message undeliverable', process.context.watch.now()) }],
			notify: process.context.notify,
		}),
	)
	const sent = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId: sent }, ({ read }) => read === 1)
	const message = { from: '919810000001', id: 'wamid.1', timestamp: '1790000000', type: 'text', text: { body: 'STOP' } }
	await transaction(db, (sql) => receiveMessages(sql, accountId, [{ messages: [message] }]))
	const value = {
		message_template_name: 'hello',
		message_template_language: 'en_US',
		event: 'REJECTED',
		reason: 'SCAM',
	}
	const change = { field: 'message_template_status_update', value, onTemplateMoved: async () => {} }
	await transaction(db, (sql) => applyTemplateChange(sql, accountId, change))
	await call(process.url, wallet.setLowBalance, { body: { amount: 10_000 }, token: sender.token })
	await warnLowBalances(process.context)
	await until(() => EVENT_TYPES.every((type) => acceptedBy(receiver).some((event) => event.type === type)), MINUTE_MS)
	for (const event of acceptedBy(receiver)) {
		const type = EVENT_TYPES.find((each) => each === event.type)
		assert.ok(type, event.type)
		assert.deepEqual(z.parse(z.strictObject(EVENT_DATA[type].shape), event.data), event.data, type)
	}
})
