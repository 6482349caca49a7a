import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { campaignForm, campaignWhen, LATER, launchProduct, moneyFindings, startCampaign } from '#test/full-stack.ts'
import { erasureScene } from '#test/scenes/erasure-scene.ts'
import { until } from '#test/until.ts'
import { privacy } from '../contract.ts'

const product = await launchProduct()
const db = product.db
const scene = erasureScene(product)

describe('an erased person', () => {
	test('an erased person remains opted out after an import, a test message, a chat template and an incoming message', async () => {
		const sender = await scene.newSender({ contacts: 1, balancePaise: 10_000 })
		await scene.addPerson(sender)
		await scene.erase(sender)
		const rows = [{ firstName: 'Zebulon', lastName: '', number: sender.number }]
		assert.equal((await scene.ask(sender, contacts.addMany, { body: { contacts: rows } })).body.savedContacts, 1)
		const [row] = (await scene.ask(sender, contacts.list, { query: { search: 'Zebulon' } })).body.contacts
		assert.equal(row?.optedOut, true)
		const campaignId = await startCampaign(product, sender)
		const done = await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending === 0)
		assert.equal(done.total, 1)

		const body = { number: sender.number, templateId: sender.templateId, variables: { var1: 'you' } }
		const refused = await scene.ask(sender, campaignPreflight.sendTest, { body })
		assert.deepEqual([refused.status, refused.body.message], [400, 'This campaign has no recipients'])
		const template = { number: sender.number, templateId: sender.templateId, variables: { var1: 'you' } }
		assert.notEqual((await scene.ask(sender, chats.sendTemplate, { body: template })).status, 200)
		await scene.write(sender, { content: { body: 'Hello again' } })
		await until(async () => (await scene.messagesOf(sender)).length === 1)
		const [chat] = (await scene.ask(sender, chats.contacts)).body.contacts
		assert.equal(chat?.optedOut, true)
		const stored = await db`select 1 from opt_outs where account_id = ${sender.accountId} and number = ${sender.number}`
		assert.equal(stored.length, 0, 'the number itself is in no opt-out')
		await scene.erase(sender)
	})

	test('an erased person receives marketing again after sending START', async () => {
		const sender = await scene.newSender({ contacts: 0, balancePaise: 1000 })
		await scene.addPerson(sender)
		await scene.erase(sender)
		await scene.addPerson(sender)
		await scene.write(sender, { content: { body: 'START' } })
		const campaign = () => createCampaign(product.process.context, sender.accountId, campaignForm(sender.templateId))
		await until(
			async () => !(await scene.ask(sender, privacy.person, { query: { number: sender.number } })).body.isOptedOut,
		)
		await campaignWhen(product, { ...sender, campaignId: await campaign() }, (c) => c.pending === 0 && c.failed === 0)
		await scene.erase(sender)
	})
})

describe('erasing a person with pending campaign messages', () => {
	test('a campaign skips the erased person, releases the price of that message, and sends to each other recipient once', async () => {
		const sender = await scene.newSender({ contacts: 100, balancePaise: 20_000, perSecond: 15 })
		await scene.addPerson(sender)
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending < 100)
		assert.equal((await scene.erase(sender)).status, 200)
		const done = await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending === 0 && c.sent === 0)
		assert.deepEqual([done.total, done.failed, done.delivered + done.read], [101, 1, 100])
		const received = await product.simulator.control.receivedCounts()
		const prefix = `9155${String(sender.accountId).padStart(3, '0')}`
		const ours = Object.entries(received).filter(([number]) => number.startsWith(prefix))
		assert.deepEqual([ours.length, ours.every(([, count]) => count === 1)], [100, true])
		assert.deepEqual(await getWallet(db, sender.accountId), { availablePaise: 20_000 - 10_000, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(db), [])
		assert.deepEqual(await scene.findEverywhere(sender.number), [])
	})

	test('an erasure keeps the other recipients of a scheduled campaign', async () => {
		const sender = await scene.newSender({ contacts: 1, balancePaise: 1000 })
		await scene.addPerson(sender)
		const campaignId = await startCampaign(product, sender, LATER)
		await scene.erase(sender)
		const [message] = await db<{ values: string[] }[]>`
			select merge_values as values from campaign_messages
			where account_id = ${sender.accountId} and campaign_id = ${campaignId} and number like 'erased:%'
		`
		assert.deepEqual(message, { values: [null] })
		await db`update campaigns set opens_at = now() where id = ${campaignId}`
		const done = await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending === 0 && c.sent === 0)
		assert.deepEqual([done.failed, done.delivered + done.read], [1, 1])
		assert.deepEqual(await moneyFindings(db), [])
	})

	test('the second pass of an erasure erases data that arrived after the first', async () => {
		const sender = await scene.newSender({ contacts: 0 })
		await scene.erase(sender)
		await scene.addPerson(sender)
		await db`update jobs set due_at = now() where kind = 'erase-again'`
		await until(async () => (await scene.findEverywhere(sender.number)).length === 0)
		const [request] = (await scene.ask(sender, privacy.requests)).body.requests
		assert.equal(request?.counts.contacts, 1)
	})

	test('the second pass of an erasure erases data that arrived under the WhatsApp id of the number', async () => {
		const sender = await scene.newSender({ contacts: 0 })
		const [number, waId] = [
			`5511987${String(sender.accountId).padStart(6, '0')}`,
			`551187${String(sender.accountId).padStart(6, '0')}`,
		]
		await db`insert into whatsapp_ids (account_id, number, wa_id) values (${sender.accountId}, ${number}, ${waId})`
		await scene.erase({ ...sender, number })
		await db`
			insert into chats (account_id, key, last_at, profile_name) values (${sender.accountId}, ${waId}, now(), 'Ana')
		`
		await db`update jobs set due_at = now() where kind = 'erase-again'`
		await until(async () => (await scene.findEverywhere(waId)).length === 0)
	})
})
