import type { Recipient } from '#features/audiences/server/recipients/audience-queries.ts'
import { leaveOutCapped, readCap } from '#features/audiences/server/recipients/frequency.ts'
import { insertUncapped } from '#features/audiences/server/recipients/recipient-sources.ts'
import type { CampaignStatus } from '#features/delivery/campaign-status.ts'
import { isMarketing, priceOf } from '#features/delivery/server/message/price.ts'
import { addCounts } from '#features/delivery/server/new-message-queries.ts'
import { workChannel } from '#features/delivery/server/work-channel.ts'
import { getPrices } from '#features/pricing/server/queries.ts'
import { mergeTags, slotsOf, type Variables } from '#features/templates/values.ts'
import { formatCount } from '#lib/numbers.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { announceLive, publish } from '#lib/server/db/channels.ts'
import { planScans } from '#lib/server/db/scan-plans.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import { getUsableTemplate, readOpening, readVariables, type CampaignForm } from './create.ts'
import * as queries from './list-queries.ts'
import { hold, type CampaignDraft } from './write-campaign.ts'

type ListForm = Pick<
	CampaignForm,
	'name' | 'description' | 'templateId' | 'variables' | 'schedule' | 'scheduleDatetime' | 'timezone' | 'retryHeldBack'
>

/**
 * A campaign whose recipients a program names, page by page, before it starts it: until then it costs nothing. A value that
 * the form leaves out is each recipient's own, under the same name.
 */
export async function readListForm(db: Db, accountId: AccountId, form: ListForm): Promise<CampaignDraft> {
	const { name, description, retryHeldBack } = form
	const opensAt = readOpening(form)
	const template = await getUsableTemplate(db, accountId, form.templateId)
	const own = Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, `{{${key}}}`]))
	const given: Variables = { ...own, ...form.variables }
	return {
		name,
		description,
		retryHeldBack,
		opensAt,
		template,
		variables: readVariables(template, given, mergeTags(given)),
		status: 'draft',
		audienceType: 'file',
		audienceName: 'API',
		groupId: null,
		pricePaise: 0,
		requestId: null,
	}
}

/** Each stores up to a million recipients that nobody has paid yet. */
const MAX_DRAFTS = 10
const MAX_RECIPIENTS = 1_000_000

/** After one was written, in its transaction. */
export async function refuseTooManyDrafts(sql: Sql, accountId: AccountId): Promise<void> {
	if ((await queries.countDrafts(sql, accountId)) <= MAX_DRAFTS) return
	throw new AppError(409, `Your account has ${MAX_DRAFTS} drafts, which is the most. Start or cancel one first.`)
}

/** Locks a campaign that still takes recipients; a 404 or 409 for another one. */
export async function lockList(sql: Sql, accountId: AccountId, campaignId: string): Promise<queries.RecipientList> {
	const list = await queries.lockList(sql, accountId, campaignId)
	if (!list) throw notFound('Campaign')
	refuseStarted(list.status)
	return list
}

/** Throws a 409 for the status of a campaign that takes no more recipients. */
export function refuseStarted(status: CampaignStatus): void {
	if (status !== 'draft') throw new AppError(409, `A campaign that is ${status} takes no more recipients`)
}

/**
 * Adds recipients, who are not in it yet, to a list that the caller has locked. Returns how many, without those who opted out,
 * and how many were left out as they have got enough marketing.
 */
export async function addToList(
	sql: Sql,
	accountId: AccountId,
	{ list, recipients }: { list: queries.RecipientList; recipients: readonly Recipient[] },
): Promise<{ count: number; capped: number }> {
	const { id: campaignId, total: before, opensAt } = list
	if (before + recipients.length > MAX_RECIPIENTS)
		throw new AppError(422, `A campaign has at most ${formatCount(MAX_RECIPIENTS)} recipients`)
	const opening = { isMarketing: isMarketing(list.category), opensAt }
	const cap = await readCap(sql, accountId, opening)
	const added = await insertUncapped(sql, accountId, { campaignId, after: before, recipients, ...opening, cap })
	const { count } = added
	if (count > 0) await addCounts(sql, accountId, { campaignId, before, count })
	announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId), isProgress: true })
	return added
}

/**
 * Starts a list in the caller's transaction: leaves out people who have got enough marketing, and holds the present price of
 * all others. Returns what it held, in paise: 0 for a list that was started before. Throws a 402 where the wallet is short.
 */
export async function startList(sql: Sql, accountId: AccountId, id: string): Promise<number> {
	const list = await queries.lockList(sql, accountId, id)
	if (!list) throw notFound('Campaign')
	const { id: campaignId, status, total, category, opensAt } = list
	refuseEnded(status)
	if (status !== 'draft') return 0
	const pricePaise = priceOf(list, await getPrices(sql, accountId))
	await planScans(sql)
	const count = await leaveOutCapped(sql, accountId, { campaignId, total, isMarketing: isMarketing(category), opensAt })
	await queries.startList(sql, accountId, { campaignId, pricePaise, count })
	await hold(sql, accountId, { campaignId, count, pricePaise })
	publish(sql, workChannel, accountId)
	announceLive(sql, accountId, { kind: 'wallet' })
	announceLive(sql, accountId, { kind: 'campaign', id })
	return count * pricePaise
}

/** Throws a 409 for the status of a campaign that cannot be started any more. */
export function refuseEnded(status: CampaignStatus): void {
	if (status === 'cancelled' || status === 'failed')
		throw new AppError(409, `A campaign that is ${status} cannot be started`)
}
