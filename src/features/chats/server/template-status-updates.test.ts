import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeHandlers } from '#app/server/webhook-handlers.ts'
import { chats } from '#features/chats/contract.ts'
import { sweepExpired, sweepUnconfirmed } from '#features/delivery/server/sweeps/sweeps.ts'
import { refunds } from '#features/statements/refund-contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { account } from '#test/factories.ts'
import { launchProduct, moneyFindings, sendingAccount } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { exhaustFloor } from '#test/scenes/refunds.ts'
import { until } from '#test/until.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

const PRICE_PAISE = 100

const product = await launchProduct()

/** Creates an account whose webhooks the simulator holds until `releaseWebhooks`. */
async function newSender(balancePaise: number): Promise<Account> {
	const sender = await sendingAccount(product, { contacts: 0, balancePaise })
	await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
	return sender
}

const releaseWebhooks = ({ credentials }: Account) =>
	product.simulator.control.releaseWebhooks({ waba_id: credentials.waba_id })

/** Sends a template; the network accepts it unless `isLost`. Returns its id in the chat and the id in status updates. */
async function sendTemplate({ accountId, templateId, token }: Account, number: string, { isLost = false } = {}) {
	const given = { number, templateId, variables: { var1: 'Asha' } }
	const { status, body } = await call(product.process.url, chats.sendTemplate, { body: given, token })
	assert.equal(status, 200, body.message)
	const { id } = body.newMessage
	const [row] = await product.db<{ campaignId: number }[]>`
		select campaign_id as "campaignId" from chat_messages where account_id = ${accountId} and id = ${id}
	`
	const isPending = async () => {
		const pending = await product.db`
			select 1 from campaign_messages where account_id = ${accountId} and campaign_id = ${row?.campaignId} and status = 'pending'
		`
		return pending.length > 0
	}
	const isUnknown = async () =>
		(await product.db`select 1 from unsettled_messages where account_id = ${accountId} and unknown_since is not null`)
			.length > 0
	await until(async () => (isLost ? isUnknown() : !(await isPending())))
	return { id, callback: product.process.context.restoreGenerations.mark(`campaign:${row?.campaignId}:1`) }
}

function statusUpdate(callback: string, status: string, code?: number) {
	const errors = code === undefined ? {} : { errors: [{ code, title: 'Failed' }] }
	return { id: 'wamid.1', status, timestamp: '1790000000', biz_opaque_callback_data: callback, ...errors }
}

const receive = ({ accountId }: Account, ...statuses: unknown[]) =>
	transaction(product.db, async (sql) => {
		const handlers = composeHandlers({ ...product.process.context, onTemplateMoved: async () => {} })
		await handlers.statuses?.(sql, accountId, statuses)
	})

async function messageWith({ token }: Account, number: string) {
	return (await call(product.process.url, chats.messages, { params: { number }, token })).body.messages[0]
}

const walletOf = (sender: Account) => getWallet(product.db, sender.accountId)
const fault = (to: string, given: object) =>
	product.simulator.control.addFault({ call: 'messages', to, ...given } as Fault)
const deps = () => ({ ...product.process.context, unknownAfter: -1 })

