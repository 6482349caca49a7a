import { notificationOf } from '#features/notifications/server/kinds.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
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
export type OnArrived = (sql: Sql, owner: OwnerId, arrivals: readonly Arrival[]) => Promise<void>

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
	owner: OwnerId,
	{ updates, notify }: { updates: StatusUpdate[]; notify: Notify },
): Promise<Settled> {
	const stored = await queries.lockMessages(sql, owner, updates)
	const { transitions, messages, arrivals, lateArrivals, latestSentAt } = applyUpdates(stored, updates)
	const atMs = stored[0]?.lockedAtMs
	if (lateArrivals.length > 0) await queries.writeArrivals(sql, owner, lateArrivals)
	if (transitions.length === 0 || atMs === undefined) return { latestSentAt, arrivals }
	await queries.writeMessages(sql, owner, messages)
	const campaigns = await queries.countCampaigns(sql, owner, {
		changes: counterChanges(transitions),
		at: new Date(atMs),
	})
	const money = await moveMoney(sql, owner, { campaigns, transitions })
	const fromChats = new Set(campaigns.flatMap(({ id, kind }) => (kind === 'chat' ? [id] : [])))
	// Only campaigns have reports and charts, and dashboards count what they sent.
	const charted = fromChats.size > 0 ? transitions.filter((one) => !fromChats.has(one.campaignId)) : transitions
	const failures = failureChanges(charted)
	if (failures.length > 0) await counts.countFailures(sql, owner, failures)
	const day = { ...dayChange(charted), ...money }
	await counts.addToTotals(sql, owner, { blocks: blockChanges(transitions), minutes: minuteChanges(charted), day })

	// What programs send is completed over and over.
	const ended = campaigns.filter(({ id, completed, kind }) => completed && kind !== 'api' && !fromChats.has(id))
	if (stored.some(({ number }) => number !== null)) {
		const fromPrograms = new Set(campaigns.flatMap(({ id, kind }) => (kind === 'api' ? [id] : [])))
		const named = charted.filter(({ campaignId }) => fromPrograms.has(campaignId))
		const references = named.length === 0 ? [] : await listReferences(sql, owner, named)
		await recordEvents(
			sql,
			owner,
			settledEvents({ transitions: charted, stored, references, ended, at: new Date(atMs) }),
		)
	}
	for (const { id, name } of ended) await notify(sql, owner, notificationOf.campaignCompleted({ id, name }))
	for (const { id, completed } of campaigns) {
		if (fromChats.has(id)) continue
		announceLive(sql, owner, { kind: 'campaign', id: String(id), isProgress: !completed })
	}
	if (transitions.some(({ was, now }) => was.status === 'failed' || now.status === 'failed'))
		announceLive(sql, owner, { kind: 'wallet', isProgress: true })
	if (fromChats.size > 0) await announceChats(sql, owner, [...fromChats])
	return { latestSentAt, arrivals }
}

async function announceChats(sql: Sql, owner: OwnerId, campaignIds: number[]): Promise<void> {
	const chats = await listNumbers(
		sql,
		owner,
		campaignIds.map((campaignId) => ({ campaignId, seq: 1 })),
	)
	for (const id of new Set(chats)) announceLive(sql, owner, { kind: 'chat', id })
	announceLive(sql, owner, { kind: 'wallet' })
}
