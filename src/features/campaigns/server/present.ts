import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import type { findPacing } from '#features/delivery/server/service.ts'
import type { Clicked } from '#features/links/server/click-queries.ts'
import { hasCountedLink } from '#features/templates/counted-link.ts'
import { findComponent } from '#features/templates/values.ts'
import { rupeesFromPaise } from '#lib/money.ts'
import type { Campaign, Failure, FormFacts, Message } from './queries.ts'

/** Returns the number of messages that Meta accepted and that have not failed since. */
function acceptedCount(campaign: Campaign): number {
	return campaign.sent + campaign.delivered + campaign.read
}

export function presentCampaign(campaign: Campaign) {
	const { name, category, components } = campaign.template
	return {
		_id: campaign.id,
		name: campaign.name,
		status: campaign.status,
		statusReason: campaign.statusReason ?? campaign.waitingReason,
		totalCount: campaign.total,
		sentCount: acceptedCount(campaign),
		failedCount: campaign.failed,
		pendingCount: campaign.pending,
		cost: rupeesFromPaise(campaign.costPaise),
		deliveredCount: campaign.delivered + campaign.read,
		readCount: campaign.read,
		arrivingCount: campaign.arriving,
		repliedCount: campaign.replied,
		quotedCount: campaign.quoted,
		countsClicks: hasCountedLink(components),
		clickedCount: campaign.clicked,
		heldOut: campaign.controlGroup,
		createdAt: campaign.createdAt,
		opensAt: campaign.opensAt,
		isTest: campaign.kind === 'test',
		isApi: campaign.kind === 'api',
		template: { name, category, body: findComponent(components, 'BODY')?.text ?? '' },
	}
}

export function presentDetail(campaign: Campaign, facts: FormFacts, pacing: Awaited<ReturnType<typeof findPacing>>) {
	const { retryOf } = campaign
	return {
		...campaign,
		...presentCampaign(campaign),
		language: campaign.template.language,
		components: campaign.template.components,
		audience: campaign.audienceName,
		selectedGroup: facts.selectedGroup,
		templateId: facts.templateId,
		schedule: campaign.isScheduled ? ('later' as const) : ('now' as const),
		retries: facts.retries.map(({ id, name }) => ({ _id: id, name })),
		refundWaiting: rupeesFromPaise(facts.refundWaitingPaise),
		...pacing,
		cappedCount: campaign.capped,
		unpricedCount: campaign.unpriced,
		passedOn: campaign.passedOn && {
			messages: campaign.passedOn.messages,
			amount: rupeesFromPaise(campaign.passedOn.paise),
		},
		hasMessagePrices: campaign.hasMessagePrices === true,
		holdOutPercent: campaign.controlGroupPercent,
		retryOf: retryOf === null ? null : { _id: retryOf, name: facts.retryOfName ?? '' },
		price: rupeesFromPaise(campaign.pricePaise),
		onHold: rupeesFromPaise(campaign.heldPaise),
		restored: facts.restored && { ...facts.restored, at: new Date(facts.restored.at) },
	}
}

export function presentMessage({ seq, sentAt, errorCode, ...message }: Message & Clicked) {
	const error = errorCode === null ? null : failureWords(errorCode).title
	return { ...message, _id: seq, error, createdAt: sentAt }
}

export function presentFailure(failure: Failure) {
	return { ...failure, ...failureWords(failure.code) }
}
