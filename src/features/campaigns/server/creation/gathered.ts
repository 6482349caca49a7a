import { mediaHeaderOf } from '#features/templates/server/header-file.ts'
import type { Template } from '#features/templates/server/queries.ts'
import { slotsOf, type Variables } from '#features/templates/values.ts'
import { getWallet, post } from '#features/wallet/server/ledger.ts'
import { indianDay } from '#lib/dates.ts'
import { announceLive, publish } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { sha256 } from '#lib/server/secrets.ts'
import { workChannel } from '../work-channel.ts'
import { addCounts, insertCampaign, insertRecipients } from './audience-queries.ts'
import { continueSending, lockGathering, releaseKey } from './gathered-queries.ts'

/** Messages of programs with one template. */
export interface Gathered {
	template: Template
	pricePaise: number
	messages: readonly { number: string; values: Variables }[]
}

/** Where the messages stand: in this campaign, in their order, after so many others. */
export interface Place {
	campaignId: number
	before: number
}

/**
 * Adds messages to the campaign of the day that gathers what programs send with this template, and holds their price, in the
 * caller's transaction. Null when the wallet is short: then nothing is held, and the transaction has to roll back. The caller
 * has checked the sender, the values and who has opted out.
 */
export async function appendMessages(sql: Sql, owner: OwnerId, gathered: Gathered): Promise<Place | null> {
	const { template, pricePaise, messages } = gathered
	const keys = slotsOf(template.components).map(({ key }) => key)
	const { id: campaignId, total: before } = await lockCampaignOf(sql, owner, gathered)
	const recipients = messages.map(({ number, values }) => ({
		number,
		name: null,
		values: keys.map((key) => values[key] ?? null),
	}))
	const count = await insertRecipients(sql, owner, { campaignId, after: before, recipients, isMarketing: false })
	await addCounts(sql, owner, { campaignId, before, count })
	await continueSending(sql, owner, campaignId)
	const held =
		pricePaise === 0
			? await getWallet(sql, owner)
			: await post(sql, owner, {
					kind: 'hold',
					reference: `hold:${campaignId}:${before}`,
					paise: count * pricePaise,
					campaignId,
					messageCount: count,
					isMore: before > 0,
				})
	if (!held) return null
	publish(sql, workChannel, owner)
	announceLive(sql, owner, { kind: 'wallet', isProgress: true })
	announceLive(sql, owner, { kind: 'campaign', id: String(campaignId), isProgress: true })
	return { campaignId, before }
}

/** The campaign of today for exactly this template and price, made when there is none. */
async function lockCampaignOf(
	sql: Sql,
	owner: OwnerId,
	{ template, pricePaise }: Gathered,
): Promise<{ id: number; total: number }> {
	const day = indianDay(Date.now())
	const { name, language, category, components, headerFile } = template
	const frozen = sha256(JSON.stringify([name, language, category, components, headerFile, pricePaise]))
	const requestId = `api:${day}:${frozen.toString('base64url')}`
	const known = await lockGathering(sql, owner, requestId)
	if (known?.isOpen) return known
	if (known) await releaseKey(sql, owner, known.id)
	const keys = slotsOf(components).map(({ key }) => key)
	const id = await insertCampaign(sql, owner, {
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
	// Another process has made it at the same moment, which the statement has waited for.
	return id === null ? lockCampaignOf(sql, owner, { template, pricePaise, messages: [] }) : { id, total: 0 }
}

const SHORT_DAY = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** 2026-11-22 is "22 Nov". */
function shortDay(day: string): string {
	return SHORT_DAY.format(new Date(`${day}T00:00:00Z`))
}
