import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sendTest } from '#features/campaigns/server/creation/single-message.ts'
import { chats, type ChatMessage } from '#features/chats/contract.ts'
import { recordWhatsappIds } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { privacy } from '#features/privacy/contract.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { until } from '#test/until.ts'

type Account = Awaited<ReturnType<typeof sendingAccount>>

const product = await launchProduct({ statuses: { readRate: 1 } })

/** Returns the number of a contact that `sendingAccount` creates. */
const numberOf = ({ accountId }: Account, contact = 0) =>
	`9155${String(accountId).padStart(3, '0')}${String(contact).padStart(6, '0')}`

const newSender = (contacts = 1) => sendingAccount(product, { contacts, balancePaise: 100_000 })

async function conversationOf(
	sender: Account,
	number = numberOf(sender),
	query: { limit?: number; before?: string } = {},
) {
	const { url } = product.process
	return (
		await call(url, chats.messages, { params: { number }, query: { limit: 1000, ...query }, token: sender.token })
	).body
}

const listOf = async ({ token }: Account) =>
	(await call(product.process.url, chats.contacts, { query: { search: '', limit: 50 }, token })).body.contacts

const write = ({ credentials }: Account, from: string, message: object) =>
	product.simulator.control.sendInbound({ phone_number_id: credentials.phone_number_id, from, ...message })

/** Sends a campaign to all contacts and waits until each message is read or failed. Returns its id. */
async function sendCampaign(sender: Account, name: string): Promise<number> {
	const campaignId = await startCampaign(product, sender, { name })
	await campaignWhen(product, { ...sender, campaignId }, ({ read, failed, total }) => read + failed === total)
	return campaignId
}

const wamidOf = async ({ accountId }: Account, campaignId: number) => {
	const [row] = await product.db<{ wamid: string }[]>`
		select wamid from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId} and seq = 1
	`
	return row?.wamid ?? ''
}

suite('the conversation of a campaign’s recipient', () => {
	test('shows the campaign’s message, without a row, a chat in the list, or a message for another account', async () => {
		const sender = await newSender(2)
		const campaignId = await sendCampaign(sender, 'Diwali offer')
		const { messages, contact, windowExpiresAt } = await conversationOf(sender, numberOf(sender, 1))
		const [message] = messages
		assert.equal(messages.length, 1)
		assert.deepEqual(message?.campaign, { _id: String(campaignId), name: 'Diwali offer' })
		assert.deepEqual(
			[message.from, message.kind, message.text, message.status],
			['me', 'template', 'Hello Contact 1, welcome!', 'read'],
		)
		assert.equal(message.components?.[0]?.text, 'Hello Contact 1, welcome!')
		assert.deepEqual([contact.name, contact.type, contact.timestamp], ['Contact 1', 'contact', null])
		assert.equal(windowExpiresAt, null)
		const rows = await product.db`select 1 from chat_messages where account_id = ${sender.accountId}`
		assert.deepEqual([rows.length, await listOf(sender)], [0, []])
		const stranger = await newSender(0)
		assert.deepEqual((await conversationOf(stranger, numberOf(sender, 1))).messages, [])
	})

	test('shows a test and a failed message with its reason, and omits a message that was never sent', async () => {
		const sender = await newSender()
		const [number, refused] = [numberOf(sender), '919800000041']
		await startCampaign(product, sender, LATER)
		await product.simulator.control.addFault({ call: 'messages', to: refused, kind: 'error', code: 131026 })
		const { context } = product.process
		for (const to of [number, refused]) {
			const form = { number: to, templateId: sender.templateId, variables: { var1: 'Asha' } }
			await sendTest(context.db, sender.accountId, form)
		}
		await until(async () => (await conversationOf(sender, refused)).messages[0]?.status === 'failed')
		await until(async () => (await conversationOf(sender)).messages[0]?.status === 'read')
		const [failed] = (await conversationOf(sender, refused)).messages
		assert.match(failed?.error ?? '', /cannot be reached/)
		const { messages } = await conversationOf(sender)
		assert.deepEqual(
			messages.map(({ campaign, text }) => [campaign?.name, text]),
			[['Test of Hello', 'Hello Asha, welcome!']],
		)
		await product.db`
			update campaign_messages set status = 'failed', error_code = -2, sent_at = null where account_id = ${sender.accountId}
		`
		assert.deepEqual((await conversationOf(sender)).messages, [], 'cancelled before it was sent')
	})

	test('shows a template that was sent from the chat once, as a message of the chat', async () => {
		const sender = await newSender()
		const number = numberOf(sender)
		await sendCampaign(sender, 'First')
		const body = { number, templateId: sender.templateId, variables: { var1: 'Asha' } }
		assert.equal((await call(product.process.url, chats.sendTemplate, { body, token: sender.token })).status, 200)
		const { messages } = await conversationOf(sender)
		assert.deepEqual(
			messages.map(({ campaign, text }) => [campaign?.name ?? null, text]),
			[
				['First', 'Hello Contact 0, welcome!'],
				[null, 'Hello Asha, welcome!'],
			],
		)
	})

	test('is empty for an erased person', async () => {
		const sender = await newSender()
		const number = numberOf(sender)
		await sendCampaign(sender, 'Diwali offer')
		await until(async () => {
			const open =
				await product.db`select 1 from campaigns where account_id = ${sender.accountId} and finished_at is null`
			return open.length === 0
		})
		const erased = await call(product.process.url, privacy.erase, { body: { number }, token: sender.token })
		assert.equal(erased.status, 200, JSON.stringify(erased.body))
		assert.deepEqual((await conversationOf(sender)).messages, [])
	})

	test('shows messages to another number that WhatsApp identifies with this one', async () => {
		const sender = await newSender()
		const campaignId = await sendCampaign(sender, 'Diwali offer')
		const waId = `${numberOf(sender)}9`.slice(1)
		await transaction(product.db, (sql) =>
			recordWhatsappIds(sql, sender.accountId, [{ number: numberOf(sender), waId }]),
		)
		const { messages } = await conversationOf(sender, waId)
		assert.deepEqual(
			messages.map(({ id }) => id),
			[`campaign:${campaignId}:1`],
		)
	})
})

