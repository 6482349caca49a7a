import { notificationOf } from '#features/notifications/server/kinds.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { getNow } from '#lib/server/db/now.ts'
import { recordPaused } from '../lifecycle/pause-events.ts'
import { settle } from '../settlement/settle.ts'
import type { SweepDeps } from '../sweeps/sweeps.ts'
import * as queries from './restore-queries.ts'

const RESTORED =
	'The server was restored from a backup. Part of this campaign may have been sent since then: choose how many of its messages count as sent, then resume it.'
const RESTORED_SCHEDULED =
	'The server was restored from a backup. Since then this campaign may have been sent earlier, changed or cancelled: choose how many of its messages count as sent, then resume or cancel it.'
const RESTORED_DRAFT =
	'The server was restored from a backup. This campaign may have been started since then: if it was not, create it again.'

export interface RestoredAccount {
	campaigns: queries.OpenCampaign[]
	/** Number of unstarted lists of programs that are cancelled. */
	drafts: number
	/** Number of messages in flight, of unknown outcome or waiting for a retry, and of single messages not sent yet. */
	doubtful: number
}

/**
 * Pauses or cancels the campaigns of an account, so that no message that may have been sent after the backup is sent
 * again. Called once for each account of a restored database, in the caller's transaction, while no worker runs.
 */
export async function holdRestored(sql: Sql, accountId: AccountId, notify: Notify): Promise<RestoredAccount> {
	const isQuiet = await queries.isQuietSinceBackup(sql, accountId)
	const open = await queries.pauseOpen(sql, accountId, RESTORED)
	const scheduled = await queries.pauseScheduled(sql, accountId, RESTORED_SCHEDULED)
	const drafts = await queries.cancelDrafts(sql, accountId, RESTORED_DRAFT)
	await queries.endGatherings(sql, accountId)
	const doubtful = await queries.doubtUnsettled(sql, accountId, isQuiet)
	for (const { campaigns, reason } of [
		{ campaigns: open, reason: RESTORED },
		{ campaigns: scheduled, reason: RESTORED_SCHEDULED },
	]) {
		for (const { id, name } of campaigns)
			await notify(sql, accountId, notificationOf.campaignPaused({ id, name, reason }))
		await recordPaused(sql, accountId, { campaigns, reason })
	}
	for (const draft of drafts)
		await notify(sql, accountId, notificationOf.campaignFailed({ ...draft, reason: RESTORED_DRAFT }))
	return { campaigns: [...open, ...scheduled], drafts: drafts.length, doubtful }
}

const CHUNK_SIZE = 3000

/**
 * Counts a chunk of each account's doubtful messages as sent. Each costs its price, unless a status update reports a
 * failure.
 */
export async function countDoubtfulAsSent({
	db,
	log,
	notify,
	signal,
}: Omit<SweepDeps, 'unknownAfter'>): Promise<number> {
	const decided = await scanAllAccounts(db, (only) => queries.listDecidedAllAccounts(db, only))
	return forEachAccount({ log, signal }, decided, ({ accountId }) =>
		transaction(
			db,
			async (sql) => {
				const keys = await queries.listCountedAsSent(sql, accountId, CHUNK_SIZE)
				const at = await getNow(sql)
				const sent = { status: 'sent' as const, at, wamid: null, errorCode: null, error: null, isInQualityCheck: false }
				if (keys.length > 0) await settle(sql, accountId, { updates: keys.map((key) => ({ ...key, ...sent })), notify })
				return keys.length
			},
			{ isByKey: true },
		),
	)
}
