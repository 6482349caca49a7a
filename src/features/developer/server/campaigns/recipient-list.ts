import type { Recipient } from '#features/audiences/server/recipients/audience-queries.ts'
import { toNobody, toRecipients } from '#features/audiences/server/recipients/recipient-sources.ts'
import { leaveOutCapped } from '#features/audiences/server/service.ts'
import { problem } from '#features/campaigns/problems.ts'
import { openRecipients } from '#features/campaigns/server/creation/plan-order.ts'
import {
	findStartProblems,
	getUsableTemplate,
	readOpening,
	readVariables,
	refuseFields,
} from '#features/campaigns/server/creation/read-form.ts'
import { hold, insertRecipients, type Order } from '#features/campaigns/server/creation/write-order.ts'
import type { CampaignForm } from '#features/campaigns/server/service.ts'
import { isMarketing, type CampaignStatus } from '#features/delivery/rules.ts'
import { repriceMessages, addCounts } from '#features/delivery/server/orders/new-message-queries.ts'
import * as queries from '#features/delivery/server/orders/order-queries.ts'
import { announceWork } from '#features/delivery/server/service.ts'
import { recipientPriceOf } from '#features/pricing/rules.ts'
import { findPrices } from '#features/pricing/server/service.ts'
import { mergeTags, slotsOf, type Variables } from '#features/templates/values.ts'
import { notFound } from '#lib/problems.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { planScans } from '#lib/server/db/scan-plans.ts'

type ListForm = Pick<
	CampaignForm,
	'name' | 'description' | 'templateId' | 'variables' | 'schedule' | 'scheduleDatetime' | 'timezone' | 'dailyStart'
>

/**
 * Returns the order of a list: a campaign whose recipients a program adds page by page, without a price until it is started.
 * A variable without a value is filled by each recipient's value of the same name.
 */
export async function readListForm(db: Db, accountId: AccountId, form: ListForm): Promise<Order> {
	const { name, description, dailyStart } = form
	const opensAt = readOpening(form)
	refuseFields(await findStartProblems(db, accountId, dailyStart))
	const template = await getUsableTemplate(db, accountId, form.templateId)
	const own = Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, `{{${key}}}`]))
	const given: Variables = { ...own, ...form.variables }
	return {
		name,
		description,
		opensAt,
		dailyStart,
		template,
		variables: readVariables(template, given, mergeTags(given)),
		status: 'draft',
		audienceType: 'file',
		audienceName: 'API',
		groupId: null,
		source: toNobody(),
		pricePaise: 0,
		abroadPrices: null,
		requestId: null,
	}
}

/** The number of lists that an account fills at once. Each stores up to a million recipients before they are paid. */
const MAX_DRAFTS = 10
const MAX_RECIPIENTS = 1_000_000

/** Throws a 409 when the account has more than MAX_DRAFTS lists. Call after the new list is written, since the list counts. */
export async function refuseTooManyDrafts(sql: Sql, accountId: AccountId): Promise<void> {
	if ((await queries.countDrafts(sql, accountId)) <= MAX_DRAFTS) return
	throw problem('drafts_full', { most: MAX_DRAFTS })
}

/** Locks a campaign that still takes recipients. Throws a 404 or 409 for another one. */
export async function lockList(sql: Sql, accountId: AccountId, campaignId: string): Promise<queries.RecipientList> {
	const list = await queries.lockList(sql, accountId, campaignId)
	if (!list) throw notFound('Campaign')
	refuseStarted(list.status)
	return list
}

/** Throws a 409 for the status of a campaign that takes no more recipients. */
export function refuseStarted(status: CampaignStatus): void {
	if (status !== 'draft') throw problem('list_closed', { status })
}

/**
 * Adds recipients to a list that the caller has locked and that does not have them yet. Returns the number of added recipients
 * (`count`), and the numbers left out by the frequency cap (`capped`) and for lack of a price (`unpriced`); people who have
 * opted out are in none of them. Throws a 422 for more than MAX_RECIPIENTS in all.
 */
export async function addToList(
	sql: Sql,
	accountId: AccountId,
	{ list, recipients }: { list: queries.RecipientList; recipients: readonly Recipient[] },
): Promise<{ count: number; capped: number; unpriced: number }> {
	const { id: campaignId, total: before } = list
	if (before + recipients.length > MAX_RECIPIENTS) throw problem('list_too_long', { most: MAX_RECIPIENTS })
	const prices = await findPrices(sql, accountId, list)
	const priced = recipients.filter(({ number }) => typeof recipientPriceOf(prices, number) === 'number')
	const unpriced = recipients.length - priced.length
	const order = { ...orderOf(list), source: toRecipients(priced), pricePaise: 0, abroadPrices: null }
	const added = await insertRecipients(sql, accountId, {
		campaignId,
		after: before,
		mergeTags: mergeTags(list.variables),
		recipients: await openRecipients(sql, accountId, order),
		// The messages get their prices when the list is started.
		prices: null,
	})
	const { count } = added
	if (unpriced > 0) await queries.addUnpriced(sql, accountId, { campaignId, count: unpriced })
	if (count > 0) await addCounts(sql, accountId, { campaignId, before, count })
	announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId), isProgress: true })
	return { ...added, unpriced }
}

const ENDED_REASON = 'All recipients have opted out or got enough marketing.'

/**
 * Starts a list in the caller's transaction: leaves out people who are capped, and holds the present price of all others.
 * Returns the hold in paise; 0 for a list that was started before. Throws a 402 when the wallet is short.
 */
export async function startList(sql: Sql, accountId: AccountId, id: string): Promise<number> {
	const list = await queries.lockList(sql, accountId, id)
	if (!list) throw notFound('Campaign')
	const { id: campaignId, status, total, category, opensAt } = list
	refuseEnded(status)
	if (status !== 'draft') return 0
	const prices = await findPrices(sql, accountId, list)
	await planScans(sql)
	const left = await leaveOutCapped(sql, accountId, { campaignId, total, isMarketing: isMarketing(category), opensAt })
	const messages = { campaignId, count: left, hasMessagePrices: false, prices }
	const { count, paise } = await repriceMessages(sql, accountId, messages)
	const endedReason =
		left === 0 ? ENDED_REASON : `${ENDED_REASON.slice(0, -1)}, or messages to their country have no price.`
	const { pricePaise, passesOnFree = false } = prices
	await queries.startList(sql, accountId, { campaignId, pricePaise, passesOnFree, count, endedReason })
	await hold(sql, accountId, { campaignId, paise, messageCount: count })
	announceWork(sql, accountId)
	announceLive(sql, accountId, { kind: 'wallet' })
	announceLive(sql, accountId, { kind: 'campaign', id })
	return paise
}

function orderOf({ category, components, variables, opensAt }: queries.RecipientList) {
	return { template: { category, components }, variables, opensAt }
}

/** Throws a 409 for the status of a campaign that cannot be started any more. */
export function refuseEnded(status: CampaignStatus): void {
	if (status === 'cancelled' || status === 'failed') throw problem('list_unstartable', { status })
}
