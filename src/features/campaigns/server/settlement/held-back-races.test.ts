import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { transaction, type Sql } from '#lib/server/db.ts'
import { moneyFindings, sendingAccount, startCampaign, startProduct, type Product } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../service.ts'
import { settleReports } from './status-reports.ts'
import { sweepEnded, sweepExpired, sweepUnconfirmed } from './sweeps.ts'

const notify = async () => {}
const HELD_BACK = 131_049

let quiet: Product
before(async () => {
	// Without a worker: these tests bring the reports themselves.
	quiet = await startProduct({ env: { ROLE: 'http' } })
})
after(() => quiet.close())

interface Report {
	status: string
	code?: number
	/** Left out, the report does not carry our id. */
	attempt?: number
	wamid?: string
}

async function heldBackCampaign() {
	const sender = await sendingAccount(quiet, { contacts: 1 })
	const { ownerId: owner } = sender
	const campaignId = await startCampaign(quiet, sender, { retryHeldBack: true })
	await quiet.db`update campaigns set status = 'processing', started_at = now(), claimed_through = total_count where id = ${campaignId}`
	const [contact] = await quiet.db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${owner} and campaign_id = ${campaignId}
	`
	const statuses = (reports: Report[]) =>
		reports.map(({ status, code, attempt, wamid = `wamid.${campaignId}.0` }) => ({
			id: wamid,
			status,
			timestamp: '1790000000',
			recipient_id: contact?.number,
			...(attempt !== undefined && {
				biz_opaque_callback_data: attempt === 0 ? `campaign:${campaignId}:1` : `campaign:${campaignId}:1:${attempt}`,
			}),
			...(code && { errors: [{ code, title: 'Held back' }] }),
		}))
	const settleWithin = (sql: Sql, reports: Report[]) =>
		settleReports(sql, owner, { statuses: statuses(reports), notify })
	const report = (...reports: Report[]) => transaction(quiet.db, (sql) => settleWithin(sql, reports))
	return { owner, campaignId, report, settleWithin }
}

type Campaign = Awaited<ReturnType<typeof heldBackCampaign>>

async function messageOf({ campaignId }: Pick<Campaign, 'campaignId'>) {
	const [row] = await quiet.db<{ status: string; code: number | null; attempt: number | null; isWaiting: boolean }[]>`
		select m.status, m.error_code as code, m.held_back_count as attempt,
			exists (
				select 1 from unsettled_messages u
				where u.account_id = m.account_id and u.campaign_id = m.campaign_id and u.seq = m.seq and u.retry_at is not null
			) as "isWaiting"
		from campaign_messages m where m.campaign_id = ${campaignId}
	`
	return { ...row }
}

const WAITING = { status: 'pending', code: null, attempt: 1, isWaiting: true }
const sweepDeps = (unknownAfter = 0) => ({ db: quiet.db, log: quiet.process.context.log, notify, unknownAfter })

/** Runs the work between the moment it has found the message and the commit of a report about that. */
async function runDuringReport(campaign: Campaign, report: Report, work: () => Promise<unknown>): Promise<void> {
	let done: Promise<unknown> | undefined
	await transaction(quiet.db, async (sql) => {
		await campaign.settleWithin(sql, [report])
		done = work()
		await until(async () => {
			// It waits for the report's lock, which on a cluster is another machine's.
			const running = await quiet.db`
				select 1 from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
					and query ilike '%campaign_messages%'
			`
			return running.length > 0
		})
	})
	await done
}

const sweepDuringReport = (campaign: Campaign, sweep: () => Promise<number>) =>
	runDuringReport(campaign, { status: 'failed', code: HELD_BACK, attempt: 0 }, sweep)

test('a report without our id about an attempt that was held back does not change the next attempt', async () => {
	const campaign = await heldBackCampaign()
	await campaign.report({ status: 'sent', attempt: 0 })
	await campaign.report(
		{ status: 'failed', code: HELD_BACK },
		{ status: 'failed', code: HELD_BACK },
		{ status: 'sent' },
	)
	assert.deepEqual(await messageOf(campaign), WAITING)
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

test('a message that is held back while the sweep of unconfirmed messages looks at it waits for its next attempt', async () => {
	const campaign = await heldBackCampaign()
	await quiet.db`
		insert into unsettled_messages (account_id, campaign_id, seq, attempts, unknown_since)
		values (${campaign.owner}, ${campaign.campaignId}, 1, 1, now() - interval '1 hour')
	`
	await sweepDuringReport(campaign, () => sweepUnconfirmed(sweepDeps()))
	assert.deepEqual(await messageOf(campaign), WAITING)
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

test('a message that is held back while the sweep of undelivered messages looks at it waits for its next attempt', async () => {
	const campaign = await heldBackCampaign()
	await campaign.report({ status: 'sent', attempt: 0 })
	await quiet.db`update campaigns set started_at = now() - interval '40 days' where id = ${campaign.campaignId}`
	await quiet.db`update campaign_messages set sent_at = now() - interval '40 days' where campaign_id = ${campaign.campaignId}`
	await quiet.db`update senders set reported_through = now() where account_id = ${campaign.owner}`
	await sweepDuringReport(campaign, () => sweepExpired(sweepDeps()))
	assert.deepEqual(await messageOf(campaign), WAITING)
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

/** A campaign whose message could not be confirmed and was refunded, and another that has taken the refund. */
async function refundedAndSpent() {
	const campaign = await heldBackCampaign()
	const { owner, campaignId } = campaign
	await quiet.db`
		insert into unsettled_messages (account_id, campaign_id, seq, attempts, unknown_since)
		values (${owner}, ${campaignId}, 1, 1, now() - interval '1 hour')
	`
	await sweepUnconfirmed(sweepDeps())
	// The refunded rupee goes into a campaign that waits.
	const [template] = await quiet.db<
		{ id: string }[]
	>`select template_id as id from templates where account_id = ${owner}`
	const other = { ownerId: owner, templateId: template?.id ?? '' }
	const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)
	const otherId = await startCampaign(quiet, other, { schedule: 'later', scheduleDatetime: tomorrow, timezone: 'UTC' })
	return { campaign, otherId }
}

test('an unconfirmed message that is confirmed with an empty wallet and held back by the same reports costs and gives nothing', async () => {
	const { campaign, otherId } = await refundedAndSpent()
	const { owner, campaignId } = campaign
	await campaign.report({ status: 'sent', attempt: 0 }, { status: 'failed', code: HELD_BACK, attempt: 0 })
	assert.deepEqual(await moneyFindings(quiet.db), [])
	for (const id of [campaignId, otherId]) await cancelCampaign(quiet.process.context, owner, String(id)).catch(() => {})
	while ((await sweepEnded(sweepDeps())) > 0);
	const [wallet] = await quiet.db<{ available: number; held: number }[]>`
		select available_paise as available, held_paise as held from wallets where account_id = ${owner}
	`
	assert.deepEqual({ ...wallet }, { available: 100, held: 0 })
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

test('a message that is held back while its free confirmation is being settled has failed, and gives nothing back', async () => {
	const { campaign } = await refundedAndSpent()
	await runDuringReport(campaign, { status: 'sent', attempt: 0 }, () =>
		campaign.report({ status: 'failed', code: HELD_BACK, attempt: 0 }),
	)
	assert.deepEqual(await messageOf(campaign), { status: 'failed', code: HELD_BACK, attempt: null, isWaiting: false })
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

test('a campaign that is paused while a message waits stays paused, and resumed goes on with it', async () => {
	const campaign = await heldBackCampaign()
	const id = String(campaign.campaignId)
	await campaign.report({ status: 'failed', code: HELD_BACK, attempt: 0 })
	await pauseCampaign(quiet.process.context, campaign.owner, id)
	await campaign.report({ status: 'failed', code: HELD_BACK, attempt: 0 }, { status: 'sent', attempt: 0 })
	const statusOf = async () =>
		(await quiet.db<{ status: string }[]>`select status from campaigns where id = ${id}`)[0]?.status
	assert.equal(await statusOf(), 'paused')
	assert.deepEqual(await messageOf(campaign), WAITING)
	await resumeCampaign(quiet.process.context, campaign.owner, id)
	assert.equal(await statusOf(), 'processing')
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

test('a message in flight that is held back after its campaign was cancelled has failed, and its price is released', async () => {
	const campaign = await heldBackCampaign()
	await cancelCampaign(quiet.process.context, campaign.owner, String(campaign.campaignId))
	await campaign.report({ status: 'failed', code: HELD_BACK, attempt: 0 })
	assert.deepEqual(await messageOf(campaign), { status: 'failed', code: HELD_BACK, attempt: null, isWaiting: false })
	assert.deepEqual(await moneyFindings(quiet.db), [])
})

test('a message that is held back while its campaign is being cancelled waits for nothing, whoever comes first', async () => {
	const campaign = await heldBackCampaign()
	await campaign.report({ status: 'sent', attempt: 0 })
	await Promise.all([
		campaign.report({ status: 'failed', code: HELD_BACK, attempt: 0 }),
		cancelCampaign(quiet.process.context, campaign.owner, String(campaign.campaignId)).catch(() => {}),
	])
	while ((await sweepEnded(sweepDeps())) > 0);
	const [row] = await quiet.db<{ status: string; pending: number }[]>`
		select status, pending_count as pending from campaigns where id = ${campaign.campaignId}
	`
	if (row?.status === 'cancelled') assert.equal(row.pending, 0)
	assert.deepEqual(await moneyFindings(quiet.db), [])
})
