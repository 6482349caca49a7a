import { notificationOf } from '#features/notifications/server/kinds.ts'
import { plural } from '#lib/numbers.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { announceLive, publish } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import type { Log } from '#lib/server/log.ts'
import { workChannel } from '../work-channel.ts'
import { getMonthAllAccounts } from './month-queries.ts'
import { dueIds, type Ids } from './month.ts'
import * as queries from './unfinished-queries.ts'

export interface EndingDeps {
	db: Db
	log: Log
	notify: Notify
	/** Full months that are retained beside the present one; 0 retains all. */
	keepMonths: number
	signal: AbortSignal
}

const CAMPAIGNS_AT_ONCE = 500

/**
 * Cancels unfinished campaigns (paused, or scheduled far ahead) of months that are due to be removed, which would
 * retain the recipients of all accounts. Notifies the account a week before; the sweep of ended campaigns releases the
 * money.
 */
export async function endUnfinished({ db, log, notify, keepMonths, signal }: EndingDeps): Promise<void> {
	if (keepMonths === 0) return
	const { today, soon, migrated } = await getMonthAllAccounts(db)
	const [due, dueSoon] = [dueIds({ today, migrated }, keepMonths), dueIds({ today: soon, migrated }, keepMonths)]
	if (dueSoon === null) return
	const accounts = await scanAllAccounts(db, (only) => queries.listUnfinishedAllAccounts(db, { ids: dueSoon, only }))
	await forEachAccount({ log, signal }, accounts, async ({ accountId }) => {
		const announced = await inTransactions(db, (sql) => announce(sql, accountId, { ids: dueSoon, keepMonths, notify }))
		if (due === null) return announced
		return announced + (await inTransactions(db, (sql) => cancelDue(sql, accountId, { ids: due, keepMonths, notify })))
	})
}

interface Step {
	ids: Ids
	keepMonths: number
	notify: Notify
}

async function announce(sql: Sql, accountId: AccountId, { ids, keepMonths, notify }: Step): Promise<number> {
	const campaigns = await queries.announceEnds(sql, accountId, { ids, limit: CAMPAIGNS_AT_ONCE })
	await notifyOf(campaigns, ([first, ...others]) =>
		notify(sql, accountId, notificationOf.campaignEnding({ ...first, others: others.length, keepMonths })),
	)
	return campaigns.length
}

async function cancelDue(sql: Sql, accountId: AccountId, { ids, keepMonths, notify }: Step): Promise<number> {
	const reason = `Recipients are kept for ${plural(keepMonths, 'month')}, and this campaign had not finished by then.`
	const campaigns = await queries.cancelAnnounced(sql, accountId, { ids, reason, limit: CAMPAIGNS_AT_ONCE })
	await notifyOf(campaigns, ([first, ...others]) =>
		notify(sql, accountId, notificationOf.campaignEnded({ ...first, others: others.length, keepMonths })),
	)
	for (const { id } of campaigns) announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
	if (campaigns.length > 0) publish(sql, workChannel, accountId)
	return campaigns.length
}

/** Calls `tell` with the campaigns that the user has named, if any. Leaves out tests, chat templates and API campaigns. */
async function notifyOf<T extends queries.EndingCampaign>(
	campaigns: readonly T[],
	tell: (named: [T, ...T[]]) => Promise<void>,
): Promise<void> {
	const [first, ...others] = campaigns.filter(({ kind }) => kind === 'campaign')
	if (first) await tell([first, ...others])
}

/** Repeats a step, in a transaction each, until it returns fewer than CAMPAIGNS_AT_ONCE. Returns the sum. */
async function inTransactions(db: Db, step: (sql: Sql) => Promise<number>): Promise<number> {
	let total = 0
	for (let found = CAMPAIGNS_AT_ONCE; found === CAMPAIGNS_AT_ONCE; total += found) found = await transaction(db, step)
	return total
}
