import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { AppError } from '#lib/app-error.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { transaction } from '#lib/server/db.ts'
import { startHousekeeping } from '#lib/server/jobs/housekeeping.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../service.ts'
import { workChannel } from '../work-channel.ts'
import { openingHandlers, queueOpenings } from './opener.ts'

// The process has no worker: these tests find due campaigns themselves.
const product = await launchProduct({ env: { ROLE: 'http' }, handlers: openingHandlers })

type Sender = Awaited<ReturnType<typeof sendingAccount>>

/** Creates a campaign that is due, with or without a header file to upload first. */
async function dueCampaign({ hasHeader = false } = {}) {
	const sender = await sendingAccount(product, { contacts: 1 })
	const campaignId = await startCampaign(product, sender, LATER)
	if (hasHeader) await giveHeader(sender, campaignId)
	await product.db`update campaigns set opens_at = now() - interval '1 hour' where id = ${campaignId}`
	return { sender, campaignId, accountId: sender.accountId, id: String(campaignId) }
}

async function giveHeader(sender: Sender, campaignId: number): Promise<void> {
	const file = `${sender.accountId}/headers/picture.jpg`
	await product.process.context.storage.put(file, Buffer.from('a picture'))
	await product.db`
		update campaigns set header_file = ${file},
			template = jsonb_set(template, '{components}', template -> 'components' || '[{"type":"HEADER","format":"IMAGE"}]')
		where id = ${campaignId}
	`
}

async function statusOf(campaignId: number) {
	const [row] = await product.db<{ status: string; reason: string | null }[]>`
		select status, status_reason as reason from campaigns where id = ${campaignId}
	`
	return row?.status
}

const fault = (sender: Sender, given: object) =>
	product.simulator.control.addFault({
		call: '*',
		phone_number_id: sender.credentials.phone_number_id,
		...given,
	} as Fault)

const openings = () => product.db<{ attempts: number }[]>`select attempts from jobs where kind = 'open-campaign'`

/** Opens all due campaigns and waits until their jobs have ended. */
async function openAll(): Promise<void> {
	await queueOpenings(product.db)
	await until(async () => (await openings()).length === 0)
}

test('queueOpenings opens campaigns that are due now or since long ago, and leaves later campaigns pending', async () => {
	const due = await dueCampaign()
	const later = await startCampaign(product, due.sender, LATER).catch(() => 0)
	await openAll()
	assert.equal(await statusOf(due.campaignId), 'processing')
	if (later) assert.equal(await statusOf(later), 'pending')
})

test('queueOpenings adds one job for a campaign, also while the job waits to be tried again', async () => {
	const given = await dueCampaign({ hasHeader: true })
	await fault(given.sender, { kind: 'server-error', accepted: false, times: 1 })
	assert.equal(await queueOpenings(product.db), 1)
	await until(async () => (await openings()).some(({ attempts }) => attempts === 1))
	assert.equal(await queueOpenings(product.db), 0)
	assert.equal((await openings()).length, 1)
	await openAll()
	assert.equal(await statusOf(given.campaignId), 'processing')
})

test('queueOpenings fails a campaign that cannot be opened, and opens the others', async () => {
	const [broken, sound] = [await dueCampaign({ hasHeader: true }), await dueCampaign()]
	await product.db`update campaigns set header_file = 'nothing/here.jpg' where id = ${broken.campaignId}`
	await openAll()
	assert.deepEqual([await statusOf(broken.campaignId), await statusOf(sound.campaignId)], ['failed', 'processing'])
})

test('queueOpenings opens other accounts’ campaigns while an upload hangs', async () => {
	const [hanging, sound] = [await dueCampaign({ hasHeader: true }), await dueCampaign({ hasHeader: true })]
	await fault(hanging.sender, { kind: 'delay', ms: 1500 })
	await queueOpenings(product.db)
	await until(async () => (await statusOf(sound.campaignId)) === 'processing')
	assert.equal(await statusOf(hanging.campaignId), 'pending')
	await openAll()
	assert.equal(await statusOf(hanging.campaignId), 'processing')
})

for (const failure of [
	{ kind: 'server-error', accepted: false },
	{ kind: 'drop', accepted: false },
	{ kind: 'error', code: 4 },
]) {
	test(`an upload that meets ${JSON.stringify(failure)} leaves the campaign pending, and is tried again after a second`, async () => {
		const given = await dueCampaign({ hasHeader: true })
		await fault(given.sender, { ...failure, times: 1 })
		const startedAt = performance.now()
		await openAll()
		assert.equal(await statusOf(given.campaignId), 'processing')
		assert.ok(performance.now() - startedAt >= 1000, 'no busy loop')
	})
}