const at = (second: number) => `2026-10-01T10:00:0${second}.123456Z`
const wordOf = ({ campaign, text }: ChatMessage) => campaign?.name ?? text

test('chats.messages returns pages of chat and campaign messages by time without a gap or a repetition', async () => {
	const sender = await newSender()
	const number = numberOf(sender)
	const { db } = product
	for (const name of ['A', 'B', 'C']) await sendCampaign(sender, name)
	for (let count = 1; count <= 5; count++) await write(sender, number, { content: { body: String(count) } })
	await until(async () => (await conversationOf(sender)).messages.length === 8)
	// Campaign messages in seconds 2, 4 and 4, chat messages in seconds 1 to 5. Some share a second, and all share the
	// microseconds.
	const names = { A: 2, B: 4, C: 4 }
	for (const [name, second] of Object.entries(names))
		await db`
			update campaign_messages m set sent_at = ${at(second)} from campaigns c
			where m.account_id = ${sender.accountId} and c.account_id = m.account_id and c.id = m.campaign_id and c.name = ${name}
		`
	for (let second = 1; second <= 5; second++)
		await db`
			update chat_messages set at = ${at(second)} where account_id = ${sender.accountId} and body ->> 'text' = ${String(second)}
		`
	for (const limit of [1, 2, 3, 7, 8, 50]) {
		const seen: string[] = []
		for (let last: string | undefined; ;) {
			const page = await conversationOf(sender, number, { limit, ...(last && { before: last }) })
			seen.unshift(...page.messages.map(wordOf))
			last = page.messages[0]?.id
			if (!page.hasMore) break
			assert.equal(page.messages.length, limit)
		}
		assert.equal(seen.join(' '), '1 A 2 3 B C 4 5', `in pages of ${limit}`)
	}
})

test('a reply, a reaction and our own answer name the campaign’s message, and the list shows the status of our last message', async () => {
	const sender = await newSender()
	const number = numberOf(sender)
	const campaignId = await sendCampaign(sender, 'Diwali offer')
	const wamid = await wamidOf(sender, campaignId)
	const id = `campaign:${campaignId}:1`
	await write(sender, number, { content: { body: 'Two please' }, context_id: wamid })
	await until(async () => (await conversationOf(sender)).messages.length === 2)
	const quote = {
		id,
		text: 'Hello Contact 0, welcome!',
		campaign: { _id: String(campaignId), name: 'Diwali offer' },
	}
	assert.deepEqual((await conversationOf(sender)).messages[1]?.replyTo, quote)
	assert.deepEqual(
		(await listOf(sender)).map(({ lastMessage, lastStatus }) => [lastMessage, lastStatus]),
		[['Two please', null]],
	)
	await write(sender, number, { type: 'reaction', content: { message_id: wamid, emoji: '❤️' } })
	await until(async () => (await conversationOf(sender)).messages[0]?.reactions[0]?.emoji === '❤️')

	const body = { number, message: 'Which size?', replyTo: id }
	const sent = await call(product.process.url, chats.send, { body, token: sender.token })
	assert.equal(sent.status, 200, sent.body.message)
	assert.deepEqual(sent.body.newMessage.replyTo, quote)
	const { messages } = await product.simulator.control.received(number)
	assert.match(JSON.stringify(messages.at(-1)?.payload), new RegExp(`"message_id":"${wamid}"`))
	await until(async () => (await listOf(sender))[0]?.lastStatus === 'read')
	assert.equal((await listOf(sender))[0]?.lastMessage, 'Which size?')

	const stranger = await newSender(0)
	const stolen = await call(product.process.url, chats.send, { body, token: stranger.token })
	assert.equal(stolen.status, 404)
})

test('chats.media serves the files of a template’s header and cards only to its account', async () => {
	const sender = await newSender()
	const { db, process } = product
	const campaignId = await sendCampaign(sender, 'Diwali offer')
	const key = `${sender.accountId}/headers/1/sale.png`
	const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
	await process.context.storage.put(key, bytes)
	await db`
		update campaigns set header_file = ${key}, card_files = array[${key}, null] where account_id = ${sender.accountId} and id = ${campaignId}
	`
	const [message] = (await conversationOf(sender)).messages
	assert.deepEqual([message?.mediaType, message?.mediaName, message?.mediaState], ['image/png', 'sale.png', 'ready'])
	const [first, second] = message?.cardMedia ?? []
	assert.deepEqual([first?.type, second], ['image/png', null])
	const get = (path = '', { token }: Account = sender) =>
		fetch(process.url + path, { headers: { authorization: `Bearer ${token}` } })
	for (const path of [message?.mediaUrl ?? '', first?.url]) {
		const response = await get(path)
		assert.deepEqual(
			[response.status, response.headers.get('content-type'), Buffer.from(await response.arrayBuffer())],
			[200, 'image/png', bytes],
		)
		assert.equal((await get(path, await newSender(0))).status, 404)
	}
	assert.equal((await get(first?.url.replace('card=1', 'card=2'))).status, 404)
})
