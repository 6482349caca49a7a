import { controlGroupSize } from '#features/audiences/rules.ts'
import { writeControlGroup } from '#features/audiences/server/control-group-queries.ts'
import { engagedNumbers } from '#features/audiences/server/recipients/frequency-queries.ts'
import { recordWork } from '#features/auth/server/service.ts'
import { problem } from '#features/campaigns/problems.ts'
import { addOwnPrices, countUnpriced, type RowPrices } from '#features/delivery/server/orders/message-price-queries.ts'
import {
	addCapped,
	addCounts,
	insertMessages,
	moveToFront,
} from '#features/delivery/server/orders/new-message-queries.ts'
import * as queries from '#features/delivery/server/orders/order-queries.ts'
import { announceWork } from '#features/delivery/server/service.ts'
import type { Template } from '#features/templates/server/queries.ts'
import type { MediaFiles } from '#features/templates/values.ts'
import { getWallet, post } from '#features/wallet/server/ledger.ts'
import { refuseOwing } from '#features/wallet/server/owed.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import {
	countOf,
	insufficientBalance,
	mergeTagsOf,
	noRecipients,
	openRecipients,
	planOrder,
	refuseProblems,
	rowPricesOf,
	type OpenedRecipients,
	type PlannedOrder,
} from './plan-order.ts'

/** Days within which a reading, a reply or a click counts for the order of recipients. */
const ENGAGED_DAYS = 90

type Row = queries.NewCampaign
type OptionalFacts = Pick<Row, 'status' | 'segmentId' | 'requestDigest' | 'retryOf'>

/** The request for a campaign, checked and ready to be written. */
export interface Order
	extends
		PlannedOrder,
		Pick<Row, 'name' | 'audienceType' | 'audienceName' | 'groupId' | 'requestId'>,
		Partial<OptionalFacts> {
	description?: string | undefined
	/** The id of the person who orders; a program and the product have none. */
	by?: number | undefined
	template: Pick<Template, 'name' | 'language' | 'category' | 'components'> & MediaFiles
}

/**
 * Timeout in milliseconds of the transaction that writes an order: up to a million rows, those of a file while it is
 * being read.
 */
export const WRITE_TIMEOUT_MS = 120_000

/**
 * Writes an order in the caller's transaction: the campaign, one message per recipient and the hold of all their
 * prices. Too little money is a 402, any other problem a 400 or 409; the transaction then has to roll back. A repeated
 * request returns the id of its campaign with `isNew` false, or a 409 when its form was another one.
 *
 * Locks, in this order: the request id, the sending rules, fields and segment of the audience, the wallet.
 */
export async function writeOrder(
	sql: Sql,
	accountId: AccountId,
	order: Order,
): Promise<{ id: number; isNew: boolean }> {
	const row = rowOf(order)
	const campaignId = await insertCampaignOf(sql, accountId, order)
	if (campaignId === null) return { id: await findWritten(sql, accountId, row), isNew: false }
	const isLimited = row.kind !== 'chat'
	// Refuses early, before the messages are written. Does not see campaigns that are being created at the same moment.
	if (isLimited) await refuseTooMany(sql, accountId)
	const { count: written, unpriced } = await writeRecipients(sql, accountId, { order, campaignId })
	if (written === 0) throw noRecipients()
	if (order.recipientOrder === 'engaged')
		await moveToFront(sql, accountId, { campaignId, people: engagedNumbers(sql, accountId, ENGAGED_DAYS) })
	const controlGroup = controlGroupSize(written, order.controlGroupPercent)
	if (controlGroup > 0) await writeControlGroup(sql, accountId, { campaignId, written, count: controlGroup })
	const added = { campaignId, before: 0, count: written - controlGroup }
	await addCounts(sql, accountId, added)
	const paise = await sumPrices(sql, accountId, { order, added, unpriced })
	await hold(sql, accountId, { campaignId, paise, messageCount: added.count })
	// Checks again after the hold has locked the wallet, for which other new campaigns wait.
	if (isLimited) await refuseTooMany(sql, accountId)
	announceWork(sql, accountId)
	announceLive(sql, accountId, { kind: 'wallet' })
	if (isLimited) announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId) })
	if (order.by && row.kind === 'campaign')
		await recordWork(sql, accountId, { by: order.by, action: 'campaign-created', details: order.name })
	return { id: campaignId, isNew: true }
}

/** Writes the campaign of an order without messages. Returns its id; null when its request has created one already. */
export function insertCampaignOf(sql: Sql, accountId: AccountId, order: Order): Promise<number | null> {
	return queries.insertCampaign(sql, accountId, rowOf(order))
}

function rowOf(order: Order): Row {
	const { name, language, category, components, headerFile, cardFiles = null } = order.template
	return {
		name: order.name,
		description: order.description || null,
		kind: order.kind ?? 'campaign',
		status: order.status ?? 'pending',
		template: { name, language, category, components },
		headerFile,
		cardFiles,
		variables: order.variables,
		mergeTags: mergeTagsOf(order),
		audienceType: order.audienceType,
		audienceName: order.audienceName,
		groupId: order.groupId,
		segmentId: order.segmentId ?? null,
		controlGroupPercent: order.controlGroupPercent ?? null,
		pricePaise: order.pricePaise,
		passesOnFree: order.passesOnFree ?? false,
		requestId: order.requestId,
		requestDigest: order.requestDigest ?? null,
		opensAt: order.opensAt,
		recipientOrder: order.recipientOrder,
		dailyStart: order.dailyStart,
		retryOf: order.retryOf ?? null,
		createdBy: order.by ?? null,
	}
}

