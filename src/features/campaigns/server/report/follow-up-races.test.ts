import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import {
	campaignWhen,
	launchProduct,
	moneyFindings,
	sendingAccount,
	startCampaign,
	startProduct,
} from '#test/full-stack.ts'
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
import { until } from '#test/until.ts'
import { createFollowUps } from './follow-up.ts'
import { retryFailed } from './retry-service.ts'

// No worker: these tests deliver the status updates themselves.
const product = await launchProduct({ env: { ROLE: 'http' } })

const retryByHand = async (sent: Sent) =>
	retryFailed(product.db, sent.sender.accountId, { campaign: await read(sent), requestId: null })

const recipientsOf = async (sent: Sent) => (await retriesOf(sent)).map(({ to }) => to)

/** Enough money for two messages each, so that the wallet is not what prevents a second message. */
const RICH = { balancePaise: 10_000 }

test('processes that find the same campaign due at the same time make one follow-up', async () => {
	const sent = await sentCampaign(product, 3, RICH)
	await updateStatuses(sent, [THROTTLED_CODE, THROTTLED_CODE, THROTTLED_CODE])
	await comeDue(sent)
	await Promise.all(Array.from({ length: 4 }, () => createFollowUps(product.process.context)))
	assert.deepEqual(await recipientsOf(sent), ['012'])
	assert.deepEqual(await notesOf(sent), [])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry by hand and the follow-up at the same time reach each recipient once in either order', async () => {
	for (let round = 0; round < 5; round++) {
		const sent = await sentCampaign(product, 3, RICH)
		await updateStatuses(sent, [THROTTLED_CODE, THROTTLED_CODE, THROTTLED_CODE])
		await comeDue(sent)
		await Promise.allSettled([retryByHand(sent), createFollowUps(product.process.context), retryByHand(sent)])
		assert.deepEqual(await recipientsOf(sent), ['012'])
		assert.equal(await dueInDays(sent), null)
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('retries of a campaign and of its follow-up at the same time reach each recipient once', async () => {
	for (let round = 0; round < 5; round++) {
		const sent = await sentCampaign(product, 2, RICH)
		await updateStatuses(sent, [THROTTLED_CODE, THROTTLED_CODE])
		await followUp(sent)
		const first = await latestRetry(sent)
		await updateStatuses(first, [THROTTLED_CODE, THROTTLED_CODE])
		await comeDue(sent)
		await Promise.allSettled([
			retryByHand(sent),
			retryByHand(first),
			createFollowUps(product.process.context),
			retryByHand(sent),
		])
		assert.deepEqual(await recipientsOf(sent), ['01', '01'])
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a retry by hand takes the throttled messages, and no follow-up comes after it', async () => {
	const sent = await sentCampaign(product, 1)
	await updateStatuses(sent, [THROTTLED_CODE])
	await retryByHand(sent)
	assert.equal(await dueInDays(sent), null)
})

test('a retry leaves out recipients whom another retry of the same family of campaigns has reached', async () => {
	const sent = await sentCampaign(product, 2, RICH)
	await updateStatuses(sent, [THROTTLED_CODE, THROTTLED_CODE])
	await followUp(sent)
	const first = await latestRetry(sent)
	await updateStatuses(first, [THROTTLED_CODE, 'delivered'])
	await followUp(sent)
	assert.deepEqual(await recipientsOf(sent), ['01', '0'])
	await assert.rejects(retryByHand(sent), { status: 400 })
	await assert.rejects(retryByHand(first), { status: 400 })
})

test('a follow-up leaves out recipients whom a later retry by hand addressed, even when that retry failed', async () => {
	const sent = await sentCampaign(product, 1, RICH)
	await updateStatuses(sent, [THROTTLED_CODE])
	await followUp(sent)
	await updateStatuses(await latestRetry(sent), [THROTTLED_CODE])
	const byHand = { ...sent, campaignId: await retryByHand(sent) }
	await updateStatuses(await latestRetry(sent), [THROTTLED_CODE])
	await followUp(sent)
	assert.deepEqual(
		(await retriesOf(sent)).map(({ of }) => of),
		[sent.campaignId, sent.campaignId, byHand.campaignId],
	)
})

test('messages that are throttled after the follow-up was created get a follow-up of their own', async () => {
	const sent = await sentCampaign(product, 2)
	await updateStatuses(sent, [THROTTLED_CODE, 'sent'])
	await followUp(sent)
	await updateStatuses(await latestRetry(sent), [131026])
	await updateStatuses(sent, [null, THROTTLED_CODE])
	assert.equal(await dueInDays(sent), 1)
	await followUp(sent)
	assert.deepEqual(await recipientsOf(sent), ['0', '1'])
})

test('a status update for a message of an earlier release, whose id counts attempts, settles it', async () => {
	const sent = await sentCampaign(product, 1)
	await updateStatuses(sent, ['delivered'], ':2')
	assert.equal((await read(sent)).delivered, 1)
})

test('throttled messages are sent again by a worker, and paid for once', async () => {
	const working = await startProduct({ statuses: { readRate: 0 } })
	after(() => working.close())
	const contacts = 5
	const sender = await sendingAccount(working, { contacts })
	const { accountId, credentials } = sender
	await working.simulator.control.addFault({
		call: 'messages',
		phone_number_id: credentials.phone_number_id,
		kind: 'error',
		code: THROTTLED_CODE,
		times: contacts,
	})
	const campaignId = await startCampaign(working, sender, { retryHeldBack: true })
	await campaignWhen(working, { accountId, campaignId }, ({ status }) => status === 'completed')
	assert.deepEqual(await getWallet(working.db, accountId), { availablePaise: contacts * 100, heldPaise: 0 })
	await working.db`update campaigns set follow_up_at = now() where account_id = ${accountId}`
	const sent = { product: working, sender, campaignId }
	await until(async () => (await retriesOf(sent)).length > 0)
	const [made] = await retriesOf(sent)
	await campaignWhen(working, { accountId, campaignId: made?.id ?? 0 }, ({ delivered }) => delivered === contacts)
	assert.deepEqual(await getWallet(working.db, accountId), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(working.db), [])
})
