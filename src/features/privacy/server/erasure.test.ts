import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contacts } from '#features/contacts/contract.ts'
import { settleStatusUpdates } from '#features/delivery/server/settlement/status-updates.ts'
import { notify } from '#features/notifications/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, launchProduct, moneyFindings, startCampaign } from '#test/full-stack.ts'
import { erasureScene } from '#test/scenes/erasure-scene.ts'
import { until } from '#test/until.ts'
import { privacy } from '../contract.ts'

const product = await launchProduct()
const db = product.db
const scene = erasureScene(product)

describe('data about one person', () => {
	test('privacy.download returns contact, opt-outs, chats and campaign messages of this person only', async () => {
		const { sender } = await scene.knownPerson()
		const answer = await scene.ask(sender, privacy.download, { query: { number: displayNumber(sender.number) } })
		assert.equal(answer.status, 200)
		const file = await (answer.body as unknown as Blob).text()
		const held = JSON.parse(file) as Record<string, unknown[]>
		assert.equal(held.contacts?.length, 1)
		assert.equal(held.optOutChanges?.length, 2)
		assert.equal(held.chatMessages?.length, 3)
		assert.equal(held.campaignMessages?.length, 2)
		for (const text of [
			`Where is my ${scene.xylophoneOf(sender)}?`,
			'/api/chats/media/',
			`Mr ${scene.nameOf(sender.number)}`,
		])
			assert.ok(file.includes(text), text)
		assert.ok(!file.includes('Contact 0'))
		const requests = await scene.ask(sender, privacy.requests)
		assert.deepEqual(requests.body.requests[0]?.counts, {
			contacts: 1,
			consents: 0,
			chatMessages: 3,
			files: 1,
			campaignMessages: 2,
			notes: 0,
		})
		await scene.erase(sender)
	})

	test('privacy.person returns 400 for an invalid phone number', async () => {
		const sender = await scene.newSender({ contacts: 0 })
		assert.equal((await scene.ask(sender, privacy.person, { query: { number: '12' } })).status, 400)
		assert.equal((await scene.erase(sender, 'nobody')).status, 400)
	})
})

