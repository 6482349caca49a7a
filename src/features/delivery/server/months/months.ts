import { MINUTE_MS } from '#lib/durations.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { listAccountsAllAccounts, scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { isDistributed, prepareSchemaChange } from '#lib/server/db/schema/distribute.ts'
import type { Log } from '#lib/server/log.ts'
import * as queries from './month-queries.ts'
import { FIRST_MONTH, idsOf, monthToUse, nameOf, type Ids } from './month.ts'
import { listUnfinishedAllAccounts } from './unfinished-queries.ts'
import { endUnfinished, type EndingDeps } from './unfinished.ts'

/**
 * Begins a new month: creates the partitions of its messages, and takes campaign ids from its range. Idempotent: a month begun
 * by an older release gets the partitions of tables added since. After a late beginning, because the server was off, the first
 * campaigns belong to the month before.
 */
export async function beginMonth(db: Db): Promise<void> {
	const month = monthToUse(await queries.getMonthAllAccounts(db))
	await changePartitions(db, (sql) => queries.createPartitionsAllAccounts(sql, month))
	// After the COMMIT: an id is given only when its partition exists.
	await queries.moveIdsAllAccounts(db, month.firstId)
}

export interface RemovalDeps extends Omit<EndingDeps, 'notify'> {
	/** Copies each message's outcome to the chat messages that reference it. Called before the partitions are dropped. */
	copyOutcomes(accountId: AccountId, ids: Ids): Promise<void>
}

/** Begins the month when it has come, ends unfinished campaigns of due months, and removes the months that are too old. */
export async function turnMonths(deps: RemovalDeps & EndingDeps): Promise<void> {
	await beginMonth(deps.db)
	await endUnfinished(deps)
	await removeOldMonths(deps)
}

/**
 * Returns the number of months by which the oldest retained month exceeds the retention; 0 for none, or without a
 * retention.
 */
export async function countMonthsOverdue(db: Db, keepMonths: number): Promise<number> {
	if (keepMonths === 0) return 0
	const { today, migrated } = await queries.getMonthAllAccounts(db)
	const partitions = await queries.listPartitionsAllAccounts(db)
	return Math.max(0, ...partitions.map(({ month }) => ageOf(month, { today, migrated }) - keepMonths))
}

/** Returns the age of a partition's month in months. */
const ageOf = (month: number, { today, migrated }: { today: number; migrated: number }) =>
	today - (month < FIRST_MONTH ? migrated : month)

/** Timeout of the analysis in milliseconds. Reading a sample of each month takes minutes after some years. */
const ANALYZE_TIMEOUT_MS = 10 * MINUTE_MS

/**
 * Gathers statistics of messages, clicks and replies over all months. Without them the planner expects a few hundred messages
 * per campaign, and rules about campaigns take four times as long.
 */
export async function analyzeMessages(db: Db): Promise<void> {
	await transaction(db, queries.analyzeAllAccounts, { timeoutMs: ANALYZE_TIMEOUT_MS })
}

const CAMPAIGNS_AT_ONCE = 100

/**
 * Removes the messages of months older than the retention, the oldest first: finalizes each campaign, then drops the month's
 * partitions in one step. A month with an unfinished campaign, or with a campaign whose counters differ from its messages,
 * stays whole, as do later months. Returns the number of months removed.
 */
export async function removeOldMonths({ db, log, keepMonths, signal, copyOutcomes }: RemovalDeps): Promise<number> {
	if (keepMonths === 0) return 0
	const now = await queries.getMonthAllAccounts(db)
	const partitions = await queries.listPartitionsAllAccounts(db)
	const months = [...new Set(partitions.map(({ month }) => month))].toSorted((a, b) => a - b)
	let removed = 0
	for (const month of months.filter((each) => ageOf(each, now) > keepMonths)) {
		const range = idsOf(month)
		if (await isUnfinished(db, { log, month, ids: range })) return removed
		for (const accountId of await listAccountsAllAccounts(db)) {
			if (signal.aborted) return removed
			const unfinalized = await finalizeCampaigns(db, accountId, range)
			if (unfinalized !== null) {
				log.error(
					{ accountId, ...unfinalized },
					'the messages of an old month cannot be removed because of this campaign',
				)
				return removed
			}
			await copyOutcomes(accountId, range)
		}
		await removePartitions(
			db,
			partitions.filter((partition) => partition.month === month),
		)
		log.info({ month: nameOf(month) }, 'the messages of an old month were removed')
		removed++
	}
	return removed
}

/**
 * Returns true when a month has an unfinished campaign. Called before any campaign is finalized, because a finalized
 * campaign no longer shows its recipients.
 */
async function isUnfinished(db: Db, { log, month, ids }: { log: Log; month: number; ids: Ids }): Promise<boolean> {
	const [found] = await scanAllAccounts(db, (only) => listUnfinishedAllAccounts(db, { ids, only }))
	if (found) log.info({ month: nameOf(month), ...found }, 'an old month of messages waits for this campaign to end')
	return found !== undefined
}

/** Finalizes an account's campaigns in a range of ids. Returns the first that cannot be finalized, or null. */
export async function finalizeCampaigns(
	db: Db,
	accountId: AccountId,
	range: Ids,
): Promise<{ campaignId: number; reason: string } | null> {
	for (;;) {
		const campaigns = await queries.listUnfinalized(db, accountId, { ...range, limit: CAMPAIGNS_AT_ONCE })
		if (campaigns.length === 0) return null
		for (const { id, isFinal } of campaigns) {
			if (!isFinal) return { campaignId: id, reason: 'it has not ended' }
			if (!(await queries.finalizeCampaign(db, accountId, id)))
				return { campaignId: id, reason: 'its counters differ from its messages' }
		}
	}
}

/** Drops partitions. Other statements continue meanwhile, except on Citus, where they wait. */
async function removePartitions(db: Db, partitions: readonly queries.Partition[]): Promise<void> {
	if (await isDistributed(db)) return changePartitions(db, (sql) => queries.dropPartitionsAllAccounts(sql, partitions))
	for (const partition of partitions) await queries.detachPartitionAllAccounts(db, partition)
	await queries.dropPartitionsAllAccounts(db, partitions)
}

async function changePartitions(db: Db, change: (sql: Sql) => Promise<void>): Promise<void> {
	await transaction(db, async (sql) => {
		await prepareSchemaChange(sql)
		await queries.lockMonthsAllAccounts(sql)
		await change(sql)
	})
}
