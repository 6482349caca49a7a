import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { cancelCampaign, pauseCampaign } from '../service.ts'
import { sweepEnded } from '../sweeps/sweeps.ts'
import { detachPartitionAllAccounts, listPartitionsAllAccounts } from './month-queries.ts'
import { dueIds, FIRST_MONTH, idsOf } from './month.ts'
import { beginMonth, countMonthsOverdue, finalizeCampaigns, turnMonths } from './months.ts'

const KEEP_MONTHS = 24

// The product runs without a worker, because the tests run its tasks.
const product = await launchProduct({ env: { ROLE: 'http' } })
const { context } = product.process
const { db, log } = context

const sweep = async () => {
	while ((await sweepEnded({ db, log, notify: context.notify })) > 0);
}
const turn = () =>
	turnMonths({
		db,
		log,
		notify: context.notify,
		keepMonths: KEEP_MONTHS,
		signal: new AbortController().signal,
		copyOutcomes: async () => {},
	})

/** Moves the migration to `interval` before this month. The age of the first partition counts from the migration. */
const migrateEarlier = (interval: string) => db`
	update schema_migrations set applied_at = date_trunc('month', now()) - ${interval}::interval where file like '%_messages_by_month.sql'
`

const noticesOf = async (accountId: number) =>
	(
		await db<{ text: string }[]>`
			select text from notifications where account_id = ${accountId} and text like '%cancelled%' order by id
		`
	).map(({ text }) => text)

test('dueIds returns the ids of months older than the retention, and of the first partition by the month of the migration', () => {
	const migrated = FIRST_MONTH + 2
	const at = (months: number) => dueIds({ today: migrated + months, migrated }, KEEP_MONTHS)
	assert.equal(dueIds({ today: FIRST_MONTH, migrated: FIRST_MONTH - 1 }, KEEP_MONTHS), null)
	// Campaigns of months before the migration are in the first partition.
	assert.equal(at(24)?.firstId, idsOf(FIRST_MONTH).firstId)
	assert.deepEqual(at(25), { firstId: 0, endId: idsOf(migrated).endId })
	assert.deepEqual(at(26), { firstId: 0, endId: idsOf(migrated + 1).endId })
})

test('an unfinished campaign of a month that is due is cancelled a week after its notification, and the month is removed', async (t) => {
	if (await isDistributed(db)) return t.skip('a cluster removes a month when nothing reads it')
	const [ended, other] = [
		await sendingAccount(product, { contacts: 2 }),
		await sendingAccount(product, { contacts: 1, balancePaise: 300 }),
	]
	const done = await startCampaign(product, ended, LATER)
	await cancelCampaign(context, ended.accountId, String(done))
	await sweep()
	const [paused, scheduled] = [await startCampaign(product, other, LATER), await startCampaign(product, other, LATER)]
	await pauseCampaign(context, other.accountId, String(paused))
	const countMessages = async () =>
		(await db<{ n: number }[]>`select count(*)::int as n from campaign_messages where campaign_id = ${done}`)[0]?.n
	const statuses = async () =>
		(
			await db<{ status: string }[]>`select status from campaigns where id in (${paused}, ${scheduled}) order by id`
		).map(({ status }) => status)
	// Due at the end of next month, at the earliest.
	await migrateEarlier('23 months')
	await turn()
	assert.deepEqual(await noticesOf(other.accountId), [])
	await migrateEarlier('25 months')
	await beginMonth(db)
	for (let n = 0; n < 2; n++) await turn()
	const notices = await noticesOf(other.accountId)
	assert.equal(notices.length, 1)
	assert.match(
		String(notices[0]),
		/^2 campaigns have not finished and will be cancelled on \d+ \w+: recipients are kept for 24 months/,
	)
	assert.deepEqual([await statuses(), await countMessages()], [['paused', 'pending'], 2])
	assert.equal(await countMonthsOverdue(db, KEEP_MONTHS), 1)
	assert.deepEqual(await noticesOf(ended.accountId), [])
	await db`
		update campaigns set end_announced_at = (end_announced_at at time zone 'UTC' - interval '7 days') at time zone 'UTC'
		where account_id = ${other.accountId}
	`
	await turn()
	assert.deepEqual(await statuses(), ['cancelled', 'cancelled'])
	assert.match(
		String((await noticesOf(other.accountId))[1]),
		/^2 campaigns have not finished within 24 months and were cancelled/,
	)
	await sweep()
	assert.deepEqual({ ...(await getWallet(db, other.accountId)) }, { availablePaise: 300, heldPaise: 0 })
	await turn()
	assert.deepEqual([await countMessages(), await countMonthsOverdue(db, KEEP_MONTHS)], [0, 0])
	assert.deepEqual(await moneyFindings(db), [])
})

test('the reconciliation finds nothing between the removal of a month’s blocks and the removal of its messages', async (t) => {
	if (await isDistributed(db)) return t.skip('a cluster removes them together')
	await beginMonth(db)
	const sender = await sendingAccount(product, { contacts: 2 })
	const id = await startCampaign(product, sender, LATER)
	await cancelCampaign(context, sender.accountId, String(id))
	await sweep()
	assert.equal(await finalizeCampaigns(db, sender.accountId, { firstId: 0, endId: Number.MAX_SAFE_INTEGER }), null)
	const blocks = (await listPartitionsAllAccounts(db)).filter(({ table }) => table === 'campaign_blocks')
	for (const partition of blocks) await detachPartitionAllAccounts(db, partition)
	const rows = await db`select 1 from campaign_messages where campaign_id = ${id}`
	assert.equal(rows.length, 2)
	assert.deepEqual(await moneyFindings(db), [])
})
