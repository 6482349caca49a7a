import type { ContactContext } from '#features/contacts/server/service.ts'
import {
	cancelCampaign,
	pauseCampaign,
	resumeCampaign,
	resumeSending,
	decideRestored,
	findPacing,
} from '#features/delivery/server/service.ts'
import { refuseWhileBlocked, type ReadingContext } from '#features/whatsapp/server/service.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { readPage } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { campaigns } from '../contract.ts'
import { editCampaign } from './edit-service.ts'
import { preflightRoutes } from './preflight-routes.ts'
import { presentCampaign, presentDetail, presentFailure, presentMessage } from './present.ts'
import * as queries from './queries.ts'
import { reportRoutes } from './report-routes.ts'
import { listFailures } from './report/message-queries.ts'
import { findBestTime, getMessagePage } from './report/report-service.ts'
import { getStanding } from './sending-blockers.ts'
import { getCampaign, createCampaign } from './service.ts'

export function campaignRoutes(http: Http, context: ContactContext & ReadingContext): void {
	const { db } = context

	preflightRoutes(http, context)
	reportRoutes(http, context)

	mount(http, campaigns.list, async ({ query, session }) => {
		const counting = queries.countCampaigns(db, session.accountId, query)
		const { rows, pages } = await readPage(query, queries.listCampaigns(db, session.accountId, query), counting)
		return { campaigns: rows.map(presentCampaign), totalPages: pages }
	})

	mount(http, campaigns.create, async ({ body, files, session }) => {
		await refuseWhileBlocked(context, session.accountId)
		const id = await createCampaign(context, session.accountId, { ...body, file: files['file'], by: session.userId })
		const campaign = await getCampaign(db, session.accountId, String(id))
		return { message: 'Campaign created successfully!', campaign: presentCampaign(campaign) }
	})

	mount(http, campaigns.standing, ({ session }) => getStanding(db, session.accountId))

	mount(http, campaigns.bestTime, async ({ session }) => ({ best: await findBestTime(db, session.accountId) }))

	mount(http, campaigns.get, async ({ params, session }) => ({
		campaign: await getDetail(db, session.accountId, params.id),
	}))

	mount(http, campaigns.refresh, async ({ params, query, session }) => {
		const accountId = session.accountId
		const campaign = await getCampaign(db, accountId, params.id)
		const [{ messages, totalPages }, failures, facts, pacing] = await Promise.all([
			getMessagePage(db, accountId, { ...query, status: query.status, campaign }),
			listFailures(db, accountId, params.id),
			queries.getFormFacts(db, accountId, campaign),
			findPacing(db, accountId, campaign.id),
		])
		return {
			campaign: presentDetail(campaign, facts, pacing),
			sentMessages: messages.map(presentMessage),
			statusCounts: campaign,
			failures: failures.map(presentFailure),
			totalPages,
			lastRefreshed: new Date(),
		}
	})

	mount(http, campaigns.update, async ({ params, body, session }) => {
		await editCampaign(db, session.accountId, { campaignId: params.id, form: body, by: session.userId })
		return { message: 'Campaign updated', campaign: await getDetail(db, session.accountId, params.id) }
	})

	statusRoutes(http, context)
}

/** Mounts the calls that pause, resume and cancel. */
function statusRoutes(http: Http, context: ReadingContext): void {
	const { db } = context

	mount(http, campaigns.resumeSending, async ({ session }) => {
		await refuseWhileBlocked(context, session.accountId)
		await resumeSending({ db, by: session.userId }, session.accountId)
		return { message: 'Sending resumed' }
	})

	mount(http, campaigns.decideRestored, async ({ params, body, session }) => {
		await decideRestored(context, session.accountId, { campaignId: params.id, ...body })
		return { message: 'Noted. Resume the campaign to send the rest.' }
	})

	mount(http, campaigns.pause, async ({ params, session }) => {
		await pauseCampaign({ db, by: session.userId }, session.accountId, params.id)
		return { message: 'Campaign paused' }
	})

	mount(http, campaigns.resume, async ({ params, session }) => {
		await refuseWhileBlocked(context, session.accountId)
		await resumeCampaign({ db, by: session.userId }, session.accountId, params.id)
		return { message: 'Campaign resumed' }
	})

	mount(http, campaigns.cancel, async ({ params, session }) => {
		await cancelCampaign({ db, by: session.userId }, session.accountId, params.id)
		return { message: 'Campaign cancelled' }
	})
}

async function getDetail(db: Db, accountId: AccountId, id: string) {
	const campaign = await getCampaign(db, accountId, id)
	const facts = await queries.getFormFacts(db, accountId, campaign)
	return presentDetail(campaign, facts, await findPacing(db, accountId, campaign.id))
}