test('credentials that Meta refuses at the upload pause the campaign, and it opens once it is resumed', async () => {
	const given = await dueCampaign({ hasHeader: true })
	await fault(given.sender, { kind: 'error', code: 190, times: 1 })
	await openAll()
	assert.equal(await statusOf(given.campaignId), 'paused')
	await resumeCampaign(product.process.context, given.accountId, given.id)
	assert.equal(await statusOf(given.campaignId), 'pending')
	await openAll()
	assert.equal(await statusOf(given.campaignId), 'processing')
})

for (const [name, change, expected] of [
	['cancelled', cancelCampaign, 'cancelled'],
	['paused', pauseCampaign, 'paused'],
] as const) {
	test(`a campaign that is ${name} while its header is uploaded stays ${name}`, async () => {
		const given = await dueCampaign({ hasHeader: true })
		await fault(given.sender, { kind: 'delay', ms: 1000 })
		await queueOpenings(product.db)
		await until(async () => (await openings()).some(({ attempts }) => attempts === 1))
		await change(product.process.context, given.accountId, given.id)
		await openAll()
		assert.equal(await statusOf(given.campaignId), expected)
	})
}

test('resumeCampaign leaves a scheduled campaign that was paused before its time pending until that time', async () => {
	const sender = await sendingAccount(product, { contacts: 1 })
	const campaignId = await startCampaign(product, sender, LATER)
	const { context } = product.process
	await pauseCampaign(context, sender.accountId, String(campaignId))
	await resumeCampaign(context, sender.accountId, String(campaignId))
	await openAll()
	assert.equal(await statusOf(campaignId), 'pending')
})

test('resumeCampaign sets a campaign to pending, for a new upload, when its header file is 26 days old, and to processing when it is 24 days old', async () => {
	const { campaignId, accountId, id } = await dueCampaign({ hasHeader: true })
	await openAll()
	assert.equal(await statusOf(campaignId), 'processing')
	for (const [days, expected] of [
		[24, 'processing'],
		[26, 'pending'],
	] as const) {
		await pauseCampaign(product.process.context, accountId, id)
		await product.db`
			update campaigns set media_uploaded_at = now() - ${days} * interval '1 day'
			where account_id = ${accountId} and id = ${campaignId}
		`
		await resumeCampaign(product.process.context, accountId, id)
		assert.equal(await statusOf(campaignId), expected, `after ${days} days`)
	}
})

test('createCampaign without a schedule opens the campaign by a notification, before the next poll', async () => {
	const sender = await sendingAccount(product, { contacts: 1 })
	const { context } = product.process
	const housekeeping = await startHousekeeping({ ...context, worker: { isElected: () => true } }, [
		{ name: 'open campaigns', intervalMs: 1_000_000, wakeOn: workChannel, run: () => queueOpenings(product.db) },
	])
	const campaignId = await startCampaign(product, sender)
	await until(async () => (await statusOf(campaignId)) === 'processing')
	await housekeeping.stop()
})

const clockTime = (secondsAgo: number) =>
	Temporal.Now.zonedDateTimeISO(INDIAN_TIME_ZONE).subtract({ seconds: secondsAgo }).toPlainDateTime().toString()

test('createCampaign returns 400 and writes nothing when the schedule is more than a minute past', async () => {
	const sender = await sendingAccount(product, { contacts: 1 })
	for (const secondsAgo of [65, 3600, 86_400 * 400]) {
		await assert.rejects(
			startCampaign(product, sender, { schedule: 'later', scheduleDatetime: clockTime(secondsAgo) }),
			(error) => error instanceof AppError && error.status === 400 && /already passed/.test(error.message),
		)
	}
	const rows = await product.db`select 1 from campaigns where account_id = ${sender.accountId}`
	assert.equal(rows.length, 0)
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 100, heldPaise: 0 })
	await startCampaign(product, sender, { schedule: 'later', scheduleDatetime: clockTime(30) })
})

test('resumeCampaign locks the sender before the campaign, as the pause of a sender does, so that neither deadlocks', async () => {
	const given = await dueCampaign()
	await pauseCampaign(product.process.context, given.accountId, given.id)
	let resuming: Promise<void> | undefined
	await transaction(product.db, async (sql) => {
		await sql`select 1 from senders where account_id = ${given.accountId} for update`
		resuming = resumeCampaign(product.process.context, given.accountId, given.id)
		await until(async () => {
			const waiting = await product.db`
				select 1 from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ilike '%senders%'
			`
			return waiting.length > 0
		})
		await sql`select 1 from campaigns where account_id = ${given.accountId} and id = ${given.campaignId} for update`
	})
	await resuming
	assert.equal(await statusOf(given.campaignId), 'pending')
})
