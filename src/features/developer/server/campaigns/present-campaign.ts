import type { Campaign } from '#features/campaigns/server/queries.ts'
import { presentAmount } from '../present.ts'

/** Returns a campaign in the form of /v1, with amounts in paise and rupees. */
export function presentCampaign(campaign: Campaign) {
	const { pending, sent, delivered, read, failed, total, pricePaise, passedOn, ...facts } = campaign
	return {
		...facts,
		reason:
			campaign.statusReason ??
			campaign.waitingReason ??
			(campaign.quietUntil && `Quiet hours until ${campaign.quietUntil}`),
		counts: { pending, sent, delivered, read, failed, total },
		price: campaign.status === 'draft' ? null : presentAmount(pricePaise),
		cost: presentAmount(campaign.costPaise),
		...(passedOn && { passedOn: { messages: passedOn.messages, amount: presentAmount(passedOn.paise) } }),
		held: presentAmount(campaign.heldPaise),
		startsAt: campaign.opensAt,
		heldOut: campaign.controlGroup,
	}
}
