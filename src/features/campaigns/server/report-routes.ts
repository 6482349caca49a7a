import { recordWork } from '#features/auth/server/service.ts'
import type { ContactContext } from '#features/contacts/server/service.ts'
import { refuseWhileBlocked, type ReadingContext } from '#features/whatsapp/server/service.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { campaignReports } from '../report-contract.ts'
import { presentCampaign } from './present.ts'
import { exportMessages } from './report/export.ts'
import { createRecipientGroup } from './report/group-service.ts'
import { countRecipients } from './report/recipient-queries.ts'
import { getSamples, getTimeline } from './report/report-service.ts'
import { estimateRetry, retryFailed } from './report/retry-service.ts'
import { getCampaign } from './service.ts'

/** Mounts the calls about a campaign that has been sent. */
export function reportRoutes(http: Http, context: ContactContext & ReadingContext): void {
	const { db } = context

	mount(http, campaignReports.timeline, async ({ params, session }) => {
		await getCampaign(db, session.accountId, params.id)
		return getTimeline(db, session.accountId, params.id)
	})

	mount(http, campaignReports.samples, async ({ params, session }) => {
		const campaign = await getCampaign(db, session.accountId, params.id)
		return { samples: await getSamples(db, session.accountId, campaign) }
	})

	mount(http, campaignReports.exportCsv, async ({ params, query, session }) => {
		const { name } = await getCampaign(db, session.accountId, params.id)
		await recordWork(db, session.accountId, { by: session.userId, action: 'recipients-exported', details: name })
		const content = exportMessages(db, session.accountId, { campaignId: params.id, status: query.status })
		return { filename: `campaign_${params.id}.csv`, content }
	})

	mount(http, campaignReports.retryEstimate, async ({ params, session }) => {
		const campaign = await getCampaign(db, session.accountId, params.id)
		return estimateRetry(db, session.accountId, campaign)
	})

	mount(http, campaignReports.retryFailed, async ({ params, body, session }) => {
		const accountId = session.accountId
		const campaign = await getCampaign(db, accountId, params.id)
		await refuseWhileBlocked(context, accountId)
		const retry = { campaign, requestId: body.requestId ?? null, shown: body, by: session.userId }
		const id = await retryFailed(db, accountId, retry)
		return {
			message: 'Campaign created successfully!',
			campaign: presentCampaign(await getCampaign(db, accountId, String(id))),
		}
	})

	mount(http, campaignReports.groupEstimate, async ({ params, query, session }) => {
		await getCampaign(db, session.accountId, params.id)
		return countRecipients(db, session.accountId, { campaignId: params.id, of: query.of })
	})

	mount(http, campaignReports.createGroup, async ({ params, body, session }) => {
		const accountId = session.accountId
		const { name: campaignName } = await getCampaign(db, accountId, params.id)
		const group = await createRecipientGroup(context, accountId, { ...body, campaignName, campaignId: params.id })
		return { message: 'Contact group created', group: { _id: group.id, name: group.name } }
	})
}
