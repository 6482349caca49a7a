import { listSegments } from '#features/audiences/server/segments/segment-queries.ts'
import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import { publicId } from '#features/delivery/server/message/message-id.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import type { Db } from '#lib/server/db.ts'
import { mount, type Http, type KeyHolder } from '#lib/server/http/http.ts'
import { realCampaigns, type ListedRecipient } from '../campaigns/campaigns.ts'
import { presentCampaign } from '../campaigns/present-campaign.ts'
import { readIdempotentRequest } from '../orders/idempotency.ts'
import { pageOf } from '../paging.ts'
import { testCampaigns } from '../test-keys/test-campaigns.ts'

export function campaignRoutes(http: Http, { db }: { db: Db }): void {
	const [real, tests] = [realCampaigns(db), testCampaigns(db)]
	const callsOf = ({ isTest }: KeyHolder) => (isTest ? tests : real)

	mount(http, v1Campaigns.createCampaign, ({ body, session: key, request }) =>
		callsOf(key).create(key, { body, asked: readIdempotentRequest(request, body) }),
	)

	mount(http, v1Campaigns.addRecipients, ({ params: { id }, body, session: key, request }) =>
		callsOf(key).addRecipients(key, { id, recipients: body.recipients, asked: readIdempotentRequest(request, body) }),
	)

	mount(http, v1Campaigns.startCampaign, ({ params: { id }, session: key, request }) =>
		callsOf(key).start(key, { id, asked: readIdempotentRequest(request, null) }),
	)

	const changes = [
		[v1Campaigns.pauseCampaign, 'pause'],
		[v1Campaigns.resumeCampaign, 'resume'],
		[v1Campaigns.cancelCampaign, 'cancel'],
	] as const
	for (const [endpoint, action] of changes) {
		mount(http, endpoint, ({ params: { id }, session: key, request }) =>
			callsOf(key).change(key, { id, action, asked: readIdempotentRequest(request, null) }),
		)
	}

	mount(http, v1Campaigns.segments, async ({ session: { accountId } }) => ({
		data: await listSegments(db, accountId),
		next: null,
	}))

	mount(http, v1Campaigns.campaigns, async ({ query: { cursor, limit }, session: key }) => {
		const rows = await callsOf(key).list(key.accountId, { before: cursor, limit: limit + 1 })
		return pageOf(rows, { limit, cursorOf: ({ id }) => id, present: presentCampaign })
	})

	mount(http, v1Campaigns.campaign, async ({ params: { id }, session: key }) =>
		presentCampaign(await callsOf(key).get(key.accountId, id)),
	)

	mount(http, v1Campaigns.report, ({ params: { id }, session: key }) => callsOf(key).report(key.accountId, id))

	mount(http, v1Campaigns.recipients, async ({ params: { id }, query, session: key }) => {
		const { cursor, limit, status } = query
		const wanted = { id, after: Number(cursor ?? 0), limit: limit + 1, status }
		const rows = await callsOf(key).recipients(key.accountId, wanted)
		return pageOf(rows, { limit, cursorOf: ({ seq }) => seq, present: presentRecipient })
	})
}

function presentRecipient({ number, errorCode: code, ...recipient }: ListedRecipient) {
	return {
		...recipient,
		id: publicId(recipient),
		to: number,
		error: code === null ? null : { code, title: failureWords(code).title },
	}
}
