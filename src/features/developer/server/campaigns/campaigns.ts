import type { Recipient } from '#features/audiences/server/recipients/audience-queries.ts'
import { WRITE_TIMEOUT_MS, writeOrder, type Order } from '#features/campaigns/server/creation/write-order.ts'
import { presentFailure } from '#features/campaigns/server/present.ts'
import { listBefore, type Campaign } from '#features/campaigns/server/queries.ts'
import { listAfter, listFailures } from '#features/campaigns/server/report/message-queries.ts'
import { getTimeline } from '#features/campaigns/server/report/report-service.ts'
import { getCampaign } from '#features/campaigns/server/service.ts'
import type { MessageId } from '#features/delivery/server/message/message-id.ts'
import { listReferences, type MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import { cancel, pause, resume } from '#features/delivery/server/service.ts'
import type { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import type { PartOut, ResponseIn } from '#lib/endpoint.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import type { KeyHolder } from '#lib/server/http/http.ts'
import { invalid } from '../faults.ts'
import { spend } from '../keys/day-limit.ts'
import { runIdempotent } from '../orders/idempotency.ts'
import type { IdempotentRequest } from '../orders/request-queries.ts'
import { listListed } from './message-queries.ts'
import { presentCampaign } from './present-campaign.ts'
import { readCampaign, type CampaignBody } from './read-campaign.ts'
import { readRecipients } from './read-people.ts'
import { addToList, lockList, refuseTooManyDrafts, startList } from './recipient-list.ts'

type Presented = ReturnType<typeof presentCampaign>
type Page = PartOut<typeof v1Campaigns.addRecipients.body>['recipients']
export type Added = ResponseIn<typeof v1Campaigns.addRecipients>
type Status = PartOut<typeof v1Campaigns.recipients.query>['status']

/** A recipient of a campaign, with the status of the message. */
export interface ListedRecipient extends MessageId, MessageReference {
	number: string
	name: string | null
	status: 'pending' | 'sent' | 'delivered' | 'read' | 'failed'
	errorCode: number | null
	sentAt: Date | null
}

/** A request about one campaign. */
export interface OfCampaign {
	id: string
	asked: IdempotentRequest | null
}

export type CampaignChange = 'pause' | 'resume' | 'cancel'

/** The /v1 calls about campaigns, with one implementation for real keys and one for test keys. */
export interface CampaignCalls {
	create(key: KeyHolder, order: { body: CampaignBody; asked: IdempotentRequest | null }): Promise<Presented>
	addRecipients(key: KeyHolder, page: OfCampaign & { recipients: Page }): Promise<Added>
	start(key: KeyHolder, of: OfCampaign): Promise<Presented>
	change(key: KeyHolder, of: OfCampaign & { action: CampaignChange }): Promise<Presented>
	list(accountId: AccountId, wanted: { before: string | undefined; limit: number }): Promise<Campaign[]>
	get(accountId: AccountId, id: string): Promise<Campaign>
	report(accountId: AccountId, id: string): Promise<ResponseIn<typeof v1Campaigns.report>>
	/** Lists recipients with a number after `after`. */
	recipients(
		accountId: AccountId,
		wanted: { id: string; after: number; limit: number; status: Status },
	): Promise<ListedRecipient[]>
}

/** Writes an order in the caller's transaction, counts its price towards the key's day, and returns its campaign. */
export async function orderCampaign(sql: Sql, key: KeyHolder, order: Order): Promise<Campaign> {
	const { accountId } = key
	const { id } = await writeOrder(sql, accountId, order)
	if (order.status === 'draft') await refuseTooManyDrafts(sql, accountId)
	const campaign = await getCampaign(sql, accountId, String(id))
	await spend(sql, accountId, { key, paise: campaign.heldPaise })
	return campaign
}

/** Adds a page to a draft in the caller's transaction. Throws a 422 with all faults of the page. */
export async function addPage(
	sql: Sql,
	accountId: AccountId,
	{ id, recipients: typed }: { id: string; recipients: Page },
): Promise<Added> {
	const list = await lockList(sql, accountId, id)
	const recipients = readRecipients(typed, list)
	await refuseListed(sql, accountId, { campaignId: list.id, recipients })
	const { count: added, capped, unpriced } = await addToList(sql, accountId, { list, recipients })
	const optedOut = recipients.length - added - capped - unpriced
	return { added, optedOut, capped, ...(unpriced > 0 && { unpriced }), total: list.total + added }
}

/** Starts a draft in the caller's transaction, counts its price towards the key's day, and returns it. */
export async function startDraft(sql: Sql, key: KeyHolder, id: string): Promise<Campaign> {
	await spend(sql, key.accountId, { key, paise: await startList(sql, key.accountId, id) })
	return getCampaign(sql, key.accountId, id)
}

/** Lists recipients of a campaign with their references. */
export async function listRecipients(
	sql: Sql,
	accountId: AccountId,
	{ id, ...wanted }: { id: string; after: number; limit: number; status: Status },
): Promise<ListedRecipient[]> {
	const rows = await listAfter(sql, accountId, { campaignId: id, ...wanted })
	const campaignId = Number(id)
	const named = await listReferences(
		sql,
		accountId,
		rows.map(({ seq }) => ({ campaignId, seq })),
	)
	const bySeq = new Map(named.map((one) => [one.seq, one]))
	return rows.map(({ seq, number, name, status, errorCode, sentAt }) => {
		const { reference = null, metadata = null } = bySeq.get(seq) ?? {}
		return { campaignId, seq, number, name, status, errorCode, sentAt, reference, metadata }
	})
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

const CHANGES = { pause, resume, cancel }

/** Returns the calls of real keys. */
export function realCampaigns(db: Db): CampaignCalls {
	return {
		create: (key, { body, asked }) =>
			runIdempotent(db, key.accountId, {
				asked,
				timeoutMs: WRITE_TIMEOUT_MS,
				prepare: () => readCampaign(db, key.accountId, body),
				work: async (sql, order) => presentCampaign(await orderCampaign(sql, key, order)),
			}),
		addRecipients: ({ accountId }, { asked, ...page }) =>
			runIdempotent(db, accountId, { asked, work: (sql) => addPage(sql, accountId, page) }),
		start: (key, { id, asked }) =>
			runIdempotent(db, key.accountId, { asked, work: async (sql) => presentCampaign(await startDraft(sql, key, id)) }),
		change: ({ accountId }, { id, asked, action }) =>
			runIdempotent(db, accountId, {
				asked,
				async work(sql) {
					await CHANGES[action](sql, accountId, id)
					return presentCampaign(await getCampaign(sql, accountId, id))
				},
			}),
		list: (accountId, wanted) => listBefore(db, accountId, wanted),
		get: (accountId, id) => getCampaign(db, accountId, id),
		async report(accountId, id) {
			const campaign = await getCampaign(db, accountId, id)
			const [failures, timeline] = await Promise.all([listFailures(db, accountId, id), getTimeline(db, accountId, id)])
			return { campaign: presentCampaign(campaign), failures: failures.map(presentFailure), timeline }
		},
		async recipients(accountId, wanted) {
			await getCampaign(db, accountId, wanted.id)
			return listRecipients(db, accountId, wanted)
		},
	}
}
