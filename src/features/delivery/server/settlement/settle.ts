import { notificationOf } from '#features/notifications/server/kinds.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import { recordEvents } from '#lib/server/jobs/outgoing-events.ts'
import type { Arrival } from '../arrivals.ts'
import { listReferences } from '../message/reference-queries.ts'
import * as counts from './count-queries.ts'
import { blockChanges, counterChanges, dayChange, failureChanges, minuteChanges } from './counter-changes.ts'
import { applyUpdates, type StatusUpdate } from './message-changes.ts'
import { moveMoney } from './money.ts'
import { listNumbers } from './report-queries.ts'
import * as queries from './settle-queries.ts'
import { settledEvents } from './settled-events.ts'

export interface Settled {
	/** The latest time of sending among the messages that the updates are about. */
	latestSentAt: Date | null
	arrivals: Arrival[]
}

/** Takes the arrivals that a batch of reports has made known, in its transaction. */
export type OnArrived = (sql: Sql, accountId: AccountId, arrivals: readonly Arrival[]) => Promise<void>

/**
 * Settles messages: their rows, their campaigns' counters, the wallet and the day's totals, in the caller's transaction. The
 * only way a message's status ever changes. Idempotent: what is known already moves nothing, and the same updates in the same
 * order come to the same, however they are batched.
 *
 * Locks in one order, as does every transaction that locks more than one of these, so that batches of any process can run side
 * by side: sender; chats, their messages and opt-outs; messages of campaigns; campaigns; wallet and its waiting refunds; the
 * account's totals.
 */
export async function settle(
	sql: Sql,
	accountId: AccountId,
	{ updates, notify }: { updates: StatusUpdate[]; notify: Notify },
): Promise<Settled> {
	const stored = await queries.lockMessages(sql, accountId, updates)
	const { transitions, messages, arrivals, lateArrivals, latestSentAt } = applyUpdates(stored, updates)
	const atMs = stored[0]?.lockedAtMs
	if (lateArrivals.length > 0) await queries.writeArrivals(sql, accountId, lateArrivals)
	if (transitions.length === 0 || atMs === undefined) return { latestSentAt, arrivals }
	await queries.writeMessages(sql, accountId, messages)
	const campaigns = await queries.countCampaigns(sql, accountId, {
		changes: counterChanges(transitions),
		at: new Date(atMs),
	})
	const money = await moveMoney(sql, accountId, { campaigns, transitions })
	const fromChats = new Set(campaigns.flatMap(({ id, kind }) => (kind === 'chat' ? [id] : [])))
	// Only campaigns have reports and charts, and dashboards count what they sent.
	const charted = fromChats.size > 0 ? transitions.filter((one) => !fromChats.has(one.campaignId)) : transitions
	const failures = failureChanges(charted)
	if (failures.length > 0) await counts.countFailures(sql, accountId, failures)
	const day = { ...dayChange(charted), ...money }
	await counts.addToTotals(sql, accountId, { blocks: blockChanges(transitions), minutes: minuteChanges(charted), day })

	// What programs send is completed over and over.
	const ended = campaigns.filter(({ id, completed, kind }) => completed && kind !== 'api' && !fromChats.has(id))
	if (stored.some(({ number }) => number !== null)) {
		const fromPrograms = new Set(campaigns.flatMap(({ id, kind }) => (kind === 'api' ? [id] : [])))
		const named = charted.filter(({ campaignId }) => fromPrograms.has(campaignId))
		const references = named.length === 0 ? [] : await listReferences(sql, accountId, named)
		await recordEvents(
			sql,
			accountId,
			settledEvents({ transitions: charted, stored, references, ended, at: new Date(atMs) }),
		)
	}
	for (const { id, name } of ended) await notify(sql, accountId, notificationOf.campaignCompleted({ id, name }))
	for (const { id, completed } of campaigns) {
		if (fromChats.has(id)) continue
		announceLive(sql, accountId, { kind: 'campaign', id: String(id), isProgress: !completed })
	}
	if (transitions.some(({ was, now }) => was.status === 'failed' || now.status === 'failed'))
		announceLive(sql, accountId, { kind: 'wallet', isProgress: true })
	if (fromChats.size > 0) await announceChats(sql, accountId, [...fromChats])
	return { latestSentAt, arrivals }
}

async function announceChats(sql: Sql, accountId: AccountId, campaignIds: number[]): Promise<void> {
	const chats = await listNumbers(
		sql,
		accountId,
		campaignIds.map((campaignId) => ({ campaignId, seq: 1 })),
	)
	for (const id of new Set(chats)) announceLive(sql, accountId, { kind: 'chat', id })
	announceLive(sql, accountId, { kind: 'wallet' })
}
