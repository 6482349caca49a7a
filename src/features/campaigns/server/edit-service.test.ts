import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openingHandlers, queueOpenings } from '#features/delivery/server/lifecycle/opener.ts'
import {
	findCampaignToOpen,
	startCampaign as startSending,
} from '#features/delivery/server/lifecycle/transition-queries.ts'
import { cancelCampaign, pauseCampaign } from '#features/delivery/server/service.ts'
import { workChannel } from '#features/delivery/server/work-channel.ts'
import { startHousekeeping } from '#lib/server/jobs/housekeeping.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { editCampaign } from './edit-service.ts'

// The process has no worker: these tests find due campaigns themselves.
const product = await launchProduct({ env: { ROLE: 'http' }, handlers: openingHandlers })

async function scheduled(contacts = 2) {
	const sender = await sendingAccount(product, { contacts })
	const campaignId = await startCampaign(product, sender, LATER)
	return { shop: sender.accountId, id: String(campaignId), campaignId }
}

type Scheduled = Awaited<ReturnType<typeof scheduled>>

const FORM = { name: 'Changed', description: 'New', variables: { var1: 'there' }, ...LATER }

const edit = ({ shop, id }: Scheduled, form: object = {}) =>
	editCampaign(product.db, shop, { campaignId: id, form: { ...FORM, ...form } })

async function rowOf({ shop, campaignId }: Scheduled) {
	const [row] = await product.db<{ name: string; status: string; variables: object; opensAt: Date }[]>`
		select name, status, variables, opens_at as "opensAt" from campaigns
		where account_id = ${shop} and id = ${campaignId}
	`
	return row
}

async function valuesOf({ shop, campaignId }: Scheduled) {
	const rows = await product.db<{ values: string[] | null }[]>`
		select merge_values as values from campaign_messages
		where account_id = ${shop} and campaign_id = ${campaignId} order by seq
	`
	return rows.map(({ values }) => values)
}

test('editCampaign changes name, time and values of a scheduled campaign, and neither its audience nor its hold', async () => {
	const given = await scheduled()
	await edit(given, { scheduleDatetime: '2098-05-01T09:30:00' })
	const row = await rowOf(given)
	assert.deepEqual([row?.name, row?.variables], ['Changed', { var1: 'there' }])
	assert.equal(row?.opensAt.toISOString(), '2098-05-01T04:00:00.000Z')
	assert.equal((await valuesOf(given)).length, 2)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('editCampaign refuses an API campaign of the day, which waits for its header file', async () => {
	const given = await scheduled()
	await product.db`update campaigns set kind = 'api' where account_id = ${given.shop} and id = ${given.campaignId}`
	const before = await rowOf(given)
	await assert.rejects(edit(given), { status: 409, message: 'Messages that a program has sent cannot be changed' })
	assert.deepEqual(await rowOf(given), before)
})

test('editCampaign writes values into the messages for merge tags that are new to them', async () => {
	const given = await scheduled()
	await edit(given, { variables: { var1: '{{number}} {{lastName|friend}}' } })
	const values = await valuesOf(given)
	assert.ok(
		values.every((one) => one?.[0]?.startsWith('+9155') && one?.[1] === null),
		JSON.stringify(values),
	)
	await assert.rejects(edit(given, { variables: { var1: '{{lastName}}' } }), /2 people have no last name/)
	assert.deepEqual((await rowOf(given))?.variables, { var1: '{{number}} {{lastName|friend}}' })
})

test('editCampaign returns 409 once the campaign has started or was cancelled, and changes a paused one that has not started', async () => {
	const { context } = product.process
	const [started, cancelled, paused] = [await scheduled(), await scheduled(), await scheduled()]
	await product.db`update campaigns set status = 'processing', started_at = now() where id = ${started.campaignId}`
	await cancelCampaign(context, cancelled.shop, cancelled.id)
	await pauseCampaign(context, paused.shop, paused.id)
	await assert.rejects(edit(started), { status: 409, message: 'This campaign has already started' })
	await assert.rejects(edit(cancelled), { status: 409, message: 'A campaign that is cancelled cannot be changed' })
	await edit(paused)
	assert.equal((await rowOf(paused))?.status, 'paused')
})

test('a campaign that is postponed while it is being opened does not start', async () => {
	const given = await scheduled()
	await product.db`update campaigns set opens_at = now() where id = ${given.campaignId}`
	const found = await findCampaignToOpen(product.db, given.shop, given.campaignId)
	assert.ok(found)
	await edit(given)
	const opening = { campaignId: given.campaignId, media: null, at: found.readAt }
	assert.equal(await startSending(product.db, given.shop, opening), false)
	assert.equal((await rowOf(given))?.status, 'pending')
})

for (const [what, scheduleDatetime, message] of [
	['without a time', '2098-05-01', 'Please select schedule date and time'],
	['with an offset of its own', '2098-05-01T09:30:00+09:00', 'Please select schedule date and time'],
	['in a year of five digits', '9999-12-31T23:59:59', 'Please select a date before the year 2100'],
	['in a year of six digits', '+275760-09-13T00:00:00', 'Please select schedule date and time'],
] as const) {
	test(`createCampaign and editCampaign return 400 for a schedule ${what}`, async () => {
		const given = await scheduled()
		const form = { scheduleDatetime }
		await assert.rejects(async () => edit(given, form), { status: 400, message })
		const sender = await sendingAccount(product, { contacts: 1 })
		await assert.rejects(startCampaign(product, sender, { ...LATER, ...form }), { status: 400, message })
		assert.equal((await rowOf(given))?.opensAt.getUTCFullYear(), 2099)
	})
}

test('a campaign edited while it is opened is sent either as edited or, when the edit returns 409, as before', async () => {
	for (let round = 0; round < 5; round++) {
		const given = await scheduled()
		await product.db`update campaigns set opens_at = now() where id = ${given.campaignId}`
		await queueOpenings(product.db)
		const edited = await edit(given, { schedule: 'now' }).then(
			() => true,
			(error: { status?: number }) => (assert.equal(error.status, 409), false),
		)
		await until(async () => {
			await queueOpenings(product.db)
			return (await rowOf(given))?.status === 'processing'
		})
		assert.equal((await rowOf(given))?.name === 'Changed', edited)
	}
})

test('a campaign that came due during a downtime opens at the start, without the interval', async () => {
	const given = await scheduled()
	await product.db`update campaigns set opens_at = now() - interval '3 hours' where id = ${given.campaignId}`
	const { context } = product.process
	const housekeeping = await startHousekeeping({ ...context, worker: { isElected: () => true } }, [
		{ name: 'open campaigns', intervalMs: 1_000_000, wakeOn: workChannel, run: () => queueOpenings(product.db) },
	])
	await until(async () => (await rowOf(given))?.status === 'processing')
	await housekeeping.stop()
})
