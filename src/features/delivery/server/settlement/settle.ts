import type { Arrival } from '#features/delivery/rules.ts'
import { recordEvents } from '#features/events/server/service.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { listReferences } from '../message/reference-queries.ts'
import * as counts from './count-queries.ts'
import { blockChanges, counterChanges, dayChange, failureChanges, minuteChanges } from './counter-changes.ts'
import { applyUpdates, type MessageUpdate } from './message-changes.ts'
import { moveMoney } from './money.ts'
import * as queries from './settle-queries.ts'
import { settledEvents } from './settled-events.ts'
import { listNumbers } from './status-update-queries.ts'
import { mergeUsage, type UsageChange } from './usage.ts'

export interface Settled {
	/** The latest send time among the updated messages. */
	latestSentAt: Date | null
	arrivals: Arrival[]
}

/** Receives the newly known arrivals of a batch, in its transaction. */
export type OnArrived = (sql: Sql, accountId: AccountId, arrivals: readonly Arrival[]) => Promise<void>

/**
 * Settles messages in the caller's transaction: their rows, their campaigns' counters, the wallet, the day's totals and the
 * usage. No other code changes a message's status. Idempotent: the same updates in the same order give the same result in any batches.
 *
 * `usage` is a change of usage by chat messages, which is added with that of these messages.
 *
 * Locks in one order, as does every transaction that locks more than one of these: sender; chats, their messages and opt-outs;
 * campaign messages; campaigns; wallet and waiting refunds; the account's totals. Batches of any process therefore run side by
 * side.
 */
export async function settle(
	sql: Sql,
	accountId: AccountId,
	{ updates, notify, usage: others = [] }: { updates: MessageUpdate[]; notify: Notify; usage?: readonly UsageChange[] },
): Promise<Settled> {
	const stored = await queries.lockMessages(sql, accountId, updates)
	const { transitions, messages, arrivals, additions, latestSentAt, ...changes } = applyUpdates(stored, updates)
	const usage = mergeUsage([...changes.usage, ...others])
	const atMs = stored[0]?.lockedAtMs
	if (additions.length > 0) await queries.writeAdditions(sql, accountId, additions)
	const counters = counterChanges(transitions, updates)
	if (transitions.length === 0 || atMs === undefined) {
		// Status updates have come before the answers, whose endpoints are counted all the same.
		if (atMs !== undefined && counters.length > 0)
			await queries.countCampaigns(sql, accountId, { changes: counters, at: new Date(atMs) })
		if (usage.length > 0) await counts.addUsage(sql, accountId, usage)
		return { latestSentAt, arrivals }
	}
	await queries.writeMessages(sql, accountId, messages)
	const campaigns = await queries.countCampaigns(sql, accountId, {
		changes: counters,
		at: new Date(atMs),
	})
	const money = await moveMoney(sql, accountId, { campaigns, transitions })
	const fromChats = new Set(campaigns.flatMap(({ id, kind }) => (kind === 'chat' ? [id] : [])))
	// Chat templates have no report or chart, and dashboards do not count them.
	const charted = fromChats.size > 0 ? transitions.filter((one) => !fromChats.has(one.campaignId)) : transitions
	const failures = failureChanges(charted)
	if (failures.length > 0) await counts.countFailures(sql, accountId, failures)
	const day = { ...dayChange(charted), ...money }
	const totals = { blocks: blockChanges(transitions), minutes: minuteChanges(charted), day, usage }
	await counts.addToTotals(sql, accountId, totals)

	// An API campaign completes many times, so its completions cause no event and no notification.
	const ended = campaigns.filter(({ id, completed, kind }) => completed && kind !== 'api' && !fromChats.has(id))
	if (stored.some(({ number }) => number !== null)) {
		const withReferences = new Set(campaigns.flatMap(({ id, hasReferences }) => (hasReferences ? [id] : [])))
		const named = charted.filter(({ campaignId }) => withReferences.has(campaignId))
		const references = named.length === 0 ? [] : await listReferences(sql, accountId, named)
		await recordEvents(
			sql,
			accountId,
			settledEvents({ transitions: charted, stored, references, ended, at: new Date(atMs) }),
		)
	}
	for (const campaign of ended) await notify(sql, accountId, notificationOf.campaignCompleted(campaign))
	for (const { id, completed } of campaigns) {
		if (fromChats.has(id)) continue
		announceLive(sql, accountId, { kind: 'campaign', id: String(id), isProgress: !completed })
	}
	if (transitions.some(({ was, now, isPassedOn }) => isPassedOn || was.status === 'failed' || now.status === 'failed'))
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
