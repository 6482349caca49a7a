import { presentFailure } from '#features/campaigns/server/present.ts'
import type { Campaign } from '#features/campaigns/server/queries.ts'
import type { CampaignStatus } from '#features/delivery/rules.ts'
import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import type { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import type { ResponseIn } from '#lib/endpoint.ts'
import { presentCampaign } from '../campaigns/present-campaign.ts'
import type { CountedCampaign, StoredCampaign } from './test-campaign-queries.ts'
import { COMPLETED_MS, statusOf } from './test-steps.ts'

/** Returns a real campaign in the form in which a test campaign is stored. It begins now, or at its scheduled time. */
export function storedForm(campaign: Campaign): Omit<StoredCampaign, 'id' | 'createdAt'> {
	const { opensAt, startedAt: _, finishedAt: __, createdAt: ___, ...rest } = campaign
	const { messagesRemovedAt: ____, ...facts } = rest
	const beginsAt = new Date(Math.max(Date.now(), opensAt.getTime()))
	return { state: campaign.status === 'draft' ? 'draft' : 'pending', facts, opensAt, beginsAt }
}

/** Returns the number of recipients. */
export function totalOf({ outcomes }: CountedCampaign): number {
	return outcomes.reduce((sum, { count }) => sum + count, 0)
}

/** Returns the status of a test campaign at a time. */
export function statusAt({ state, beginsAt }: StoredCampaign, nowMs: number): CampaignStatus {
	if (state !== 'pending') return state
	const ageMs = nowMs - beginsAt.getTime()
	if (ageMs < 0) return 'pending'
	return ageMs < COMPLETED_MS ? 'processing' : 'completed'
}

/** Returns a test campaign in the form of a real one, with its current status and counts. */
export function asCampaign(campaign: CountedCampaign): Campaign {
	const { id, facts, state, opensAt, beginsAt, createdAt } = campaign
	const nowMs = Date.now()
	const status = statusAt(campaign, nowMs)
	const isWaiting = state === 'draft' || state === 'paused'
	const counts = { pending: 0, sent: 0, delivered: 0, read: 0, failed: 0 }
	for (const { code, count } of campaign.outcomes)
		counts[statusOf({ errorCode: code, beginsAt, isWaiting }, nowMs).status] += count
	const total = totalOf(campaign)
	// Messages to other markets can cost more or less than the campaign's price. Facts stored before `heldPaise` existed have
	// only that price.
	const extraPaise = (facts.heldPaise ?? total * facts.pricePaise) - total * facts.pricePaise
	const paiseOf = (messages: number) =>
		messages * facts.pricePaise + (total === 0 ? 0 : Math.round((extraPaise * messages) / total))
	return {
		...facts,
		...counts,
		id,
		status,
		heldPaise: paiseOf(counts.pending),
		costPaise: paiseOf(counts.sent + counts.delivered + counts.read),
		unpriced: facts.unpriced ?? 0,
		passedOn: null,
		waitingReason: null,
		quietUntil: null,
		total,
		arriving: counts.sent,
		opensAt,
		startedAt: status === 'processing' || status === 'completed' ? beginsAt : null,
		finishedAt: status === 'completed' ? new Date(beginsAt.getTime() + COMPLETED_MS) : null,
		messagesRemovedAt: null,
		createdAt,
	}
}

/** Returns the current report of a test campaign. */
export function reportOf(counted: CountedCampaign): ResponseIn<typeof v1Campaigns.report> {
	const campaign = asCampaign(counted)
	const { sent, delivered, read, failed } = campaign
	const at = new Date(Math.floor(counted.beginsAt.getTime() / MINUTE_MS) * MINUTE_MS)
	const span = { at, sent: sent + delivered + read, delivered: delivered + read, read, failed, clicks: 0 }
	const failures = counted.outcomes.flatMap(({ code, count }) =>
		code === null || failed === 0 ? [] : [presentFailure({ code, error: failureWords(code).title, count })],
	)
	const spans = span.sent + failed === 0 ? [] : [span]
	return { campaign: presentCampaign(campaign), failures, timeline: { spanSeconds: MINUTE_MS / 1000, spans } }
}
