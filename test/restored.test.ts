import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readEnv } from '#app/server/env.ts'
import { prepareRestored } from '#app/server/housekeeping/restored.ts'
import { startProcess } from '#app/server/process.ts'
import { cancelCampaign, resumeCampaign, decideRestored } from '#features/delivery/server/service.ts'
import { createLog } from '#lib/server/log.ts'
import { createTestDatabase } from './database.ts'
import {
	campaignWhen,
	moneyFindings,
	sendingAccount,
	startCampaign,
	startProduct,
	type Product,
	type ProductOptions,
} from './full-stack.ts'
import { until } from './until.ts'

const CONTACTS = 240
/** Messages a second: so slow that no part of the test outlasts the campaign on a busy machine. */
const PER_SECOND = 5
const QUICK = { sentMs: 10, deliveredMs: 20, readMs: 40 }
const NEXT_ID = 1

let stateDir: string
before(async () => {
	stateDir = await mkdtemp(join(tmpdir(), 'test-restored-'))
})
after(() => rm(stateDir, { recursive: true, force: true }))

const dropped = async (name: string) => {
	const database = await createTestDatabase()
	await database.sql.unsafe(`drop database ${name}`)
	await database.drop()
}

test('a campaign of a restored database reaches every recipient once, and late status updates on a lost campaign change nothing', async (t) => {
	const open = new Set<Product>()
	t.after(() => Promise.all([...open].map((product) => product.close())))
	const start = async (options: ProductOptions) => {
		const product = await startProduct({ stateDir, statuses: QUICK, ...options })
		open.add(product)
		return product
	}
	const close = (product: Product) => {
		open.delete(product)
		return product.closeAndKeep()
	}
	const first = await start({})
	const sender = await sendingAccount(first, { contacts: CONTACTS, perSecond: PER_SECOND, balancePaise: 100_000 })
	const campaignId = await startCampaign(first, sender)
	const one = { accountId: sender.accountId, campaignId }
	await campaignWhen(first, one, (campaign) => campaign.total - campaign.pending >= 10)
	const backup = await close(first)

	// Changes after the backup, which the restore loses.
	const lost = await start({ original: backup })
	await campaignWhen(lost, one, (campaign) => campaign.total - campaign.pending >= 30)
	const lostId = await startCampaign(lost, sender, { schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' })
	await lost.process.stop()
	const [latest] = await lost.db<{ seq: number }[]>`
		select max(seq) as seq from campaign_messages where campaign_id = ${campaignId} and status <> 'pending'
	`
	const sentThrough = latest?.seq ?? 0
	const lostEpoch = String((await lost.db`select epoch from epochs order by opened_at desc limit 1`)[0]?.epoch)
	await dropped(await close(lost))

	const restored = await start({ original: backup, env: { ROLE: 'http' } })
	const { context } = restored.process
	const { accounts } = await prepareRestored(context)
	assert.deepEqual(
		accounts.flatMap(({ campaigns }) => campaigns.map(({ id }) => id)),
		[campaignId],
	)
	const paused = await campaignWhen(restored, one, ({ status }) => status === 'paused')
	assert.match(String(paused.statusReason), /restored from a backup/)
	const other = await startCampaign(restored, sender, { schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' })
	assert.ok(other > lostId, 'the id of the lost campaign is not used again')
	const settings = readEnv({ ...restored.env, ROLE: 'worker' })
	const worker = await startProcess(settings, createLog('silent'), { kind: 'production' })
	try {
		await assert.rejects(prepareRestored(context), /Stop the product first/)
		// Each process of this test has its own port, so the webhooks are subscribed again.
		const [row] = await restored.db<{ key: string }[]>`
			select webhook_key as key from senders where account_id = ${sender.accountId}
		`
		const url = `${restored.process.url}/api/webhooks/whatsapp/${row?.key}`
		await restored.simulator.control.subscribe({ waba_id: sender.credentials.waba_id, url })
		await restored.simulator.control.sendWebhook({
			waba_id: sender.credentials.waba_id,
			field: 'messages',
			value: {
				metadata: { phone_number_id: sender.credentials.phone_number_id },
				statuses: [
					lateStatusUpdate(`campaign:${lostId}:${NEXT_ID}:${lostEpoch}`),
					lateStatusUpdate(`campaign:${campaignId}:${sentThrough}:${lostEpoch}`),
				],
			},
		})
		await campaignWhen(
			restored,
			one,
			({ delivered, read, pending }) => delivered + read + pending > 0 && pending < paused.pending,
		)
		assert.equal((await campaignWhen(restored, { ...one, campaignId: other }, () => true)).delivered, 0)

		const id = String(campaignId)
		const conflict = { status: 409 }
		await assert.rejects(resumeCampaign(context, sender.accountId, id), conflict)
		await assert.rejects(cancelCampaign(context, sender.accountId, id), conflict)
		await assert.rejects(decideRestored(context, sender.accountId, { campaignId: id, sentThrough: CONTACTS + 1 }), {
			status: 400,
		})
		await decideRestored(context, sender.accountId, { campaignId: id, sentThrough })
		await assert.rejects(decideRestored(context, sender.accountId, { campaignId: id, sentThrough }), conflict)
		await restored.db`
			update senders set messages_per_second = 80, updated_at = now() where account_id = ${sender.accountId}
		`
		await resumeCampaign(context, sender.accountId, id)
		const done = await campaignWhen(restored, one, ({ status }) => status === 'completed')
		assert.deepEqual([done.failed, done.sent + done.delivered + done.read], [0, CONTACTS])
		assert.deepEqual(await moneyFindings(restored.db), [])
	} finally {
		await worker.stop()
	}
	// The network has counted since the first simulator.
	const received = Object.values(await restored.simulator.control.receivedCounts())
	await dropped(await close(restored))
	await dropped(backup)
	assert.deepEqual([received.length, received.filter((times) => times > 1)], [CONTACTS, []])
})

test('a process with SENDING=off takes webhooks and sends nothing', async () => {
	const product = await startProduct({ env: { SENDING: 'off' } })
	try {
		const sender = await sendingAccount(product, { contacts: 2 })
		await startCampaign(product, sender)
		await product.simulator.control.sendInbound({
			waba_id: sender.credentials.waba_id,
			phone_number_id: sender.credentials.phone_number_id,
			from: '919800000001',
			text: 'Is it open today?',
		} as Parameters<typeof product.simulator.control.sendInbound>[0])
		await until(async () => (await product.db`select 1 from chat_messages`).length > 0)
		assert.equal((await product.db`select 1 from campaigns where status <> 'pending'`).length, 0)
		assert.deepEqual(await product.simulator.control.receivedCounts(), {})
	} finally {
		await product.close()
	}
})

function lateStatusUpdate(id: string) {
	return {
		id: `wamid.late.${id}`,
		status: 'delivered',
		timestamp: String(Math.floor(Date.now() / 1000)),
		recipient_id: '919800000000',
		biz_opaque_callback_data: id,
	}
}
