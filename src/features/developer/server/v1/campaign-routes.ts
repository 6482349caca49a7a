import type { Recipient } from '#features/audiences/server/recipients/audience-queries.ts'
import { toRecipients } from '#features/audiences/server/recipients/recipient-sources.ts'
import { listSegments } from '#features/audiences/server/segments/segment-queries.ts'
import { createFrom, readForm, WRITE_TIMEOUT_MS } from '#features/campaigns/server/creation/create.ts'
import { listListed } from '#features/campaigns/server/creation/list-queries.ts'
import {
	addToList,
	lockList,
	readListForm,
	refuseTooManyDrafts,
	startList,
} from '#features/campaigns/server/creation/recipient-list.ts'
import type { CampaignDraft } from '#features/campaigns/server/creation/write-campaign.ts'
import { presentFailure } from '#features/campaigns/server/present.ts'
import { listBefore, type Campaign } from '#features/campaigns/server/queries.ts'
import { listAfter, listFailures } from '#features/campaigns/server/report/message-queries.ts'
import { getTimeline } from '#features/campaigns/server/report/report-service.ts'
import { getCampaign } from '#features/campaigns/server/service.ts'
import { cancel, pause, resume } from '#features/delivery/server/lifecycle/transitions.ts'
import { failureWords } from '#features/delivery/server/message/failure-words.ts'
import { publicId } from '#features/delivery/server/message/message-id.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import type { PartOut } from '#lib/endpoint.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { AppError, InvalidInput } from '#lib/server/errors.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { faultAt, faultsOf, invalid } from '../faults.ts'
import { spend } from '../keys/day-limit.ts'
import { readTemplate, unknownValues } from '../orders/check-order.ts'
import { runIdempotent, readIdempotentRequest } from '../orders/idempotency.ts'
import { pageOf } from '../paging.ts'
import { presentAmount } from '../present.ts'
import { readRecipients } from './read-people.ts'

export function campaignRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, v1Campaigns.createCampaign, ({ body, session: key, request }) => {
		const { accountId } = key
		return runIdempotent(db, accountId, {
			asked: readIdempotentRequest(request, body),
			timeoutMs: WRITE_TIMEOUT_MS,
			prepare: () => readCampaign(db, accountId, body),
			async work(sql, draft) {
				const id = await createFrom(sql, accountId, draft)
				if (draft.status === 'draft') await refuseTooManyDrafts(sql, accountId)
				const campaign = await getCampaign(sql, accountId, String(id))
				await spend(sql, accountId, { key, paise: campaign.pending * campaign.pricePaise })
				return presentCampaign(campaign)
			},
		})
	})

	mount(http, v1Campaigns.campaigns, async ({ query: { cursor, limit }, session: { accountId } }) => {
		const rows = await listBefore(db, accountId, { before: cursor, limit: limit + 1 })
		return pageOf(rows, { limit, cursorOf: ({ id }) => id, present: presentCampaign })
	})

	mount(http, v1Campaigns.campaign, async ({ params, session: { accountId } }) =>
		presentCampaign(await getCampaign(db, accountId, params.id)),
	)

	const steps = [
		[v1Campaigns.pauseCampaign, pause],
		[v1Campaigns.resumeCampaign, resume],
		[v1Campaigns.cancelCampaign, cancel],
	] as const
	mount(http, v1Campaigns.startCampaign, ({ params, session: key, request }) => {
		const { accountId } = key
		return runIdempotent(db, accountId, {
			asked: readIdempotentRequest(request, null),
			async work(sql) {
				await spend(sql, accountId, { key, paise: await startList(sql, accountId, params.id) })
				return presentCampaign(await getCampaign(sql, accountId, params.id))
			},
		})
	})

	for (const [endpoint, step] of steps) {
		mount(http, endpoint, ({ params, session: { accountId }, request }) =>
			runIdempotent(db, accountId, {
				asked: readIdempotentRequest(request, null),
				async work(sql) {
					await step(sql, accountId, params.id)
					return presentCampaign(await getCampaign(sql, accountId, params.id))
				},
			}),
		)
	}

	mount(http, v1Campaigns.segments, async ({ session: { accountId } }) => ({
		data: await listSegments(db, accountId),
		next: null,
	}))

	listRoutes(http, db)
	reportRoutes(http, db)
}

function listRoutes(http: Http, db: Db): void {
	mount(http, v1Campaigns.addRecipients, ({ params, body, session: { accountId }, request }) =>
		runIdempotent(db, accountId, {
			asked: readIdempotentRequest(request, body),
			async work(sql) {
				const list = await lockList(sql, accountId, params.id)
				const recipients = readRecipients(body.recipients, list)
				await refuseListed(sql, accountId, { campaignId: list.id, recipients })
				const { count: added, capped } = await addToList(sql, accountId, { list, recipients })
				return { added, optedOut: recipients.length - added - capped, capped, total: list.total + added }
			},
		}),
	)
}

