import { NEVER_SENT_CODES, type MessageState } from '#features/campaigns/rules.ts'
import { notices } from '#features/notifications/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/notify.ts'
import { applyUpdates, type StatusUpdate, type Transition } from './message-changes.ts'
import { moveMoney } from './money.ts'
import * as queries from './settle-queries.ts'

export interface Settled {
	/** The latest time of sending among the messages that the updates are about. */
	latestSentAt: Date | null
}

/**
 * Settles messages: their rows, their campaigns' counters, the wallet and the day's totals, in the caller's transaction. The
 * only way a message's status ever changes. Idempotent: what is known already moves nothing, and the same updates in the same
 * order come to the same, however they are batched.
 * Locks in one order, messages, campaigns, wallet, so that batches of any process can run side by side.
 */
export async function settle(
	sql: Sql,
	owner: OwnerId,
	{ updates, notify }: { updates: StatusUpdate[]; notify: Notify },
): Promise<Settled> {
	const stored = await queries.lockMessages(sql, owner, updates)
	const { transitions, messages, latestSentAt } = applyUpdates(stored, updates)
	const at = stored[0]?.lockedAt
	if (transitions.length === 0 || !at) return { latestSentAt }
	await queries.writeMessages(sql, owner, messages)
	const campaigns = await queries.countCampaigns(sql, owner, { changes: counterChanges(transitions), at })
	const spentPaise = await moveMoney(sql, owner, { campaigns, transitions })
	const failures = failureChanges(transitions)
	if (failures.length > 0) await queries.countFailures(sql, owner, failures)
	const day = { ...dayChange(transitions), spentPaise }
	if (Object.values(day).some((value) => value !== 0)) await queries.addToDailyTotals(sql, owner, day)

	for (const { id, name, completed } of campaigns) {
		announceLive(sql, owner, { kind: 'campaign', id: String(id) })
		if (completed) await notify(sql, owner, notices.campaignCompleted({ id, name }))
	}
	if (transitions.some(({ was, now }) => was.status === 'failed' || now.status === 'failed'))
		announceLive(sql, owner, { kind: 'wallet' })
	return { latestSentAt }
}

function counterChanges(transitions: readonly Transition[]): queries.CounterChange[] {
	const changes = new Map<number, queries.CounterChange>()
	for (const { campaignId, was, now } of transitions) {
		const change = changes.get(campaignId) ?? { campaignId, pending: 0, sent: 0, delivered: 0, read: 0, failed: 0 }
		change[was.status]--
		change[now.status]++
		changes.set(campaignId, change)
	}
	return [...changes.values()]
}

/** How many messages more, or fewer, have failed for each reason. */
function failureChanges(transitions: readonly Transition[]): queries.FailureChange[] {
	const changes = new Map<string, queries.FailureChange>()
	const add = (campaignId: number, { errorCode, error, count }: Omit<queries.FailureChange, 'campaignId'>) => {
		const key = `${campaignId}:${errorCode}`
		const change = changes.get(key) ?? { campaignId, errorCode, error: '', count: 0 }
		changes.set(key, { ...change, error: error || change.error, count: change.count + count })
	}
	for (const { campaignId, was, now, error } of transitions) {
		if (was.status === 'failed') add(campaignId, { errorCode: was.errorCode ?? 0, error: '', count: -1 })
		if (now.status === 'failed') add(campaignId, { errorCode: now.errorCode ?? 0, error: error ?? '', count: 1 })
	}
	const changed = [...changes.values()].filter(({ count }) => count !== 0)
	return changed.toSorted((a, b) => a.campaignId - b.campaignId || a.errorCode - b.errorCode)
}

/** The steps that messages passed: accepted, delivered, read, failed. What was never sent is no failure of the day. */
function dayChange(transitions: readonly Transition[]): Omit<queries.DayChange, 'spentPaise'> {
	const day = { sent: 0, delivered: 0, read: 0, failed: 0 }
	const rank = { pending: 0, failed: 0, sent: 1, delivered: 2, read: 3 }
	for (const { was, now } of transitions) {
		if (rank[was.status] < 1 && rank[now.status] >= 1) day.sent++
		if (rank[was.status] < 2 && rank[now.status] >= 2) day.delivered++
		if (now.status === 'read') day.read++
		if (isFailureOfTheDay(now)) day.failed++
		if (isFailureOfTheDay(was)) day.failed--
	}
	return day
}

function isFailureOfTheDay({ status, errorCode }: MessageState): boolean {
	return status === 'failed' && !NEVER_SENT_CODES.includes(errorCode ?? 0)
}
