import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { cancelCampaign } from '#features/delivery/server/service.ts'
import { changePrices } from '#features/pricing/server/service.ts'
import { setStatus } from '#features/users/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { account } from '#test/factories.ts'
import { launchProduct, moneyFindings, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import {
	comeDue,
	dueInDays,
	followUp,
	latestRetry,
	notesOf,
	read,
	updateStatuses,
	retriesOf,
	sentCampaign,
	type Sent,
} from '#test/scenes/throttled.ts'
import { createFollowUps } from './follow-up.ts'

const PRICE_PAISE = 100

// No worker: these tests deliver the status updates themselves.
const product = await launchProduct({ env: { ROLE: 'http' } })
const admin = await account(product.process.context, { role: 'admin' })
const actor = { adminId: Number(admin.userId), ip: '192.0.2.1' }

test('a throttled message fails and is free, and a follow-up is due a day after the first one', async () => {
	const sent = await sentCampaign(product, 2)
	await updateStatuses(sent, ['sent', null])
	await updateStatuses(sent, [THROTTLED_CODE, null])
	assert.equal(await dueInDays(sent), 1)
	const { followUpAt } = await read(sent)
	await updateStatuses(sent, [null, THROTTLED_CODE])
	const campaign = await read(sent)
	assert.deepEqual([campaign.status, campaign.failed, campaign.followUpAt], ['completed', 2, followUpAt])
	assert.deepEqual(await getWallet(product.db, sent.sender.accountId), { availablePaise: 200, heldPaise: 0 })
})

test('no follow-up is due without retryThrottled, or for messages that failed for another reason', async () => {
	const without = await sentCampaign(product, 1, { retryThrottled: false })
	await updateStatuses(without, [THROTTLED_CODE])
	const other = await sentCampaign(product, 1)
	await updateStatuses(other, [131026])
	assert.deepEqual([await dueInDays(without), await dueInDays(other)], [null, null])
})

test('createFollowUps sends the throttled messages alone again, with their values, when they are due and once', async () => {
	const sent = await sentCampaign(product, 4)
	await updateStatuses(sent, [THROTTLED_CODE, 'delivered', 131026, THROTTLED_CODE])
	await createFollowUps(product.process.context)
	assert.deepEqual(await retriesOf(sent), [], 'before its time')
	await followUp(sent)
	await followUp(sent)
	const { name } = await read(sent)
	const retries = (await retriesOf(sent)).map(({ id: _id, ...retry }) => retry)
	const expected = { of: sent.campaignId, name: `${name} (follow-up 1)`, to: '03', pricePaise: PRICE_PAISE }
	assert.deepEqual(retries, [expected])
	const rows = await product.db<{ values: string[] }[]>`
		select merge_values as values from campaign_messages
		where campaign_id = ${(await latestRetry(sent)).campaignId} order by seq
	`
	assert.deepEqual(
		rows.map(({ values }) => values),
		[['Contact 0'], ['Contact 3']],
	)
	assert.deepEqual([await dueInDays(sent), await notesOf(sent)], [null, []])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('messages throttled again get a second follow-up after 2 days and a third after 4 days, and no fourth', async () => {
	const sent = await sentCampaign(product, 1)
	let latest = sent
	for (const days of [1, 2, 4]) {
		await updateStatuses(latest, [THROTTLED_CODE])
		assert.equal(await dueInDays(latest), days)
		await followUp(sent)
		latest = await latestRetry(sent)
	}
	await updateStatuses(latest, [THROTTLED_CODE])
	assert.equal(await dueInDays(latest), null)
	const names = (await retriesOf(sent)).map(({ name }) => name.replace(/^Campaign \w+ /, ''))
	assert.deepEqual(names, ['(follow-up 1)', '(follow-up 2)', '(follow-up 3)'])
	assert.deepEqual(await getWallet(product.db, sent.sender.accountId), { availablePaise: PRICE_PAISE, heldPaise: 0 })
})

for (const { now, charged } of [
	{ now: 250, charged: PRICE_PAISE },
	{ now: 40, charged: 40 },
]) {
	test(`a follow-up of a message that was agreed to at 100 paise costs ${charged} when the price is ${now} by then`, async () => {
		const sent = await sentCampaign(product, 1)
		await updateStatuses(sent, [THROTTLED_CODE])
		const prices = { marketingPaise: now, utilityPaise: 30 }
		await changePrices(product.process.context, sent.sender.userId, { ...prices, actor })
		await followUp(sent)
		assert.deepEqual(
			(await retriesOf(sent)).map(({ pricePaise }) => pricePaise),
			[charged],
		)
	})
}

test('a follow-up to another country costs no more than the message did, whatever its country costs by then', async () => {
	const sent = await sentCampaign(product, 2, { balancePaise: 1000 })
	const { accountId } = sent.sender
	await product.db`
		update campaign_messages set number = '971500000001' where campaign_id = ${sent.campaignId} and seq = 1
	`
	await updateStatuses(sent, [THROTTLED_CODE, THROTTLED_CODE])
	await product.db`
		insert into market_prices (account_id, market, category, price_paise) values (${accountId}, 'AE', 'marketing', 400)
	`
	await followUp(sent)
	assert.equal((await retriesOf(sent)).length, 1)
	assert.deepEqual(await getWallet(product.db, accountId), { availablePaise: 800, heldPaise: 200 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a follow-up keeps the category that was agreed to when its template has another one, so that the opening pauses the campaign for the new price', async () => {
	const sent = await sentCampaign(product, 1)
	await updateStatuses(sent, [THROTTLED_CODE])
	await product.db`update templates set category = 'UTILITY' where account_id = ${sent.sender.accountId}`
	await followUp(sent)
	const { template, pricePaise } = await read(await latestRetry(sent))
	assert.deepEqual([template.category, pricePaise], ['MARKETING', PRICE_PAISE])
})

const OBSTACLES: { what: string; plant: (sent: Sent) => PromiseLike<unknown>; words: RegExp }[] = [
	{
		what: 'its template is not approved any more',
		plant: ({ sender }) => product.db`update templates set status = 'PAUSED' where account_id = ${sender.accountId}`,
		words: /template "hello" is not approved\. Once that is solved, use "Retry failed" in its report\.$/,
	},
	{
		what: 'the wallet is short',
		plant: ({ sender }) => startCampaign(product, sender),
		words: /needs ₹1\.00, but the wallet has ₹0\.00\. Please recharge\. Once that is solved, use "Retry failed"/,
	},
	{
		what: 'the account is not in use',
		plant: ({ sender }) => setStatus(product.process.context, actor, { id: sender.userId, isActive: false }),
		words: /Your account was not in use at that time\. Once that is solved, use "Retry failed"/,
	},
	{
		what: 'everybody has opted out since',
		plant: async ({ sender: { accountId } }) => {
			const rows = await product.db<{ number: string }[]>`select number from contacts where account_id = ${accountId}`
			await optOutNumbers(product.db, accountId, { numbers: rows.map(({ number }) => number), because: 'reply' })
		},
		words: /recipients have been reached, have opted out or have got enough marketing since\.$/,
	},
]

for (const { what, plant, words } of OBSTACLES) {
	test(`createFollowUps notifies the account once, and creates nothing, when ${what}`, async () => {
		const sent = await sentCampaign(product, 1)
		await updateStatuses(sent, [THROTTLED_CODE])
		await plant(sent)
		await followUp(sent)
		await followUp(sent)
		const notes = await notesOf(sent)
		assert.deepEqual([await retriesOf(sent), notes.length, await dueInDays(sent)], [[], 1, null])
		assert.match(notes[0] ?? '', words)
		assert.deepEqual(await moneyFindings(product.db), [])
	})
}

const losingConnection = () => Promise.reject(new Error('the connection is gone'))

test('a follow-up whose notification cannot be written is still due, and is refused with a notification the next time', async () => {
	const sent = await sentCampaign(product, 1)
	await updateStatuses(sent, [THROTTLED_CODE])
	await startCampaign(product, sent.sender)
	await comeDue(sent)
	const { context } = product.process
	assert.equal(await createFollowUps({ ...context, notify: losingConnection }), 0)
	assert.notEqual(await dueInDays(sent), null)
	assert.equal(await createFollowUps(context), 1)
	assert.equal((await notesOf(sent)).length, 1)
})

test('createFollowUps waits for a campaign that is not completed, and leaves out one that is cancelled', async () => {
	const sent = await sentCampaign(product, 2)
	await updateStatuses(sent, [THROTTLED_CODE])
	await followUp(sent)
	assert.deepEqual(await retriesOf(sent), [])
	await updateStatuses(sent, [null, 'sent'])
	await followUp(sent)
	assert.equal((await retriesOf(sent)).length, 1)
	const cancelled = await sentCampaign(product, 2)
	await updateStatuses(cancelled, [THROTTLED_CODE])
	await cancelCampaign(product.process.context, cancelled.sender.accountId, String(cancelled.campaignId))
	await updateStatuses(cancelled, [null, 'sent'])
	await followUp(cancelled)
	assert.deepEqual([await retriesOf(cancelled), await notesOf(cancelled)], [[], []])
})

test('campaigns.get returns the time of the follow-up, and later the campaigns in both directions', async () => {
	const sent = await sentCampaign(product, 2)
	await updateStatuses(sent, [THROTTLED_CODE, 'sent'])
	const get = async (campaignId: number) => {
		const given = { params: { id: String(campaignId) }, query: { page: 1, limit: 1 } }
		return (await call(product.process.url, campaigns.get, { ...given, token: sent.sender.token })).body.campaign
	}
	const due = await get(sent.campaignId)
	const at = (await read(sent)).followUpAt?.toISOString()
	assert.deepEqual([due.followUp, due.retries], [{ at, heldBackCount: 1 }, []])
	await followUp(sent)
	const { id, name } = (await retriesOf(sent))[0] ?? { id: 0, name: '' }
	const done = await get(sent.campaignId)
	assert.deepEqual([done.followUp, done.retries], [null, [{ _id: String(id), name }]])
	assert.deepEqual((await get(id)).retryOf, { _id: String(sent.campaignId), name: due.name })
})