/** Writes the messages of a new campaign. Plans live recipients again before. Returns the number of messages. */
async function writeRecipients(
	sql: Sql,
	accountId: AccountId,
	{ order, campaignId }: { order: Order; campaignId: number },
): Promise<Written> {
	const given = { campaignId, after: 0, mergeTags: mergeTagsOf(order), prices: rowPricesOf(order) }
	const planned = { ...order, campaignId }
	if (!order.source.isLive) {
		const recipients = await openRecipients(sql, accountId, planned)
		return insertRecipients(sql, accountId, { ...given, recipients })
	}
	const { recipients, reach, unpriced, problems } = await planOrder(sql, accountId, planned)
	refuseProblems(problems)
	if (reach.capped > 0) await addCapped(sql, accountId, { campaignId, count: reach.capped })
	const { count } = await insertRecipients(sql, accountId, { ...given, recipients, isCounted: true })
	return { count, unpriced: countOf(unpriced) }
}

/**
 * Adds the prices of new messages to the campaign's sums. Returns their sum in paise. Messages that cost the campaign's
 * price are not read.
 */
export async function sumPrices(
	sql: Sql,
	accountId: AccountId,
	{
		order: { pricePaise, abroadPrices },
		added: { campaignId, before, count },
		unpriced = 0,
	}: {
		order: Pick<PlannedOrder, 'pricePaise' | 'abroadPrices'>
		added: { campaignId: number; before: number; count: number }
		unpriced?: number
	},
): Promise<number> {
	const paise = count * pricePaise
	if (!abroadPrices) return paise
	return paise + (await addOwnPrices(sql, accountId, { campaignId, after: before, pricePaise, unpriced }))
}

interface Written {
	/** Number of messages. */
	count: number
	/** Number of recipients who were left out since their market has no price. */
	unpriced: number
}

interface NewMessages {
	campaignId: number
	/** The number of messages that the campaign has already. */
	after: number
	/** The order of the messages' values. */
	mergeTags: readonly string[]
	recipients: Pick<OpenedRecipients, 'select' | 'rules'>
	/** Null when each message costs the campaign's price. */
	prices: RowPrices | null
	/** True when the plan has counted the recipients without a price. */
	isCounted?: boolean
}

/** Writes messages, numbered from `after` + 1. Returns how many, and how many recipients were left out, by reason. */
export async function insertRecipients(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, after, mergeTags, recipients, prices, isCounted = false }: NewMessages,
): Promise<Written & { capped: number }> {
	const total = { count: 0, capped: 0, unpriced: 0 }
	const selecting = recipients.select(sql, accountId, { ...recipients.rules, mergeTags })
	for await (const { rows, capped, writeReferences } of selecting) {
		if (prices && !isCounted) total.unpriced += await countUnpriced(sql, accountId, { rows, prices })
		const count = await insertMessages(sql, accountId, { campaignId, after: after + total.count, rows, prices })
		if (count > 0) await writeReferences?.(campaignId)
		total.count += count
		total.capped += capped
	}
	if (total.capped > 0) await addCapped(sql, accountId, { campaignId, count: total.capped })
	return total
}

/** Maximum number of unfinished campaigns of an account. Its worker reads all of them. */
const MAX_UNFINISHED = 500

/** Throws a 409 when the account has too many campaigns, the new one included. */
async function refuseTooMany(sql: Sql, accountId: AccountId): Promise<void> {
	if ((await queries.countUnfinished(sql, accountId)) <= MAX_UNFINISHED) return
	throw problem('campaigns_full', { most: MAX_UNFINISHED })
}

/** Returns the id of the campaign that a request has created before. Throws a 409 when its form was another one. */
async function findWritten(sql: Sql, accountId: AccountId, form: Row): Promise<number> {
	const id = form.requestId === null ? null : await queries.findByRequest(sql, accountId, form.requestId)
	if (id === null) throw new Error('a campaign was neither created nor found')
	const name = await queries.findDifferent(sql, accountId, { id, form })
	if (name === null) return id
	throw problem('form_created_campaign', { name, createdId: String(id) })
}

/** Messages of a campaign whose price is to be held. */
interface Holding {
	campaignId: number
	/** The sum of their prices. */
	paise: number
	messageCount: number
	/** The number of messages before the new ones, when messages are added to an existing campaign. */
	after?: number
}

/** Holds the price of messages. Returns false when the wallet is short; throws a 402 when the account owes money. */
export async function tryHold(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, paise, messageCount, after }: Holding,
): Promise<boolean> {
	if (paise === 0) {
		await refuseOwing(sql, accountId)
		return true
	}
	const held = await post(sql, accountId, {
		kind: 'hold',
		reference: after === undefined ? `hold:${campaignId}` : `hold:${campaignId}:${after}`,
		paise,
		campaignId,
		messageCount,
		refusesOwing: true,
		...(after !== undefined && { isMore: after > 0 }),
	})
	if (held === null) await refuseOwing(sql, accountId)
	return held !== null
}

/** Holds the price of messages. Throws a 402 when the wallet is short. */
export async function hold(sql: Sql, accountId: AccountId, holding: Holding): Promise<void> {
	if (await tryHold(sql, accountId, holding)) return
	throw insufficientBalance(holding.paise, (await getWallet(sql, accountId)).availablePaise)
}
