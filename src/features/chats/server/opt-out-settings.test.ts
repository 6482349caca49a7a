import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chats, type ChatSettingsBody, type QuickReply } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { campaignWhen, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { receiveMessages } from './inbound/receive.ts'

const product = await launchProduct()
const sender = await sendingAccount(product, { contacts: 2, balancePaise: 5000 })

let numbers = 0
const newNumber = () => `9199001${String(++numbers).padStart(5, '0')}`

/** Returns a text as WhatsApp delivers it, written `secondsAgo`. */
function textFrom(number: string, text: string, secondsAgo: number, id = `wamid.${number}.${secondsAgo}`) {
	const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo)
	return { messages: [{ from: number, id, timestamp, type: 'text', text: { body: text } }] }
}

const receive = (...values: unknown[]) =>
	transaction(product.db, (sql) => receiveMessages(sql, sender.accountId, values))

async function optOutOf(number: string) {
	const { body } = await call(product.process.url, contacts.optedOut, {
		query: { search: number, page: 1, limit: 10 },
		token: sender.token,
	})
	return body.optedOut[0]
}

const REPLIES = { confirms: false, optOutText: 'You are out.', optInText: 'Welcome back.' }

const save = (settings: Partial<ChatSettingsBody>) =>
	call(product.process.url, chats.saveSettings, { body: { ...REPLIES, ...settings }, token: sender.token })

async function saved(settings: Partial<ChatSettingsBody>) {
	const answer = await save(settings)
	assert.equal(answer.status, 200, answer.body.message)
	return answer.body
}

const insertTemplate = (accountId: AccountId, { template, text }: QuickReply) => product.db`
	insert into templates (account_id, template_id, name, language, status, category, components)
	values (${accountId}, ${`meta-${template}`}, ${template}, 'en', 'APPROVED', 'MARKETING', ${JSON.stringify([
		{ type: 'BODY', text: 'Our fair' },
		{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text }] },
	])}::jsonb)
`

/** Returns an edit of a message as WhatsApp delivers it. */
const edited = (number: string, body: string) => ({
	messages: [
		{
			from: number,
			id: `wamid.edit.${number}`,
			timestamp: String(Math.floor(Date.now() / 1000) - 5),
			type: 'edit',
			edit: { original_message_id: `wamid.${number}.20`, message: { type: 'text', text: { body } } },
		},
	],
})

/** Returns a tap on a quick reply, with the quoted message when it is known. */
const tap = (number: string, text: string, quoted?: string) => ({
	messages: [
		{
			from: number,
			id: `wamid.tap.${number}`,
			timestamp: String(Math.floor(Date.now() / 1000) - 5),
			type: 'button',
			button: { text, payload: text },
			...(quoted && { context: { id: quoted } }),
		},
	],
})

test('an edit of a message into STOP opts its number out, and an edit into another text does not', async () => {
	const [first, second] = [newNumber(), newNumber()]
	await receive(textFrom(first, 'Sop', 20), edited(first, 'Stop. Thank you'))
	await receive(textFrom(second, 'Hello', 20), edited(second, 'Hello there'))
	assert.equal((await optOutOf(first))?.because, 'reply')
	assert.equal(await optOutOf(second), undefined)
	await receive(textFrom(first, 'START', 1))
	await receive(edited(first, 'Stop. Thank you'))
	assert.equal(await optOutOf(first), undefined, 'a repeated delivery of the edit is older than START')
})

test('an account’s own words opt out only its own customers, and everyday words are refused', async () => {
	const other = await sendingAccount(product, { contacts: 0, balancePaise: 0 })
	const { settings } = await saved({ optOutWords: ['Bye bye', 'bye-bye', 'nako re'] })
	assert.deepEqual(settings.optOutWords.length, 2)
	const number = newNumber()
	await receive(textFrom(number, 'Bye bye, thanks', 5))
	assert.equal((await optOutOf(number))?.because, 'reply')
	const stays = newNumber()
	await transaction(product.db, (sql) => receiveMessages(sql, other.accountId, [textFrom(stays, 'Bye bye', 5)]))
	const outs = await product.db`select from opt_outs where account_id = ${other.accountId}`
	assert.equal(outs.length, 0)
	for (const word of ['ok', 'Start', '🙏']) {
		const refused = await save({ optOutWords: [word] })
		assert.equal(refused.status, 400)
		assert.ok(refused.body.message?.includes(word))
	}
	const tooMany = await save({ optOutWords: Array.from({ length: 51 }, (_, index) => `word${index}`) })
	assert.equal(tooMany.status, 400)
	assert.equal((await saved({})).settings.optOutWords.length, 2, 'words that are left out stay')
	assert.deepEqual((await saved({ optOutWords: [] })).settings.optOutWords, [])
})

