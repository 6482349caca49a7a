import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { campaignWhen, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { linkLateReplies } from './late-replies.ts'
import { receiveMessages } from './receive.ts'

const product = await launchProduct()

const SECOND = 1_790_000_000

async function receive(accountId: AccountId, messages: { from: string; id: string; text: string; quotes?: string }[]) {
	const value = {
		contacts: [],
		messages: messages.map(({ from, id, text, quotes }) => ({
			from,
			id,
			timestamp: String(SECOND),
			type: 'text',
			text: { body: text },
			...(quotes && { context: { id: quotes } }),
		})),
	}
	await transaction(product.db, (sql) => receiveMessages(sql, accountId, [value]))
}

const link = () => linkLateReplies({ db: product.db, log: createLog('silent') })

test('a reply that arrives before the wamid of its campaign message is known is linked and counted once the wamid is known', async () => {
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 1000 })
	// Stops webhooks, because a status update would restore the wamid that this test removes.
	await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ status }) => status === 'completed')
	const { accountId } = sender
	const { db } = product
	const [sent] = await db<{ number: string; wamid: string }[]>`
		select number, wamid from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId}
	`
	assert.ok(sent)
	await db`update campaign_messages set wamid = null where account_id = ${accountId} and campaign_id = ${campaignId}`
	await receive(accountId, [{ from: sent.number, id: 'wamid.early', text: 'Yes please', quotes: sent.wamid }])
	await link()
	const read = async () => {
		const [reply] = await db<{ campaignId: number | null; isWaiting: boolean }[]>`
			select reply_campaign_id as "campaignId", link_until is not null as "isWaiting" from chat_messages
			where account_id = ${accountId} and wamid = 'wamid.early'
		`
		return reply
	}
	assert.deepEqual({ ...(await read()) }, { campaignId: null, isWaiting: true })
	await db`update campaign_messages set wamid = ${sent.wamid} where account_id = ${accountId} and campaign_id = ${campaignId}`
	await link()
	await link()
	assert.deepEqual({ ...(await read()) }, { campaignId, isWaiting: false })
	const answers =
		await db`select 1 from campaign_replies where account_id = ${accountId} and campaign_id = ${campaignId}`
	assert.equal(answers.length, 1)
})

test('a reply to an unknown message is searched for until link_until, and then remains unlinked', async () => {
	const { accountId } = await sendingAccount(product, { contacts: 0, balancePaise: 0 })
	await receive(accountId, [
		{ from: '919800000001', id: 'wamid.stray', text: 'To an old message', quotes: 'wamid.gone' },
	])
	await product.db`update chat_messages set link_until = now() - interval '1 second' where account_id = ${accountId}`
	await link()
	const waiting = await product.db`
		select 1 from chat_messages where account_id = ${accountId} and link_until is not null
	`
	assert.equal(waiting.length, 0)
})

test('messages of one second keep the order of the webhook, for any ids', async () => {
	const { accountId } = await sendingAccount(product, { contacts: 0, balancePaise: 0 })
	const from = '919800000002'
	await receive(accountId, [
		{ from, id: 'wamid.z', text: 'First' },
		{ from, id: 'wamid.a', text: 'Second' },
	])
	await receive(accountId, [{ from, id: 'wamid.A', text: 'Third' }])
	const texts = await product.db<{ text: string }[]>`
		select body->>'text' as text from chat_messages where account_id = ${accountId} order by at, id
	`
	assert.deepEqual(
		texts.map(({ text }) => text),
		['First', 'Second', 'Third'],
	)
	const [chat] = await product.db<{ line: string; newest: string }[]>`
		select last_line as line, inbound_wamid as newest from chats where account_id = ${accountId}
	`
	assert.deepEqual({ ...chat }, { line: 'Third', newest: 'wamid.A' })
})
