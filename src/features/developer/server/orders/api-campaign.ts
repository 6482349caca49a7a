import { EVERYONE, type Recipient } from '#features/audiences/server/recipients/audience-queries.ts'
import { listed, toNobody } from '#features/audiences/server/recipients/recipient-sources.ts'
import { rowPricesOf } from '#features/campaigns/server/creation/plan-order.ts'
import {
	insertCampaignOf,
	insertRecipients,
	sumPrices,
	type Order,
} from '#features/campaigns/server/creation/write-order.ts'
import { insertReferences, type MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import { addToBlocks } from '#features/delivery/server/orders/new-message-queries.ts'
import { addToApiCampaign, releaseKey } from '#features/delivery/server/orders/order-queries.ts'
import { announceWork } from '#features/delivery/server/service.ts'
import type { AbroadPrices } from '#features/pricing/rules.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { mediaPlacesOf, slotsOf, type Variables } from '#features/templates/values.ts'
import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { sha256 } from '#lib/server/secrets.ts'

/** Messages that programs send with one template. */
export interface ApiMessages {
	template: Template
	/** Price of a message in the home market. */
	pricePaise: number
	/** Prices in other markets; null while all markets cost the home price. Each recipient has a price. */
	abroadPrices: AbroadPrices | null
	/** True to refund messages that WhatsApp does not charge. */
	passesOnFree: boolean
	messages: readonly ({
		number: string
		values: Variables
		/** The value of `FILE_TAG`. Either all messages have one, or none has. */
		fileId?: string | undefined
	} & Partial<MessageReference>)[]
}

/** The place of new messages: their campaign, and the number of messages before them. */
export interface Place {
	campaignId: number
	before: number
}

/**
 * Adds messages to the API campaign of the day with this template and home price, in the caller's transaction, which holds
 * the sum of their prices before it ends. The caller has checked the sender, the values, the opt-outs and the markets.
 */
export async function appendMessages(
	sql: Sql,
	accountId: AccountId,
	added: ApiMessages,
): Promise<Place & { paise: number }> {
	const { messages } = added
	const order = orderOf(added)
	const { campaignId, before } = await countInCampaign(sql, accountId, { order, count: messages.length })
	const recipients = { ...listed(recipientsOf(added)), rules: EVERYONE }
	const prices = rowPricesOf(order)
	const given = { campaignId, after: before, mergeTags: order.mergeTags, recipients, prices }
	const { count } = await insertRecipients(sql, accountId, given)
	const paise = await sumPrices(sql, accountId, { order, added: { campaignId, before, count } })
	await insertReferences(sql, accountId, { campaignId, before, messages })
	await addToBlocks(sql, accountId, { campaignId, before, count })
	announceWork(sql, accountId)
	announceLive(sql, accountId, { kind: 'wallet', isProgress: true })
	announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId), isProgress: true })
	return { campaignId, before, paise }
}

function recipientsOf({ template, messages }: ApiMessages): Recipient[] {
	const keys = slotsOf(template.components).map(({ key }) => key)
	return messages.map(({ number, values, fileId }) => {
		const own = fileId === undefined ? [] : [fileId]
		return { number, name: null, values: [...keys.map((key) => values[key] ?? null), ...own] }
	})
}

/**
 * Returns the order of today's API campaign for exactly this template, price and `passesOnFree`, with files of their own or
 * without. The request id names the day and these.
 */
function orderOf({ template, pricePaise, abroadPrices, passesOnFree, messages }: ApiMessages) {
	const hasFiles = messages[0]?.fileId !== undefined
	const day = indianDay(Date.now())
	const { name, language, category, components, headerFile, cardFiles } = template
	const facts = [
		name,
		language,
		category,
		components,
		headerFile,
		pricePaise,
		...(cardFiles ?? []),
		...(passesOnFree ? ['free'] : []),
		...(hasFiles ? [FILE_TAG] : []),
	]
	const frozen = sha256(JSON.stringify(facts))
	const keys = slotsOf(components).map(({ key }) => key)
	return {
		kind: 'api',
		// The opener uploads the files of headers.
		status: mediaPlacesOf(components).length === 0 ? 'processing' : 'pending',
		name: `API · ${templateTitle(name).slice(0, 180)} · ${shortDay(day)}`,
		template,
		variables: Object.fromEntries(keys.map((key) => [key, `{{${key}}}`])),
		mergeTags: hasFiles ? [...keys, FILE_TAG] : keys,
		audienceType: 'file',
		audienceName: 'API',
		groupId: null,
		source: toNobody(),
		pricePaise,
		abroadPrices,
		passesOnFree,
		requestId: `api:${day}:${frozen.toString('base64url')}`,
		opensAt: null,
	} as const satisfies Order
}

/** Adds messages to the counts of the campaign of an order, and creates the campaign if there is none. Locks it. */
async function countInCampaign(
	sql: Sql,
	accountId: AccountId,
	{ order, count }: { order: Order & { requestId: string }; count: number },
): Promise<Place> {
	const known = await addToApiCampaign(sql, accountId, { key: order.requestId, count })
	if (known) return known
	await releaseKey(sql, accountId, order.requestId)
	await insertCampaignOf(sql, accountId, order)
	// Another process may have created it at the same moment, and the statement has waited for that.
	return countInCampaign(sql, accountId, { order, count })
}

const SHORT_DAY = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Returns a day in words: 2026-11-22 is "22 Nov". */
function shortDay(day: string): string {
	return SHORT_DAY.format(new Date(`${day}T00:00:00Z`))
}
