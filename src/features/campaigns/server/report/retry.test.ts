import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { launchProduct, moneyFindings } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { claimed, read, retriesOf, sentCampaign, updateStatuses, type Sent } from '#test/scenes/sent-campaign.ts'
import { retryFailed } from './retry-service.ts'

/** A failure that may be temporary. */
const OVERLOADED = 131056

// No worker: these tests deliver the status updates themselves.
const product = await launchProduct({ env: { ROLE: 'http' } })

const retry = async (sent: Sent) =>
	retryFailed(product.db, sent.sender.accountId, { campaign: await read(sent), requestId: null })

/** Retries a campaign. Returns the new campaign as if a worker had sent it. */
const retryAndSend = async (sent: Sent) => claimed({ ...sent, campaignId: await retry(sent) })

const recipientsOf = async (sent: Sent) => (await retriesOf(sent)).map(({ to }) => to)

const get = async ({ sender }: Sent, id: number) => {
	const given = { params: { id: String(id) }, query: { page: 1, limit: 1 }, token: sender.token }
	return (await call(product.process.url, campaigns.get, given)).body.campaign
}

const estimateOf = async ({ sender, campaignId }: Sent) => {
	const given = { params: { id: String(campaignId) }, token: sender.token }
	return (await call(product.process.url, campaignReports.retryEstimate, given)).body
}

/** Enough money for two messages each, so that the wallet is not what prevents a second message. */
const RICH = { balancePaise: 10_000 }

test('a throttled message fails and is free, and its campaign is completed', async () => {
	const sent = await sentCampaign(product, 2)
	await updateStatuses(sent, ['sent', null])
	await updateStatuses(sent, [THROTTLED_CODE, THROTTLED_CODE])
	const { status, failed } = await read(sent)
	assert.deepEqual([status, failed], ['completed', 2])
	assert.deepEqual(await getWallet(product.db, sent.sender.accountId), { availablePaise: 200, heldPaise: 0 })
})

test('a retry sends messages whose failure may be temporary, leaves out throttled ones, and its estimate has the same counts', async () => {
	const sent = await sentCampaign(product, 4, RICH)
	await updateStatuses(sent, [THROTTLED_CODE, OVERLOADED, 131026, THROTTLED_CODE])
	const { failed, heldBack, notWorthIt, recipients, cost } = await estimateOf(sent)
	assert.deepEqual(
		{ failed, heldBack, notWorthIt, recipients, cost },
		{ failed: 4, heldBack: 2, notWorthIt: 1, recipients: 1, cost: 1 },
	)
	await retry(sent)
	assert.deepEqual(await recipientsOf(sent), ['1'])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry is refused when only throttled messages failed, and holds nothing', async () => {
	const sent = await sentCampaign(product, 1, RICH)
	await updateStatuses(sent, [THROTTLED_CODE])
	await assert.rejects(retry(sent), { status: 400, message: 'This campaign has no recipients' })
	assert.deepEqual(await retriesOf(sent), [])
	assert.deepEqual(await getWallet(product.db, sent.sender.accountId), { availablePaise: 10_000, heldPaise: 0 })
})

test('a retry leaves out a message that an earlier retry sent and WhatsApp throttled', async () => {
	const sent = await sentCampaign(product, 2, RICH)
	await updateStatuses(sent, [OVERLOADED, OVERLOADED])
	await updateStatuses(await retryAndSend(sent), [THROTTLED_CODE, OVERLOADED])
	assert.equal((await estimateOf(sent)).recipients, 1)
	await retry(sent)
	assert.deepEqual(await recipientsOf(sent), ['01', '1'])
})

test('retries of one campaign at the same time reach each recipient once', async () => {
	for (let round = 0; round < 5; round++) {
		const sent = await sentCampaign(product, 3, RICH)
		await updateStatuses(sent, [OVERLOADED, OVERLOADED, OVERLOADED])
		await Promise.allSettled([retry(sent), retry(sent), retry(sent)])
		assert.deepEqual(await recipientsOf(sent), ['012'])
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('retries of a campaign and of its retry at the same time reach each recipient once', async () => {
	for (let round = 0; round < 5; round++) {
		const sent = await sentCampaign(product, 2, RICH)
		await updateStatuses(sent, [OVERLOADED, OVERLOADED])
		const first = await retryAndSend(sent)
		await updateStatuses(first, [OVERLOADED, OVERLOADED])
		await Promise.allSettled([retry(sent), retry(first), retry(sent), retry(first)])
		assert.deepEqual(await recipientsOf(sent), ['01', '01'])
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry leaves out recipients whom another retry of the same family of campaigns has reached', async () => {
	const sent = await sentCampaign(product, 2, RICH)
	await updateStatuses(sent, [OVERLOADED, OVERLOADED])
	const first = await retryAndSend(sent)
	await updateStatuses(first, [OVERLOADED, 'delivered'])
	await retry(first)
	assert.deepEqual(await recipientsOf(sent), ['01', '0'])
	await assert.rejects(retry(sent), { status: 400 })
	await assert.rejects(retry(first), { status: 400 })
})

test('campaigns.get returns a campaign and its retry in both directions, also of an automatic retry of release 1.0.0', async () => {
	const sent = await sentCampaign(product, 1, RICH)
	await updateStatuses(sent, [OVERLOADED])
	const id = await retry(sent)
	// Release 1.0.0 stored a follow-up with these values while the next one was due.
	await product.db`
		update campaigns set name = 'Sale (follow-up 1)', retry_held_back = true, follow_up_number = 1, follow_up_at = now()
		where id = ${id}
	`
	const [before, made] = [await get(sent, sent.campaignId), await get(sent, id)]
	assert.deepEqual(before.retries, [{ _id: String(id), name: 'Sale (follow-up 1)' }])
	assert.deepEqual(made.retryOf, { _id: String(sent.campaignId), name: before.name })
	assert.deepEqual([made.status, made.onHold], ['pending', 1])
})

test('a status update for a message of an earlier release, whose id counts attempts, settles it', async () => {
	const sent = await sentCampaign(product, 1)
	await updateStatuses(sent, ['delivered'], ':2')
	assert.equal((await read(sent)).delivered, 1)
})
