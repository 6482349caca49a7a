import { insertCampaign, insertRecipients } from '#features/audiences/server/recipients/audience-queries.ts'
import { insertReferences, type MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import { addToBlocks } from '#features/delivery/server/new-message-queries.ts'
import { workChannel } from '#features/delivery/server/work-channel.ts'
import { mediaHeaderOf } from '#features/templates/server/header-file.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { slotsOf, type Variables } from '#features/templates/values.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive, publish } from '#lib/server/db/channels.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { addToGathering, releaseKey } from './gathered-queries.ts'

/** Messages of programs with one template. */
export interface Gathered {
	template: Template
	pricePaise: number
	messages: readonly ({ number: string; values: Variables } & Partial<MessageReference>)[]
}

/** Where the messages stand: in this campaign, in their order, after so many others. */
export interface Place {
	campaignId: number
	before: number
}

/**
 * Adds messages to the campaign of the day that gathers what programs send with this template, in the caller's transaction,
 * which holds their price before it ends. The caller has checked the sender, the values and who has opted out.
 */
export async function appendMessages(sql: Sql, accountId: AccountId, gathered: Gathered): Promise<Place> {
	const { template, messages } = gathered
	const keys = slotsOf(template.components).map(({ key }) => key)
	const { campaignId, before } = await countInCampaign(sql, accountId, gathered)
	const recipients = messages.map(({ number, values }) => ({
		number,
		name: null,
		values: keys.map((key) => values[key] ?? null),
	}))
	const count = await insertRecipients(sql, accountId, { campaignId, after: before, recipients, isMarketing: false })
	await insertReferences(sql, accountId, { campaignId, before, messages })
	await addToBlocks(sql, accountId, { campaignId, before, count })
	publish(sql, workChannel, accountId)
	announceLive(sql, accountId, { kind: 'wallet', isProgress: true })
	announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId), isProgress: true })
	return { campaignId, before }
}

/** Holds the price of messages that were added. False when the wallet is short: then the transaction has to roll back. */
export async function holdAppended(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, before, count, pricePaise }: Place & { count: number; pricePaise: number },
): Promise<boolean> {
	if (pricePaise === 0) return true
	const held = await post(sql, accountId, {
		kind: 'hold',
		reference: `hold:${campaignId}:${before}`,
		paise: count * pricePaise,
		campaignId,
		messageCount: count,
		isMore: before > 0,
	})
	return held !== null
}

/** Counts the messages in the campaign of today for exactly this template and price, made when there is none. */
async function countInCampaign(sql: Sql, accountId: AccountId, gathered: Gathered): Promise<Place> {
	const { template, pricePaise, messages } = gathered
	const day = indianDay(Date.now())
	const { name, language, category, components, headerFile } = template
	const frozen = sha256(JSON.stringify([name, language, category, components, headerFile, pricePaise]))
	const requestId = `api:${day}:${frozen.toString('base64url')}`
	const known = await addToGathering(sql, accountId, { key: requestId, count: messages.length })
	if (known) return known
	await releaseKey(sql, accountId, requestId)
	const keys = slotsOf(components).map(({ key }) => key)
	await insertCampaign(sql, accountId, {
		name: `API · ${name.slice(0, 180)} · ${shortDay(day)}`,
		description: null,
		template: { name, language, category, components },
		headerFile,
		variables: Object.fromEntries(keys.map((key) => [key, `{{${key}}}`])),
		mergeTags: keys,
		audienceType: 'file',
		audienceName: 'API',
		groupId: null,
		pricePaise,
		requestId,
		opensAt: null,
		kind: 'api',
		// One with a file waits for its upload, by the opener.
		status: mediaHeaderOf(template) === null ? 'processing' : 'pending',
		retryHeldBack: false,
		retryOf: null,
		followUpNumber: 0,
	})
	// Another process may have made it at the same moment, which the statement has waited for.
	return countInCampaign(sql, accountId, gathered)
}

const SHORT_DAY = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** 2026-11-22 is "22 Nov". */
function shortDay(day: string): string {
	return SHORT_DAY.format(new Date(`${day}T00:00:00Z`))
}