test('a failed template is refunded once for any number of status updates', async () => {
	const sender = await newSender(1000)
	const { callback } = await sendTemplate(sender, '919800000004')
	const failed = statusUpdate(callback, 'failed', 131049)
	await receive(sender, failed, failed)
	await receive(sender, failed)
	assert.deepEqual(await walletOf(sender), { availablePaise: 1000, heldPaise: 0 })
	assert.match((await messageWith(sender, '919800000004'))?.error ?? '', /limits how much marketing a person receives/)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a template without an answer is not sent again, is refunded after the timeout, and is charged if it proves delivered', async () => {
	const sender = await newSender(PRICE_PAISE)
	const number = '919800000005'
	await fault(number, { kind: 'drop', accepted: true, times: 1 })
	const { callback } = await sendTemplate(sender, number, { isLost: true })
	assert.equal((await messageWith(sender, number))?.status, 'pending')
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: PRICE_PAISE })
	await sweepUnconfirmed(deps())
	assert.deepEqual(await walletOf(sender), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	const message = await messageWith(sender, number)
	assert.deepEqual([message?.status, message?.error], ['failed', 'Delivery could not be confirmed'])
	await releaseWebhooks(sender)
	await until(async () => (await walletOf(sender)).availablePaise === 0)
	assert.equal(await product.simulator.control.acceptedWith(callback), 1)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a late confirmation that the wallet cannot pay is free, and a later failure refunds nothing', async () => {
	const sender = await newSender(PRICE_PAISE)
	await fault('919800000006', { kind: 'drop', accepted: true, times: 1 })
	const { callback } = await sendTemplate(sender, '919800000006', { isLost: true })
	await sweepUnconfirmed(deps())
	await sendTemplate(sender, '919800000007')
	await receive(sender, statusUpdate(callback, 'sent'))
	await receive(sender, statusUpdate(callback, 'failed', 131026))
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

/** Dates the account's templates and their status updates back by `days`. */
async function moveBack({ accountId }: Account, days: number): Promise<void> {
	const { db } = product
	const past = `${days} days`
	await db`
		update campaign_messages set sent_at = now() - ${past}::interval where account_id = ${accountId} and sent_at is not null
	`
	await db`update campaigns set started_at = now() - ${past}::interval where account_id = ${accountId}`
	await db`
		update senders set reported_through = now() - ${past}::interval
		where account_id = ${accountId} and reported_through is not null
	`
}

test('an accepted template that is not delivered within thirty days is refunded once', async () => {
	const sender = await newSender(2 * PRICE_PAISE)
	await sendTemplate(sender, '919800000010')
	const { callback } = await sendTemplate(sender, '919800000011')
	await receive(sender, statusUpdate(callback, 'delivered'))
	const statusOf = async (number: string) => (await messageWith(sender, number))?.status
	assert.equal(await statusOf('919800000011'), 'delivered')
	await sweepExpired(deps())
	assert.equal(await statusOf('919800000010'), 'sent', 'thirty days have not passed')
	await moveBack(sender, 31)
	for (let sweep = 0; sweep < 2; sweep++) await sweepExpired(deps())
	assert.equal(await statusOf('919800000010'), 'failed')
	assert.deepEqual(await walletOf(sender), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a template of a sender without status updates is never refunded for its age', async () => {
	const sender = await newSender(PRICE_PAISE)
	await sendTemplate(sender, '919800000012')
	await moveBack(sender, 90)
	await sweepExpired(deps())
	assert.deepEqual(await walletOf(sender), { availablePaise: 0, heldPaise: 0 })
})

test('a status update with the id from before templates were campaign messages settles the template', async () => {
	const sender = await newSender(PRICE_PAISE)
	const number = '919800000013'
	const { id } = await sendTemplate(sender, number)
	await receive(sender, statusUpdate(`chat:${id}`, 'delivered'))
	assert.equal((await messageWith(sender, number))?.status, 'delivered')
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('refunds of templates above the limit wait together, a late confirmation removes one, and a refusal causes no reconciliation finding', async () => {
	const sender = await newSender(10 * PRICE_PAISE)
	await exhaustFloor(product.db, sender.accountId)
	const sent: string[] = []
	for (let n = 0; n < 4; n++) sent.push((await sendTemplate(sender, `91980000200${n}`)).callback)
	const failed = sent.map((callback) => statusUpdate(callback, 'failed', 131026))
	await receive(sender, ...failed)
	await receive(sender, ...failed)
	assert.equal((await walletOf(sender)).availablePaise, 6 * PRICE_PAISE)
	await receive(sender, statusUpdate(sent[0] ?? '', 'delivered'))
	assert.equal((await walletOf(sender)).availablePaise, 6 * PRICE_PAISE, 'it was still charged')
	assert.deepEqual(await moneyFindings(product.db), [])
	const admin = await account(product.process.context, { role: 'admin' })
	const { url } = product.process
	const waiting = async () => {
		const list = await call(url, refunds.refundsToCheck, { query: { page: 1 }, token: admin.token })
		return list.body.refunds.find(({ userId }) => userId === sender.userId)
	}
	const decide = async (decision: 'approve' | 'refuse', messages: number, decisions?: number) => {
		const seen = { price: 1, reason: 'reported', decisions: decisions ?? (await waiting())?.decisions ?? 0 } as const
		const body = { decision, campaignId: null, messages, ...seen }
		return call(url, refunds.decideRefund, { params: { userId: sender.userId }, body, token: admin.token })
	}
	const first = await waiting()
	assert.deepEqual([first?.campaign, first?.messages, first?.amount], [null, 3, 3])
	assert.equal((await decide('approve', 4)).status, 409)
	assert.equal((await decide('approve', 2)).body.message, '₹2.00 refunded')
	assert.equal((await decide('approve', 1, 0)).status, 409, 'it was seen before the first decision')
	assert.equal((await walletOf(sender)).availablePaise, 8 * PRICE_PAISE)
	assert.equal((await decide('refuse', 1)).body.message, 'Refund of ₹1.00 refused')
	assert.deepEqual([(await walletOf(sender)).availablePaise, await waiting()], [8 * PRICE_PAISE, undefined])
	assert.deepEqual(await moneyFindings(product.db), [])
})
