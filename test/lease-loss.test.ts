import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workChannel } from '#features/delivery/server/work-channel.ts'
import type { AccountId } from '#lib/server/db.ts'
import { publish } from '#lib/server/db/channels/channels.ts'
import { campaignWhen, launchProduct, moneyFindings, sendingAccount, startCampaign } from './full-stack.ts'
import { until } from './until.ts'

const RECIPIENTS = 120

const product = await launchProduct()

/** Starts a campaign and waits until some messages are sent; most are left. */
async function runningCampaign() {
	const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: 20 })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, (campaign) => campaign.pending < RECIPIENTS - 10)
	return { accountId: sender.accountId, campaignId, sender }
}

async function leaseOf(accountId: AccountId): Promise<string | null> {
	const [row] = await product.db<{ worker: string | null }[]>`
		select lease_worker as worker from senders where account_id = ${accountId}
	`
	return row?.worker ?? null
}

test('a campaign continues when another worker took its lease and died while this worker still drove the sender', async () => {
	const { sender, campaignId, accountId } = await runningCampaign()
	await product.db`
		update senders set lease_worker = 'crashed', lease_epoch = lease_epoch + 1 where account_id = ${accountId}
	`
	const done = await campaignWhen(product, { ...sender, campaignId }, (campaign) => campaign.status === 'completed')
	assert.equal(done.failed, 0)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('the lease of a worker that started after the last heartbeat of this one is not taken', async (t) => {
	const { db } = product
	const sender = await sendingAccount(product, { contacts: RECIPIENTS, perSecond: 20 })
	const campaignId = await startCampaign(product, sender, {
		schedule: 'later',
		scheduleDatetime: '2099-01-01T10:00:00',
	})
	t.after(() => db`delete from workers where id = 'joined'`)
	// Waits for the next heartbeat of the tested worker, so that the test runs between two heartbeats.
	const [row] = await db<{ before: Date }[]>`select max(heartbeat_at) as before from workers`
	await until(async () => (await db`select 1 from workers where heartbeat_at > ${row?.before}`).length > 0)
	await db`insert into workers (id, heartbeat_at) values ('joined', now() + interval '9 seconds')`
	await db`update senders set lease_worker = 'joined', lease_epoch = lease_epoch + 1 where account_id = ${sender.accountId}`
	await db`update campaigns set status = 'processing', started_at = now() where id = ${campaignId}`
	publish(db, workChannel, sender.accountId)
	const isStolen = until(async () => (await leaseOf(sender.accountId)) !== 'joined', 5000)
	await assert.rejects(isStolen, /waited/)
})
