import { failureWords } from '#features/messages/server/failure-words.ts'
import { findComponent } from '#features/templates/values.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { CampaignDetail, CampaignRow, FailureGroup, SentMessage, StatusCounts } from '../contract.ts'
import type { Campaign, Failure, FormFacts, Message } from './queries.ts'

/** What the network accepted and has not failed since. */
function acceptedCount(campaign: Campaign): number {
	return campaign.sent + campaign.delivered + campaign.read
}

export function presentCampaign(campaign: Campaign): CampaignRow {
	const { name, category, components } = campaign.template
	return {
		_id: String(campaign.id),
		name: campaign.name,
		status: campaign.status,
		statusReason: campaign.statusReason ?? campaign.waitingReason,
		totalCount: campaign.total,
		sentCount: acceptedCount(campaign),
		failedCount: campaign.failed,
		pendingCount: campaign.pending,
		cost: rupeesFromPaise(campaign.pricePaise * (acceptedCount(campaign) - campaign.waived) + campaign.keptPaise),
		createdAt: campaign.createdAt.toISOString(),
		opensAt: campaign.opensAt.toISOString(),
		isTest: campaign.kind === 'test',
		template: { name, category, body: findComponent(components, 'BODY')?.text ?? '' },
	}
}

export function presentDetail(campaign: Campaign, facts: FormFacts): CampaignDetail {
	const { retryOf, followUpAt } = campaign
	return {
		...presentCampaign(campaign),
		description: campaign.description,
		language: campaign.template.language,
		components: campaign.template.components,
		variables: campaign.variables,
		audience: campaign.audienceName,
		audienceType: campaign.audienceType,
		selectedGroup: facts.selectedGroup,
		templateId: facts.templateId,
		schedule: campaign.isScheduled ? 'later' : 'now',
		retryHeldBack: campaign.retryHeldBack,
		followUp:
			followUpAt === null || campaign.status === 'cancelled'
				? null
				: { at: followUpAt.toISOString(), heldBackCount: facts.heldBackCount },
		retries: facts.retries.map(({ id, name }) => ({ _id: String(id), name })),
		refundWaiting: rupeesFromPaise(facts.refundWaitingPaise),
		repliedCount: campaign.replied,
		retryOf: retryOf === null ? null : { _id: String(retryOf), name: facts.retryOfName ?? '' },
		price: rupeesFromPaise(campaign.pricePaise),
		onHold: rupeesFromPaise(campaign.pricePaise * campaign.pending),
		startedAt: campaign.startedAt?.toISOString() ?? null,
		finishedAt: campaign.finishedAt?.toISOString() ?? null,
		restored: facts.restored && { ...facts.restored, at: new Date(facts.restored.at).toISOString() },
		messagesRemovedAt: campaign.messagesRemovedAt?.toISOString() ?? null,
	}
}

export function presentCounts({ pending, sent, delivered, read, failed }: Campaign): StatusCounts {
	return { pending, sent, delivered, read, failed }
}

export function presentMessage(message: Message): SentMessage {
	return {
		_id: String(message.seq),
		name: message.name,
		number: message.number,
		status: message.status,
		held: message.held,
		error: message.errorCode === null ? null : failureWords(message.errorCode).title,
		createdAt: message.sentAt?.toISOString() ?? null,
		wamid: message.wamid,
	}
}

export function presentFailure({ code, error, count }: Failure): FailureGroup {
	return { code, error, count, ...failureWords(code) }
}