test('a tap on a quick reply that the account chose opts out, by its template, and other accounts’ templates are refused', async () => {
	const other = await sendingAccount(product, { contacts: 0, balancePaise: 0 })
	const [marked, twin] = [
		{ template: 'fair_offer', text: 'Not for me' },
		{ template: 'fair_survey', text: 'Not for me' },
	]
	await insertTemplate(sender.accountId, marked)
	await insertTemplate(sender.accountId, twin)
	await insertTemplate(other.accountId, { template: 'their_offer', text: 'Enough' })
	const { body } = await call(product.process.url, chats.quickReplies, { token: sender.token })
	assert.deepEqual(body.quickReplies, [marked, twin])
	const stranger = await save({ optOutButtons: [{ template: 'their_offer', text: 'Enough' }] })
	assert.equal(stranger.status, 400)
	assert.match(stranger.body.message ?? '', /no quick reply "Enough"/)
	assert.deepEqual((await saved({ optOutButtons: [marked, marked] })).settings.optOutButtons, [marked])

	const sentOf = async (template: string, number: string) => {
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { accountId: sender.accountId, campaignId }, ({ status }) => status === 'completed')
		await product.db`
			update campaigns set template = template || ${JSON.stringify({ name: template })}::jsonb where id = ${campaignId}
		`
		const [message] = await product.db<{ wamid: string }[]>`
			update campaign_messages set number = ${number} where campaign_id = ${campaignId} and seq = 1 returning wamid
		`
		return message?.wamid
	}
	const [tapped, onTwin, unknown, typed] = [newNumber(), newNumber(), newNumber(), newNumber()]
	await receive(tap(tapped, marked.text, await sentOf(marked.template, tapped)))
	await receive(tap(onTwin, twin.text, await sentOf(twin.template, onTwin)))
	await receive(tap(unknown, marked.text, 'wamid.of.a.removed.month'))
	await receive(textFrom(typed, marked.text, 5))
	assert.equal((await optOutOf(tapped))?.because, 'reply')
	assert.equal(await optOutOf(onTwin), undefined, 'the twin of another template is not marked')
	assert.equal((await optOutOf(unknown))?.because, 'reply', 'its template is no longer known')
	assert.equal(await optOutOf(typed), undefined, 'the text was typed, not tapped')
	await transaction(product.db, (sql) => receiveMessages(sql, other.accountId, [tap(newNumber(), 'Enough')]))
	assert.equal((await product.db`select from opt_outs where account_id = ${other.accountId}`).length, 0)
})

test('STOP under the other form of a Brazilian, Mexican or Argentine number opts out a contact that has received no message', async () => {
	for (const [number, waId] of [
		['5511987654321', '551187654321'],
		['525512345678', '5215512345678'],
		['5491123456789', '541123456789'],
	] as const) {
		await insertContacts(product.db, sender.accountId, [{ firstName: 'Ana', lastName: null, number, groupId: null }])
		await receive(textFrom(waId, 'STOP', 5))
		const [row] = await product.db<{ because: string | null }[]>`
			select opted_out_because as because from contacts where account_id = ${sender.accountId} and number = ${number}
		`
		assert.equal(row?.because, 'reply', number)
		const query = { search: '', page: 1, limit: 10 }
		const page = await call(product.process.url, contacts.optedOut, { query, token: sender.token })
		assert.deepEqual(
			page.body.optedOut
				.filter((one) => one.number === number || one.number === waId)
				.map((one) => [one.number, one.name]),
			[[number, 'Ana']],
		)
	}
})
