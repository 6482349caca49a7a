import type { Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import type { Jobs } from '#lib/server/jobs.ts'
import { pagesFor } from '#lib/server/paging.ts'
import { campaigns } from '../contract.ts'
import { presentCampaign, presentCounts, presentDetail, presentMessage } from './present.ts'
import * as queries from './queries.ts'
import * as service from './service.ts'

export function campaignRoutes(http: Http, context: { db: Db; jobs: Jobs }): void {
	const { db } = context

	mount(http, campaigns.list, async ({ query, session }) => {
		const [rows, total] = await Promise.all([
			queries.listCampaigns(db, session.ownerId, query),
			queries.countCampaigns(db, session.ownerId, query.search),
		])
		return { campaigns: rows.map(presentCampaign), totalPages: pagesFor(total, query.limit) }
	})

	mount(http, campaigns.create, async ({ body, session }) => {
		const id = await service.createCampaign(context, session.ownerId, body)
		const campaign = await service.getCampaign(db, session.ownerId, String(id))
		return { message: 'Campaign created successfully!', campaign: presentCampaign(campaign) }
	})

	mount(http, campaigns.audience, ({ query, session }) => service.estimate(db, session.ownerId, query))

	mount(http, campaigns.dashboard, ({ session }) => service.getDashboard(db, session.ownerId))

	mount(http, campaigns.get, async ({ params, session }) => ({
		campaign: presentDetail(await service.getCampaign(db, session.ownerId, params.id)),
	}))

	mount(http, campaigns.refresh, async ({ params, query, session }) => {
		const owner = session.ownerId
		const campaign = await service.getCampaign(db, owner, params.id)
		const wanted = { ...query, campaignId: params.id, status: query.status }
		const [messages, failures] = await Promise.all([
			queries.listMessages(db, owner, wanted),
			queries.listFailures(db, owner, params.id),
		])
		const counts = presentCounts(campaign)
		return {
			campaign: presentDetail(campaign),
			sentMessages: messages.map(presentMessage),
			statusCounts: counts,
			failures,
			totalPages: pagesFor(query.status ? counts[query.status] : campaign.total, query.limit),
			lastRefreshed: new Date().toISOString(),
		}
	})

	mount(http, campaigns.pause, async ({ params, session }) => {
		await service.pauseCampaign(context, session.ownerId, params.id)
		return { message: 'Campaign paused' }
	})

	mount(http, campaigns.resume, async ({ params, session }) => {
		await service.resumeCampaign(context, session.ownerId, params.id)
		return { message: 'Campaign resumed' }
	})

	mount(http, campaigns.cancel, async ({ params, session }) => {
		await service.cancelCampaign(context, session.ownerId, params.id)
		return { message: 'Campaign cancelled' }
	})
}
