import { DELIVERY_DAYS, OWN_ERRORS } from '#features/delivery/rules.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { getNow } from '#lib/server/db/now.ts'
import type { MessageId, RestoreGenerations } from '../message/message-id.ts'
import { type StatusUpdate, failure } from '../message/status-update.ts'
import { addUsage } from '../settlement/count-queries.ts'
import { settle, type OnArrived } from '../settlement/settle.ts'
import * as statusUpdates from '../settlement/status-update-queries.ts'
import { matchStatusUpdates } from '../settlement/status-updates.ts'
import type { UsageChange } from '../settlement/usage.ts'
import * as queries from './sweep-queries.ts'

export interface SweepDeps extends SweepContext {
	notify: Notify
}

interface UnconfirmedDeps extends SweepDeps {
	/** Seconds until an unconfirmed message fails and is refunded. */
	unknownAfter: number
}

/** Messages settled per transaction. */
const CHUNK_SIZE = 3000

// Each sweep settles one chunk of each account or campaign with due messages, so that none waits long for another, and returns
// the number of messages: above 0, the housekeeping runs the sweep again at once. `sweepExpired` settles all chunks in one run.

/** Fails and refunds messages whose outcome has been unknown for `unknownAfter` seconds. */
export async function sweepUnconfirmed(deps: UnconfirmedDeps): Promise<number> {
	const seconds = deps.unknownAfter
	const due = await scanAllAccounts(deps.db, (only) => queries.listUnconfirmedAllAccounts(deps.db, { seconds, only }))
	const swept = await forEachAccount(deps, due, ({ accountId }) =>
		failChunk(deps, accountId, {
			reason: OWN_ERRORS.unconfirmed,
			next: (sql) => queries.listUnconfirmed(sql, accountId, { seconds, limit: CHUNK_SIZE }),
		}),
	)
	if (swept > 0) deps.log.warn({ messages: swept }, 'unconfirmed messages were failed and refunded')
	return swept
}

/** Releases the price of messages that cancelled or failed campaigns have not sent. */
export async function sweepEnded(deps: SweepDeps): Promise<number> {
	const ended = await scanAllAccounts(deps.db, (only) => queries.listEndedAllAccounts(deps.db, only))
	return forEachAccount(deps, ended, async ({ accountId, campaignId, status, reason: own }) => {
		const { code, text } = status === 'cancelled' ? OWN_ERRORS.cancelled : OWN_ERRORS.notRun
		const reason = { code, text: own ?? text }
		const take = { campaignId, limit: CHUNK_SIZE }
		const fresh = await failChunk(deps, accountId, {
			reason,
			next: (sql) => queries.takeNeverClaimed(sql, accountId, take),
		})
		// Two transactions, since `takeNeverClaimed` locks the campaign first, and `takeWaiting` its messages.
		return fresh || failChunk(deps, accountId, { reason, next: (sql) => queries.takeWaiting(sql, accountId, take) })
	})
}

/** Fails and refunds accepted messages that were not delivered within Meta's 30 days, until none are left. */
export async function sweepExpired(
	deps: SweepDeps & { restoreGenerations: Pick<RestoreGenerations, 'restoredAt'> },
): Promise<number> {
	const days = DELIVERY_DAYS
	const campaigns = await scanAllAccounts(deps.db, (only) => queries.listExpiredAllAccounts(deps.db, { days, only }))
	return forEachAccount(deps, campaigns, async ({ accountId, campaignId }) => {
		let after = 0
		let total = 0
		for (let last = 1; last > 0 && !deps.signal?.aborted; total += last) {
			last = await failChunk(deps, accountId, {
				reason: OWN_ERRORS.expired,
				async next(sql) {
					const keys = await queries.listExpired(sql, accountId, {
						campaignId,
						days,
						after,
						limit: CHUNK_SIZE,
						sentAfter: deps.restoreGenerations.restoredAt,
					})
					after = keys.at(-1)?.seq ?? after
					return keys
				},
			})
		}
		return total
	})
}

/** Settles status updates that concern no campaign message. Returns the others, and the change of usage, which the caller adds. */
export type SettleOthers = (
	sql: Sql,
	accountId: AccountId,
	waiting: StatusUpdate[],
) => Promise<{ others: StatusUpdate[]; usage: readonly UsageChange[] }>

/**
 * Settles stored status updates that arrived before the answer with their wamid, if their message can be found now. Returns
 * the number of tried status updates.
 */
export async function retryUnmatched({
	db,
	log,
	notify,
	signal,
	settleOthers,
	onArrived,
}: SweepDeps & { settleOthers?: SettleOthers; onArrived?: OnArrived }): Promise<number> {
	const due = await scanAllAccounts(db, (only) => statusUpdates.listUnmatchedAllAccounts(db, only))
	return forEachAccount({ log, signal }, due, ({ accountId }) => {
		const work = async (sql: Sql) => {
			const waiting = await statusUpdates.lockUnmatched(sql, accountId, CHUNK_SIZE)
			const { others: own, usage } = (await settleOthers?.(sql, accountId, waiting)) ?? { others: waiting, usage: [] }
			const settled = waiting.filter((statusUpdate) => !own.includes(statusUpdate))
			const { matched, unmatched } = await matchStatusUpdates(sql, accountId, own)
			const updates = matched.map(({ update }) => update)
			const { arrivals = [] } = updates.length > 0 ? await settle(sql, accountId, { updates, notify, usage }) : {}
			if (updates.length === 0 && usage.length > 0) await addUsage(sql, accountId, usage)
			if (arrivals.length > 0) await onArrived?.(sql, accountId, arrivals)
			await statusUpdates.deleteUnmatched(sql, accountId, [
				...settled,
				...matched.map(({ statusUpdate }) => statusUpdate),
			])
			await statusUpdates.postponeUnmatched(sql, accountId, unmatched)
			return waiting.length
		}
		return transaction(db, work, { isByKey: true })
	})
}

/** Fails the messages that `next` returns, in one transaction. Returns their number. */
async function failChunk(
	{ db, notify }: Pick<SweepDeps, 'db' | 'notify'>,
	accountId: AccountId,
	{ reason, next }: { reason: { code: number; text: string }; next: (sql: Sql) => Promise<MessageId[]> },
): Promise<number> {
	const work = async (sql: Sql) => {
		const keys = await next(sql)
		if (keys.length === 0) return 0
		const at = await getNow(sql)
		const updates = keys.map((key) => ({ ...key, ...failure(reason.code, reason.text, at) }))
		await settle(sql, accountId, { updates, notify })
		return updates.length
	}
	return transaction(db, work, { isByKey: true })
}
