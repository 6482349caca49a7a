import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getWallet } from '#features/wallet/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import {
	moneyFindings,
	campaignWhen,
	sendingAccount,
	startCampaign,
	startProduct,
	type Product,
} from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { cancelCampaign } from '../service.ts'
import { settleReports } from './status-reports.ts'
import { sweepEnded } from './sweeps.ts'

const notify = async () => {}
const HELD_BACK = 131_049

let product: Product
let quiet: Product
before(async () => {
	product = await startProduct({ statuses: { readRate: 0 } })
	// Without a worker: these tests bring the reports themselves.
	quiet = await startProduct({ env: { ROLE: 'http' } })
})
after(() => Promise.all([product.close(), quiet.close()]))

interface Message {
	status: string
	attempt: number | null
	wamid: string | null
	waitsHours: number | null
}

async function messagesOf(db: Product['db'], campaignId: number): Promise<Message[]> {
	return db<Message[]>`
		select m.status, m.held_back_count as attempt, m.wamid,
			round(extract(epoch from u.retry_at - now()) / 3600)::int as "waitsHours"
		from campaign_messages m
		left join unsettled_messages u on u.account_id = m.account_id and u.campaign_id = m.campaign_id and u.seq = m.seq
		where m.campaign_id = ${campaignId} order by m.seq
	`
}

async function quietCampaign(contacts = 1) {
	const sender = await sendingAccount(quiet, { contacts })
	const campaignId = await startCampaign(quiet, sender, { retryHeldBack: true })
	await quiet.db`update campaigns set status = 'processing', claimed_through = total_count where id = ${campaignId}`
	const { ownerId: owner } = sender
	const report = async (status: string, attempt: number, code?: number) => {
		const about = {
			id: `wamid.${campaignId}.${attempt}`,
			status,
			timestamp: '1790000000',
			biz_opaque_callback_data: attempt === 0 ? `campaign:${campaignId}:1` : `campaign:${campaignId}:1:${attempt}`,
			...(code && { errors: [{ code, title: 'Held back' }] }),
		}
		await transaction(quiet.db, (sql) => settleReports(sql, owner, { statuses: [about], notify }))
		assert.deepEqual(await moneyFindings(quiet.db), [], `${status} of attempt ${attempt}`)
	}
	return { owner, campaignId, report }
}

test('a message that was accepted and then held back waits 24, 48 and 96 hours, not charged, and then has failed', async () => {
	const { owner, campaignId, report } = await quietCampaign()
	for (const [attempt, hours] of [24, 48, 96].entries()) {
		await report('sent', attempt)
		assert.deepEqual(await getWallet(quiet.db, owner), { availablePaise: 0, heldPaise: 0 })
		await report('failed', attempt, HELD_BACK)
		const expected = { status: 'pending', attempt: attempt + 1, wamid: null, waitsHours: hours }
		assert.deepEqual({ ...(await messagesOf(quiet.db, campaignId))[0] }, expected)
		assert.deepEqual(await getWallet(quiet.db, owner), { availablePaise: 0, heldPaise: 100 })
		const [campaign] = await quiet.db<{ status: string; finished: Date | null }[]>`
			select status, finished_at as finished from campaigns where id = ${campaignId}
		`
		assert.deepEqual({ ...campaign }, { status: 'processing', finished: null })
	}
	await report('sent', 3)
	await report('failed', 3, HELD_BACK)
	assert.deepEqual((await messagesOf(quiet.db, campaignId))[0]?.status, 'failed')
	assert.deepEqual(await getWallet(quiet.db, owner), { availablePaise: 100, heldPaise: 0 })
})

test('reports on an earlier attempt change nothing, however late, repeated or out of order', async () => {
	const { campaignId, report } = await quietCampaign()
	// The failure overtakes the acceptance.
	await report('failed', 0, HELD_BACK)
	for (const late of ['sent', 'delivered', 'failed'] as const) await report(late, 0, HELD_BACK)
	const waiting = { status: 'pending', attempt: 1, wamid: null, waitsHours: 24 }
	assert.deepEqual({ ...(await messagesOf(quiet.db, campaignId))[0] }, waiting)
	await report('delivered', 1)
	await report('failed', 0, HELD_BACK)
	assert.deepEqual((await messagesOf(quiet.db, campaignId))[0]?.status, 'delivered')
})

test('cancelling a campaign releases what waits for a further attempt', async () => {
	const { owner, campaignId, report } = await quietCampaign()
	await report('failed', 0, HELD_BACK)
	const { context } = quiet.process
	await cancelCampaign(context, owner, String(campaignId))
	const deps = { db: quiet.db, log: context.log, notify, unknownAfter: 900 }
	while ((await sweepEnded(deps)) > 0);
	assert.deepEqual((await messagesOf(quiet.db, campaignId))[0]?.status, 'failed')
	assert.deepEqual(await getWallet(quiet.db, owner), { availablePaise: 100, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

test('a message that is refused as held back is sent again when its time has come, and paid for once', async () => {
	const contacts = 5
	const sender = await sendingAccount(product, { contacts })
	const { ownerId, credentials } = sender
	await product.simulator.control.addFault({
		call: 'messages',
		phone_number_id: credentials.phone_number_id,
		kind: 'error',
		code: HELD_BACK,
		times: contacts,
	})
	const campaignId = await startCampaign(product, sender, { retryHeldBack: true })
	await until(async () => (await messagesOf(product.db, campaignId)).every(({ waitsHours }) => waitsHours === 24))
	assert.deepEqual(await getWallet(product.db, ownerId), { availablePaise: 0, heldPaise: contacts * 100 })
	assert.deepEqual(await moneyFindings(product.db), [])
	await product.db`update unsettled_messages set retry_at = now() where account_id = ${ownerId}`
	product.db.notify('work', String(ownerId))
	const campaign = await campaignWhen(product, { ownerId, campaignId }, ({ delivered }) => delivered === contacts)
	assert.equal(campaign.status, 'completed')
	assert.deepEqual(await getWallet(product.db, ownerId), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('without the choice a message that was held back has failed at once', async () => {
	const sender = await sendingAccount(quiet, { contacts: 1 })
	const campaignId = await startCampaign(quiet, sender)
	const report = {
		id: 'wamid.once',
		status: 'failed',
		biz_opaque_callback_data: `campaign:${campaignId}:1`,
		errors: [{ code: HELD_BACK }],
	}
	await transaction(quiet.db, (sql) => settleReports(sql, sender.ownerId, { statuses: [report], notify }))
	assert.deepEqual((await messagesOf(quiet.db, campaignId))[0]?.status, 'failed')
})
