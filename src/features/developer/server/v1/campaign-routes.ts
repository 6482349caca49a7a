import { createCampaign } from '#features/campaigns/server/creation/create.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '#features/campaigns/server/lifecycle/transitions.ts'
import { presentFailure } from '#features/campaigns/server/present.ts'
import { listCampaigns, type Campaign } from '#features/campaigns/server/queries.ts'
import { listFailures } from '#features/campaigns/server/report/message-queries.ts'
import { getMessagePage, getTimeline } from '#features/campaigns/server/report/report-service.ts'
import { getCampaign } from '#features/campaigns/server/service.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { failureWords } from '#features/messages/server/failure-words.ts'
import type { PartOut } from '#lib/endpoint.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { readTemplate } from '../orders/check-order.ts'
import { readRepeatable } from '../orders/repeatable.ts'
import { numberedPage } from './paging.ts'
import { presentAmount } from './present.ts'

export function campaignRoutes(http: Http, context: { db: Db }): void {
	const { db } = context

	mount(http, v1Campaigns.createCampaign, async ({ body, session: { ownerId }, request }) => {
		const template = await readTemplate(db, ownerId, body.template)
		const key = readRepeatable(request, body)?.keyHash.toString('base64url')
		const id = await createCampaign(context, ownerId, {
			name: body.name,
			description: body.description,
			templateId: String(template.id),
			variables: body.values,
			audienceType: body.group === undefined ? 'all' : 'group',
			selectedGroup: body.group,
			...timingOf(body),
			retryHeldBack: body.retryHeldBack,
			...(key !== undefined && { requestId: `key:${key}` }),
		})
		return presentCampaign(await getCampaign(db, ownerId, String(id)))
	})

	mount(http, v1Campaigns.campaigns, async ({ query, session: { ownerId } }) => {
		const { data, next } = await numberedPage(query, (page) =>
			listCampaigns(db, ownerId, { ...page, search: '', sort: 'createdAt', order: 'desc', tests: 'hide' }),
		)
		return { data: data.map(presentCampaign), next }
	})

	mount(http, v1Campaigns.campaign, async ({ params, session: { ownerId } }) =>
		presentCampaign(await getCampaign(db, ownerId, params.id)),
	)

	const steps = [
		[v1Campaigns.pauseCampaign, pauseCampaign],
		[v1Campaigns.resumeCampaign, resumeCampaign],
		[v1Campaigns.cancelCampaign, cancelCampaign],
	] as const
	for (const [endpoint, step] of steps) {
		mount(http, endpoint, async ({ params, session: { ownerId } }) => {
			await step(context, ownerId, params.id)
			return presentCampaign(await getCampaign(db, ownerId, params.id))
		})
	}

	reportRoutes(http, context)
}

function reportRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, v1Campaigns.report, async ({ params, session: { ownerId } }) => {
		const campaign = await getCampaign(db, ownerId, params.id)
		const [failures, timeline] = await Promise.all([
			listFailures(db, ownerId, params.id),
			getTimeline(db, ownerId, params.id),
		])
		return { campaign: presentCampaign(campaign), failures: failures.map(presentFailure), timeline }
	})

	mount(http, v1Campaigns.recipients, async ({ params, query, session: { ownerId } }) => {
		const campaign = await getCampaign(db, ownerId, params.id)
		return numberedPage(query, (page) => listRecipients(db, ownerId, { ...page, campaign, status: query.status }))
	})
}

type Wanted = Omit<Parameters<typeof getMessagePage>[2], 'search'>

async function listRecipients(db: Db, owner: OwnerId, wanted: Wanted) {
	const { messages } = await getMessagePage(db, owner, { ...wanted, search: '' })
	return messages.map(({ seq, number, name, status, errorCode: code, sentAt }) => ({
		id: `${wanted.campaign.id}-${seq}`,
		to: number,
		name,
		status,
		error: code === null ? null : { code, title: failureWords(code).title },
		sentAt,
	}))
}

/** Campaigns are scheduled by the clock of a time zone: here that of UTC. */
function timingOf({ startsAt }: Pick<PartOut<typeof v1Campaigns.createCampaign.body>, 'startsAt'>) {
	const scheduleDatetime = startsAt && new Date(startsAt).toISOString().replace('Z', '')
	return { schedule: startsAt ? ('later' as const) : ('now' as const), scheduleDatetime, timezone: 'UTC' }
}

function presentCampaign(campaign: Campaign) {
	const { pending, sent, delivered, read, failed, total, pricePaise, keptPaise } = campaign
	const charged = sent + delivered + read - campaign.waived
	return {
		...campaign,
		reason: campaign.statusReason ?? campaign.waitingReason,
		counts: { pending, sent, delivered, read, failed, total },
		price: presentAmount(pricePaise),
		cost: presentAmount(charged * pricePaise + keptPaise),
		held: presentAmount(pending * pricePaise),
		startsAt: campaign.opensAt,
	}
}
