import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { sendingRules } from '#features/delivery/contract.ts'
import { indianClock } from '#lib/dates.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { campaignWhen, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/scenes/shop.ts'
import { until } from '#test/until.ts'
import { quietUntilAllAccounts } from '../sending-rules-queries.ts'
import { listActiveAllAccounts } from './lease-queries.ts'

const product = await launchProduct()

/** Returns the time in India `minutes` from now, as in 21:00. */
const clock = (minutes: number) => indianClock(Date.now() + minutes * MINUTE_MS)

async function shop() {
	const sender = await sendingAccount(product, { contacts: 3, balancePaise: 1000 })
	const { url } = product.process
	const setQuiet = (quiet: { from: string; until: string } | null) =>
		call(url, sendingRules.saveRules, { body: { frequency: null, quiet }, token: sender.token })
	const detail = async (id: number) => {
		const given = { params: { id: String(id) }, query: { page: 1, limit: 1 }, token: sender.token }
		return (await call(url, campaigns.get, given)).body.campaign
	}
	return { sender, setQuiet, detail }
}

test('quiet hours hold from their beginning until their end, also over midnight', async () => {
	const { sender, setQuiet } = await shop()
	const { db } = product
	const isQuiet = async (from: number, to: number) => {
		await setQuiet({ from: clock(from), until: clock(to) })
		const [row] = await db<
			{ end: string | null }[]
		>`select ${quietUntilAllAccounts(db, db`${sender.accountId}::bigint`)} as end`
		return row?.end ?? null
	}
	assert.equal(await isQuiet(-10, 10), clock(10))
	// Quiet hours of nearly the whole day, which include midnight.
	assert.equal(await isQuiet(-10, -20), clock(-20))
	assert.equal(await isQuiet(10, 20), null)
	assert.equal(await isQuiet(20, -10), null)
	assert.equal(await isQuiet(-20, -10), null)
})

test('a campaign waits in quiet hours without a worker, shows their end, and continues after it; a test does not wait', async () => {
	const { sender, setQuiet, detail } = await shop()
	const end = clock(60)
	await setQuiet({ from: clock(-60), until: end })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'processing')
	const { templateId, token } = sender
	const body = { templateId, variables: { var1: 'Asha' }, number: '+919812345678' }
	const sent = await call(product.process.url, campaignPreflight.sendTest, { body, token })
	assert.equal(sent.status, 200, sent.body.message)
	const testId = Number(sent.body.campaign._id)
	await campaignWhen(product, { ...sender, campaignId: testId }, ({ status }) => status === 'completed')
	const waiting = await detail(campaignId)
	assert.deepEqual(
		[waiting.status, waiting.pendingCount, waiting.quietUntil, waiting.statusReason],
		['processing', 3, end, null],
	)
	await until(async () => (await listActiveAllAccounts(product.db, sender.accountId)).length === 0)
	await setQuiet(null)
	await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
	assert.equal((await detail(campaignId)).quietUntil, null)
})

test('a campaign that is being sent when quiet hours begin stops within seconds, and sends no message twice', async () => {
	const { sender, setQuiet } = await shop()
	const { db, simulator } = product
	await db`update senders set messages_per_second = 2 where account_id = ${sender.accountId}`
	const campaignId = await startCampaign(product, sender)
	await setQuiet({ from: clock(-60), until: clock(60) })
	await until(async () => (await listActiveAllAccounts(db, sender.accountId)).length === 0)
	await setQuiet(null)
	await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
	const counts = await simulator.control.receivedCounts()
	const rows = await db<{ number: string }[]>`select number from campaign_messages where campaign_id = ${campaignId}`
	assert.deepEqual(
		rows.map(({ number }) => counts[number]),
		[1, 1, 1],
	)
})

test('marketing that a program orders waits in quiet hours, and its utility messages do not', async () => {
	const my = await openShop(product, { balancePaise: 1000 })
	const setQuiet = (quiet: { from: string; until: string } | null) =>
		call(product.process.url, sendingRules.saveRules, { body: { frequency: null, quiet }, token: my.session })
	await setQuiet({ from: clock(-60), until: clock(60) })
	const marketing = (await my.send('919876500941')).body
	await product.db`update templates set category = 'UTILITY' where account_id = ${my.accountId}`
	const utility = (await my.send('919876500942')).body
	const isSent = (campaignId: string) => async () =>
		(await my.entries()).find(({ id }) => String(id) === campaignId)?.status === 'completed'
	await until(isSent(utility.campaignId))
	assert.equal((await product.simulator.control.received('919876500941')).accepted, 0)
	await setQuiet(null)
	await until(isSent(marketing.campaignId))
})