/** Throws a 422 for numbers that the campaign already has, so that a page sent twice without a key adds them once. */
async function refuseListed(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, recipients }: { campaignId: number; recipients: readonly Recipient[] },
): Promise<void> {
	const numbers = recipients.map(({ number }) => number)
	const listed = new Set(await listListed(sql, accountId, { campaignId, numbers }))
	const faults = numbers.flatMap((number, index) =>
		listed.has(number) ? [{ path: `/recipients/${index}/to`, detail: 'The campaign has this number already' }] : [],
	)
	if (faults.length > 0) throw invalid(faults, 'recipient_listed')
}

type CampaignBody = PartOut<typeof v1Campaigns.createCampaign.body>

async function readCampaign(db: Db, accountId: AccountId, body: CampaignBody): Promise<CampaignDraft> {
	const { name, description, group, segment, recipients, retryHeldBack, holdOutPercent, values: variables } = body
	const template = await readTemplate(db, accountId, body.template)
	const form = { name, description, templateId: String(template.id), variables, ...timingOf(body), retryHeldBack }
	const audienceType = segment ? ('segment' as const) : group ? ('group' as const) : ('all' as const)
	const audience = { audienceType, selectedGroup: group, segmentId: segment, holdOutPercent }
	const reading = recipients ? readListForm(db, accountId, form) : readForm(db, accountId, { ...form, ...audience })
	const [unknown, draft] = [unknownValues(template, variables, []), await reading.catch(byOwnNames)]
	const faults = [...unknown, ...(draft instanceof AppError ? faultsOf(draft) : [])]
	if (faults.length > 0) throw invalid(faults)
	if (draft instanceof AppError) throw draft
	if (!recipients) return draft
	const message = { components: template.components, variables: draft.variables }
	return { ...draft, source: toRecipients(readRecipients(recipients, message)) }
}

/** Names in /v1 of fields of the campaign form. */
const OWN_NAMES: Record<PropertyKey, string> = { variables: 'values', scheduleDatetime: 'startsAt' }

/** Returns the refusal of a campaign with the field names of /v1. */
function byOwnNames(error: unknown): AppError {
	if (!(error instanceof AppError)) throw error
	if (!(error instanceof InvalidInput)) return error
	return invalid(
		error.issues.map(({ path: [field = '', ...rest], message }) =>
			faultAt([OWN_NAMES[field] ?? field, ...rest], message),
		),
	)
}

function reportRoutes(http: Http, db: Db): void {
	mount(http, v1Campaigns.report, async ({ params, session: { accountId } }) => {
		const campaign = await getCampaign(db, accountId, params.id)
		const [failures, timeline] = await Promise.all([
			listFailures(db, accountId, params.id),
			getTimeline(db, accountId, params.id),
		])
		return { campaign: presentCampaign(campaign), failures: failures.map(presentFailure), timeline }
	})

	mount(http, v1Campaigns.recipients, async ({ params, query, session: { accountId } }) => {
		const { id: campaignId } = await getCampaign(db, accountId, params.id)
		const { cursor, limit, status } = query
		const wanted = { campaignId: params.id, after: Number(cursor ?? 0), limit: limit + 1, status }
		return pageOf(await listAfter(db, accountId, wanted), {
			limit,
			cursorOf: ({ seq }) => seq,
			present: ({ seq, number, name, status: now, errorCode: code, sentAt }) => ({
				id: publicId({ campaignId, seq }),
				to: number,
				name,
				status: now,
				error: code === null ? null : { code, title: failureWords(code).title },
				sentAt,
			}),
		})
	})
}

/** Returns the schedule in the form's terms, which are the clock of a time zone: here UTC. */
function timingOf({ startsAt }: Pick<CampaignBody, 'startsAt'>) {
	const scheduleDatetime = startsAt && new Date(startsAt).toISOString().replace('Z', '')
	return { schedule: startsAt ? ('later' as const) : ('now' as const), scheduleDatetime, timezone: 'UTC' }
}

function presentCampaign(campaign: Campaign) {
	const { pending, sent, delivered, read, failed, total, pricePaise, keptPaise } = campaign
	const charged = sent + delivered + read - campaign.waived
	return {
		...campaign,
		reason:
			campaign.statusReason ??
			campaign.waitingReason ??
			(campaign.quietUntil && `Quiet hours until ${campaign.quietUntil}`),
		counts: { pending, sent, delivered, read, failed, total },
		price: campaign.status === 'draft' ? null : presentAmount(pricePaise),
		cost: presentAmount(charged * pricePaise + keptPaise),
		held: presentAmount(pending * pricePaise),
		startsAt: campaign.opensAt,
	}
}
