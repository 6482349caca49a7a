import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignWhen, launchProduct, sendingAccount, startCampaign } from './full-stack.ts'
import { until } from './until.ts'

const RECIPIENTS = 400

const product = await launchProduct()

test('a worker keeps its leases and sends while requests occupy every connection of the process', async (t) => {
	const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: 10 })
	const campaignId = await startCampaign(product, sender)
	const campaign = { ...sender, campaignId }
	await campaignWhen(product, campaign, ({ pending }) => pending < RECIPIENTS - 5)
	const leaseOf = () => product.db`select lease_worker, lease_epoch from senders where account_id = ${sender.accountId}`
	const lease = await leaseOf()
	const { db } = product.process.context
	const taken = await Promise.all(Array.from({ length: 20 }, () => db.acquire()))
	const giveBack = () => {
		for (const client of taken.splice(0)) client.release()
	}
	t.after(giveBack)
	const sent = async () => {
		const [row] = await product.db<{ through: number }[]>`
			select claimed_through as through from campaigns where id = ${campaignId}
		`
		return row?.through ?? 0
	}
	const sentBefore = await sent()
	// Waits for longer than a lease lasts without a heartbeat.
	await until(async () => (await sent()) > sentBefore + 150)
	assert.deepEqual(await leaseOf(), lease)
})
