import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { transaction, type Db } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import type { Log } from '#lib/server/log.ts'
import { LATER, sendingAccount, startCampaign, startProduct, type Product } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { cancelCampaign } from '../service.ts'
import { sweepEnded } from '../sweeps/sweeps.ts'
import { listPartitionsAllAccounts } from './month-queries.ts'
import { idsOf, monthToUse } from './month.ts'
import { analyzeMessages, beginMonth, removeOldMonths, finalizeCampaigns } from './months.ts'

let product: Product
before(async () => {
	product = await startProduct()
	await migrateEarlier(product.db)
})
after(() => product.close())

/** Moves the migration to an earlier month, so that the current month has its own range of ids. */
const migrateEarlier = (db: Db) => db`
	update schema_migrations set applied_at = applied_at - interval '40 days' where file like '%_messages_by_month.sql'
`

test('monthToUse returns the next month once the ids of a month are nearly used up, and the first partition in the month of the migration', () => {
	const november = idsOf(2026 * 12 + 10)
	const migrated = november.month - 1
	const at = (lastId: number) => monthToUse({ today: november.month, migrated, lastId })
	assert.equal(at(5).month, november.month)
	assert.equal(at(november.endId - 20_000_000).month, november.month)
	assert.equal(at(november.endId - 1_000_000).firstId, november.endId)
	const first = monthToUse({ today: migrated, migrated, lastId: 5 })
	assert.ok(first.firstId <= 5)
	assert.equal(monthToUse({ today: migrated, migrated, lastId: november.firstId - 1_000_000 }).month, november.month)
})

const statusOf = async (id: number) => (await product.db`select status from campaigns where id = ${id}`)[0]?.status

/** Selects the distinct storage settings of the partitions of messages. */
const settingsOf = (db: Db) => db`
	select distinct array(select unnest(c.reloptions) order by 1) as settings
	from pg_inherits i
	join pg_class c on c.oid = i.inhrelid
	where i.inhparent = 'campaign_messages'::regclass
`

test('after a repeated beginMonth, a campaign is sent from a partition of the month, with the settings of the other partitions', async () => {
	await beginMonth(product.db)
	await beginMonth(product.db)
	assert.equal((await settingsOf(product.db)).length, 1)
	const sender = await sendingAccount(product, { contacts: 3 })
	const campaignId = await startCampaign(product, sender)
	assert.ok(campaignId >= idsOf(2026 * 12 + 10).firstId)
	await until(async () => (await statusOf(campaignId)) === 'completed')
	const [row] = await product.db<{ partitions: string[] }[]>`
		select array_agg(distinct tableoid::regclass::text) as partitions from campaign_messages where campaign_id = ${campaignId}
	`
	// On a cluster this is the partition on the machine of the account, whose name ends with a number.
	assert.match(String(row?.partitions), /^campaign_messages_\d{4}_\d{2}(?:_\d+)?$/)
})

test('analyzeMessages gathers statistics over the messages of all months', async (t) => {
	if (await isDistributed(product.db)) return t.skip('the machines of a cluster have them')
	await analyzeMessages(product.db)
	const rows =
		await product.db`select 1 from pg_stats where tablename = 'campaign_messages' and attname = 'number' and inherited`
	assert.equal(rows.length, 1)
})

test('beginMonth adds the missing partition of a month that an older release has begun', async () => {
	await beginMonth(product.db)
	const made = await listPartitionsAllAccounts(product.db)
	const lost = made.find(({ table }) => table === 'campaign_clicks')
	await product.db.unsafe(`drop table ${lost?.name}`)
	await beginMonth(product.db)
	assert.deepEqual(await listPartitionsAllAccounts(product.db), made)
})

test('removeOldMonths removes the messages of an old month once its campaigns have ended, and retains their counters and digests', async (t) => {
	// Runs no worker: while a worker's transaction is slow, as on a busy machine, the removal is postponed by minutes.
	const idle = await startProduct({ env: { ROLE: 'http' } })
	t.after(() => idle.close())
	const { context } = idle.process
	const { db, log } = context
	await migrateEarlier(db)
	await beginMonth(db)
	const sender = await sendingAccount(idle, { contacts: 4, balancePaise: 800 })
	const [done, waiting] = [await startCampaign(idle, sender, LATER), await startCampaign(idle, sender, LATER)]
	const end = async (id: number) => {
		await cancelCampaign(context, sender.accountId, String(id))
		while ((await sweepEnded({ db, log, notify: async () => {} })) > 0);
	}
	await end(done)
	const [errors, waits]: [object[], object[]] = [[], []]
	const remove = () =>
		removeOldMonths({
			db,
			log: Object.assign(Object.create(log) as Log, {
				error: (facts: object) => errors.push(facts),
				info: (facts: object) => waits.push(facts),
			}),
			// Removes the current month too.
			keepMonths: -1,
			signal: new AbortController().signal,
			copyOutcomes: async () => {},
		})
	// Removes the first partition, which has no campaign here.
	assert.equal(await remove(), 1)
	assert.partialDeepStrictEqual(waits.at(-1), { accountId: sender.accountId, campaignId: waiting })
	const [finalized] = await db`select 1 from campaigns where id = ${done} and messages_removed_at is not null`
	assert.equal(finalized, undefined, 'no campaign of a retained month is finalized')
	const all = { firstId: 0, endId: Number.MAX_SAFE_INTEGER }
	const open = { campaignId: waiting, reason: 'it has not ended' }
	assert.deepEqual(await finalizeCampaigns(db, sender.accountId, all), open)
	await end(waiting)
	const miscount = (by: number) => db`update campaigns set sent_count = sent_count + ${by} where id = ${waiting}`
	await miscount(1)
	assert.equal(await remove(), 0)
	const reason = 'its counters differ from its messages'
	assert.deepEqual(errors.at(-1), { accountId: sender.accountId, campaignId: waiting, reason })
	await miscount(-1)
	assert.equal(await remove(), 1)
	const [campaign] = await db<{ total: number; digest: string; messages: number }[]>`
		select total_count as total, messages_digest as digest,
			(select count(*) from campaign_messages m where m.account_id = c.account_id and m.campaign_id = c.id) as messages
		from campaigns c where id = ${done}
	`
	assert.deepEqual({ ...campaign, digest: campaign?.digest.length }, { total: 4, messages: 0, digest: 64 })
})

test('removeOldMonths removes a month while a transaction reads messages and without delaying other statements, also after an interrupted removal', async (t) => {
	const idle = await startProduct({ env: { ROLE: 'http' } })
	t.after(() => idle.close())
	const { db, log } = idle.process.context
	if (await isDistributed(db)) return t.skip('a cluster waits until nobody reads the month')
	await db`alter table campaign_replies detach partition campaign_replies_first`
	const remove = removeOldMonths({
		db,
		log,
		keepMonths: -1,
		signal: new AbortController().signal,
		copyOutcomes: async () => {},
	})
	await transaction(db, async (sql) => {
		await sql`select 1 from campaign_messages`
		await until(async () => {
			const states = (await listPartitionsAllAccounts(db)).map(({ state }) => state)
			return states.includes('detaching')
		})
		await db`select 1 from campaign_messages`
	})
	assert.equal(await remove, 1)
	assert.deepEqual(await listPartitionsAllAccounts(db), [])
})
