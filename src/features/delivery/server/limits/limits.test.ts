import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMIT_REACHED } from '#features/delivery/rules.ts'
import { campaignWhen, launchProduct, moneyFindings, startCampaign } from '#test/full-stack.ts'
import { countedPeople, limitedShop, passHours, setLimit } from '#test/scenes/limited-shop.ts'
import { until } from '#test/until.ts'
import { listActiveAllAccounts } from '../sending/lease-queries.ts'

const product = await launchProduct()
const { db, simulator } = product

const DAY_HOURS = 24.1

test('a campaign of 120 people under a limit of 20 sends 20 a day, each person once, and its money is right every day', async () => {
	const shop = await limitedShop(product, { contacts: 120, limit: 20 })
	const campaignId = await startCampaign(product, shop)
	for (let day = 1; day <= 6; day++) {
		const campaign = await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 120 - 20 * day)
		assert.equal(campaign.failed, 0)
		if (day === 6) break
		await until(async () => (await listActiveAllAccounts(db, shop.accountId)).length === 0)
		const waiting = await campaignWhen(product, { ...shop, campaignId }, ({ waitingReason }) => waitingReason !== null)
		assert.deepEqual(
			[waiting.status, waiting.waitingReason, waiting.pending],
			['processing', LIMIT_REACHED, 120 - 20 * day],
		)
		assert.deepEqual(await countedPeople(db, `portfolio-${shop.accountId}`), { people: 20, counted: 20 })
		assert.deepEqual(await moneyFindings(db), [])
		await passHours(db, DAY_HOURS)
	}
	const done = await campaignWhen(product, { ...shop, campaignId }, ({ status }) => status === 'completed')
	assert.equal(done.sent + done.delivered + done.read, 120)
	const counts = await simulator.control.receivedCounts()
	const numbers = await db<{ number: string }[]>`select number from campaign_messages where campaign_id = ${campaignId}`
	assert.deepEqual([...new Set(numbers.map(({ number }) => counts[number]))], [1])
	assert.deepEqual(await moneyFindings(db), [])
})

test('a raised limit applies to a waiting campaign at once, and a limit of none ends the wait', async () => {
	const shop = await limitedShop(product, { contacts: 30, limit: 5 })
	const campaignId = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 25)
	await setLimit(db, shop.accountId, { limit: 12 })
	await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 18)
	await setLimit(db, shop.accountId, { limit: -1 })
	const { waitingReason } = await campaignWhen(product, { ...shop, campaignId }, ({ status }) => status === 'completed')
	assert.equal(waitingReason, null)
})
