import { rupeesFromPaise } from '#lib/money.ts'
import type { CampaignDetail, CampaignRow, SentMessage, StatusCounts } from '../contract.ts'
import { findComponent } from '../rules.ts'
import type { Campaign, Message } from './queries.ts'

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
		cost: rupeesFromPaise(campaign.pricePaise * (acceptedCount(campaign) - campaign.waived)),
		createdAt: campaign.createdAt.toISOString(),
		opensAt: campaign.opensAt.toISOString(),
		template: { name, category, body: findComponent(components, 'BODY')?.text ?? '' },
	}
}

export function presentDetail(campaign: Campaign): CampaignDetail {
	return {
		...presentCampaign(campaign),
		description: campaign.description,
		language: campaign.template.language,
		components: campaign.template.components,
		variables: campaign.variables,
		audience: campaign.audienceName,
		price: rupeesFromPaise(campaign.pricePaise),
		onHold: rupeesFromPaise(campaign.pricePaise * campaign.pending),
		startedAt: campaign.startedAt?.toISOString() ?? null,
		finishedAt: campaign.finishedAt?.toISOString() ?? null,
	}
}

export function presentCounts({ pending, sent, delivered, read, failed }: Campaign): StatusCounts {
	return { pending, sent, delivered, read, failed }
}

export function presentMessage(message: Message): SentMessage {
	return {
		_id: String(message.seq),
		number: message.number,
		status: message.status,
		held: message.held,
		error: message.error,
		createdAt: message.sentAt?.toISOString() ?? null,
	}
}
