import type { MessageStatus } from '#features/campaigns/contract.ts'
import { higherStatus, OWN_ERRORS } from '#features/campaigns/rules.ts'
import { post } from '#features/wallet/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Notify } from '#lib/server/notify.ts'
import {
	addToToday,
	countCampaign,
	countFailures,
	raiseStatuses,
	updateWaived,
	type CountedCampaign,
	type DayChange,
	type StatusUpdate,
	type Transition,
} from './settle-queries.ts'

const ACCEPTED: readonly MessageStatus[] = ['sent', 'delivered', 'read']

/**
 * Takes note of what became of messages: their rows, their campaigns' counters, the wallet and the day's figures, in the
 * caller's transaction. The only way a message's status ever changes. Safe to repeat: what is known already moves nothing.
 * Locks in one order, messages, campaigns, wallet, so that batches of any process can run side by side.
 */
export async function settle(
	sql: Sql,
	owner: OwnerId,
	work: { updates: StatusUpdate[]; notify: Notify },
): Promise<void> {
	const transitions = await raiseStatuses(sql, owner, highestPerMessage(work.updates))
	const batches = Map.groupBy(transitions, (transition) => transition.campaignId)
	const counted = new Map<number, CountedCampaign>()
	for (const [campaignId, batch] of batches) {
		const change = { pending: 0, sent: 0, delivered: 0, read: 0, failed: 0 }
		for (const { was, now, count } of batch) {
			change[was] -= count
			change[now] += count
		}
		counted.set(campaignId, await countCampaign(sql, owner, { campaignId, ...change }))
	}
	const day: DayChange = { sent: 0, delivered: 0, read: 0, failed: 0, spentPaise: 0 }
	for (const [campaignId, batch] of batches) {
		const campaign = counted.get(campaignId)
		if (!campaign) continue
		for (const transition of batch) {
			day.spentPaise += await moveMoney(sql, owner, { campaign, transition })
			await noteReason(sql, owner, transition)
			addSteps(day, transition)
		}
		announceLive(sql, owner, { kind: 'campaign', id: String(campaignId) })
		if (campaign.completed) {
			await work.notify(sql, owner, {
				text: `Campaign "${campaign.name}" is completed`,
				link: `/campaign/${campaignId}`,
			})
		}
	}
	if (transitions.some(({ was, now }) => was === 'failed' || now === 'failed'))
		announceLive(sql, owner, { kind: 'wallet' })
	if (Object.values(day).some((value) => value !== 0)) await addToToday(sql, owner, day)
}

/** One update per message: the highest status any of them brings, so that the order they came in does not matter. */
function highestPerMessage(updates: StatusUpdate[]): StatusUpdate[] {
	const best = new Map<string, StatusUpdate>()
	for (const update of updates) {
		const key = `${update.campaignId}:${update.seq}`
		const known = best.get(key)
		if (!known || (higherStatus(known.status, update.status) === update.status && known.status !== update.status)) {
			best.set(key, { ...update, wamid: update.wamid ?? known?.wamid ?? null })
		}
	}
	return [...best.values()]
}

/** Posts what a transition means for the wallet; returns the paise spent by it, negative when money came back. */
async function moveMoney(
	sql: Sql,
	owner: OwnerId,
	{ campaign, transition }: { campaign: CountedCampaign; transition: Transition },
): Promise<number> {
	const { campaignId, was, now, count, firstSeq } = transition
	const postFor = (kind: 'hold' | 'capture' | 'release' | 'refund', messages: number) =>
		messages * campaign.pricePaise === 0
			? Promise.resolve({})
			: post(sql, owner, {
					kind,
					// A message is captured, released or refunded once from each status, so its number names the step.
					reference: `${kind}:${campaignId}:${firstSeq}:${was}-${now}`,
					paise: messages * campaign.pricePaise,
					campaignId,
					messageCount: messages,
				})
	const must = async (kind: 'capture' | 'release' | 'refund', messages: number) => {
		if (!(await postFor(kind, messages))) throw new Error(`${kind} of campaign ${campaignId} exceeds what is held`)
	}
	const price = campaign.pricePaise

	if (was === 'pending' && now === 'failed') await must('release', count)
	if (was === 'pending' && ACCEPTED.includes(now)) {
		await must('capture', count)
		return count * price
	}
	if (was === 'sent' && now === 'failed') {
		// Messages that could not be charged have nothing to be given back; which ones they were does not matter.
		const waived = Math.min(count, campaign.waivedCount)
		if (waived > 0) await updateWaived(sql, owner, { id: campaignId, change: -waived })
		campaign.waivedCount -= waived
		if (count > waived) await must('refund', count - waived)
		return -(count - waived) * price
	}
	if (was === 'failed' && now !== 'failed') {
		// The money was given back, and now it turns out to be owed. A wallet that cannot pay stays as it is.
		if (await postFor('hold', count)) {
			await must('capture', count)
			return count * price
		}
		await updateWaived(sql, owner, { id: campaignId, change: count })
	}
	return 0
}

/** Keeps the count of failures by reason. */
async function noteReason(
	sql: Sql,
	owner: OwnerId,
	{ campaignId, was, now, errorCode, error, count }: Transition,
): Promise<void> {
	if (was !== 'failed' && now !== 'failed') return
	if (was === now) {
		const { code, text } = OWN_ERRORS.unconfirmed
		await countFailures(sql, owner, { campaignId, errorCode: code, error: text, count: -count })
	}
	const change = now === 'failed' ? count : -count
	await countFailures(sql, owner, { campaignId, errorCode: errorCode ?? 0, error: error ?? '', count: change })
}

/** Failures that the network had no part in: the owner cancelled, or the campaign could not run. */
const NEVER_SENT: readonly (number | null)[] = [OWN_ERRORS.cancelled.code, OWN_ERRORS.notRun.code]

/** The funnel steps that a transition passed: accepted, delivered, read, failed. */
function addSteps(day: DayChange, { was, now, errorCode, count }: Transition): void {
	if (NEVER_SENT.includes(errorCode)) return
	const rank = { pending: 0, failed: 0, sent: 1, delivered: 2, read: 3 }
	if (rank[was] < 1 && rank[now] >= 1) day.sent += count
	if (rank[was] < 2 && rank[now] >= 2) day.delivered += count
	if (now === 'read') day.read += count
	if (now === 'failed') day.failed += count
	if (was === 'failed') day.failed -= count
}