describe('erasing one person', () => {
	test('privacy.erase leaves number, name, texts and files nowhere, and the books unchanged', async () => {
		const { sender, campaignId, wamids } = await scene.knownPerson()
		const accountId = sender.accountId
		assert.equal(wamids.length, 2)
		await db`
			insert into webhook_deliveries (account_id, body, kept_because) values
				(${accountId}, ${JSON.stringify({
					entry: [
						{
							changes: [
								{
									field: 'messages',
									value: {
										contacts: [{ wa_id: sender.number, profile: { name: scene.nameOf(sender.number) } }],
										messages: [{ from: sender.number, id: 'wamid.kept', text: { body: scene.xylophoneOf(sender) } }],
										statuses: [
											{ id: wamids[0], recipient_id: sender.number, status: 'read' },
											{ id: 'wamid.else', recipient_id: '919800000000' },
										],
									},
								},
							],
						},
					],
				})}, 'left aside'),
				(${accountId}, ${`not JSON ${sender.number}`}, 'not JSON')
		`
		const statusUpdate = {
			status: 'read',
			recipient: sender.number,
			callbackData: '',
			at: new Date(),
			errorCode: null,
			error: null,
		} as const
		await transaction(db, (sql) =>
			settleStatusUpdates(sql, accountId, { statusUpdates: [{ ...statusUpdate, wamid: 'wamid.early' }], notify }),
		)
		for (const text of scene.textsOf(sender).slice(0, 3))
			assert.notDeepEqual(await scene.findEverywhere(text), [], text)
		const walletBefore = await getWallet(db, accountId)
		const counts = (await campaignWhen(product, { ...sender, campaignId }, () => true)).total

		const erased = await scene.erase(sender)
		assert.equal(erased.status, 200)
		assert.deepEqual(erased.body.counts, {
			contacts: 1,
			consents: 0,
			chatMessages: 3,
			files: 1,
			campaignMessages: 2,
			notes: 0,
		})
		await until(async () => (await db`select 1 from jobs where kind = 'remove-media'`).length === 0)

		for (const text of [...scene.textsOf(sender), ...wamids])
			assert.deepEqual(await scene.findEverywhere(text), [], text)
		const [kept] = await db<{ body: string }[]>`select body from webhook_deliveries where account_id = ${accountId}`
		assert.match(kept?.body ?? '', /wamid\.else/)
		assert.deepEqual(await getWallet(db, accountId), walletBefore)
		assert.equal((await campaignWhen(product, { ...sender, campaignId }, () => true)).total, counts)
		assert.deepEqual(await moneyFindings(db), [])
		const [bytes] = await db`select bytes from account_storage where account_id = ${accountId}`
		assert.deepEqual(bytes, { bytes: 0 })
		const others = await db`
			select 1 from campaign_messages where account_id = ${accountId} and name like 'Contact %' and number like '9155%'
		`
		assert.equal(others.length, 2)
		assert.equal((await scene.ask(sender, contacts.list)).body.total, 2)
	})

	test('privacy.erase replaces a member of a control group by a code, and privacy.download names the member before', async () => {
		const sender = await scene.newSender({ contacts: 2, balancePaise: 1000 })
		const campaignId = await startCampaign(product, sender, { name: 'Holi', holdOutPercent: 50 })
		const [kept] = await db<{ number: string }[]>`
			select number from campaign_held_out where account_id = ${sender.accountId}
		`
		const number = kept?.number ?? ''
		const answer = await scene.ask(sender, privacy.download, { query: { number: displayNumber(number) } })
		const { keptOutOf } = JSON.parse(await (answer.body as unknown as Blob).text()) as { keptOutOf: object[] }
		assert.equal(keptOutOf.length, 1)
		assert.ok(JSON.stringify(keptOutOf).includes('Holi'))
		await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
		await scene.erase(sender, number)
		assert.deepEqual(await scene.findEverywhere(number), [])
		const rows = await db`select 1 from campaign_held_out where account_id = ${sender.accountId}`
		assert.equal(rows.length, 1)
		await until(async () => (await moneyFindings(db)).length === 0)
	})

	test('privacy.erase leaves the same number in another account unchanged', async () => {
		const one = await scene.newSender({ contacts: 0 })
		const other = { ...(await scene.newSender({ contacts: 0 })), number: one.number }
		await scene.addPerson(one)
		await scene.addPerson(other)
		await scene.erase(one)
		assert.equal((await scene.ask(other, privacy.person, { query: { number: one.number } })).body.counts.contacts, 1)
		assert.equal((await scene.ask(other, privacy.person, { query: { number: one.number } })).body.isErased, false)
		await scene.erase(other)
	})

	test('status updates after the erasure settle the message, with and without our id', async () => {
		const sender = await scene.newSender({ contacts: 0, balancePaise: 1000 })
		const accountId = sender.accountId
		await scene.addPerson(sender)
		await product.simulator.control.holdWebhooks({ waba_id: sender.credentials.waba_id })
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.sent === 1)
		const [row] = await db<{ wamid: string }[]>`select wamid from campaign_messages where account_id = ${accountId}`
		const wamid = row?.wamid ?? ''
		await scene.erase(sender)
		const failed = { status: 'failed', errorCode: 131026, error: 'Undeliverable', at: new Date() } as const
		const statusUpdates = [{ ...failed, wamid, recipient: sender.number, callbackData: '' }]
		await transaction(db, (sql) => settleStatusUpdates(sql, accountId, { statusUpdates, notify }))
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.failed === 1)
		await product.simulator.control.releaseWebhooks({ waba_id: sender.credentials.waba_id })
		await campaignWhen(product, { ...sender, campaignId }, (c) => c.delivered + c.read === 1)
		assert.deepEqual(await moneyFindings(db), [])
		// An inbound webhook is stored until it is processed, and another may follow.
		for (const text of [sender.number, wamid]) await until(async () => (await scene.findEverywhere(text)).length === 0)
	})
})
