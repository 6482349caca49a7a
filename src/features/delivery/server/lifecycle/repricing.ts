import { problem } from '#features/delivery/problems.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { priceCategoryOf, type AbroadPrices, type MarketPrices } from '#features/pricing/rules.ts'
import { findPrices } from '#features/pricing/server/service.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { getWallet, post } from '#features/wallet/server/ledger.ts'
import { AppError } from '#lib/app-error.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { sumNewPrices } from '../orders/message-price-queries.ts'
import { repriceMessages } from '../orders/new-message-queries.ts'
import { recordPaused } from './pause-events.ts'
import * as queries from './repricing-queries.ts'

export interface MovedTemplate {
	name: string
	language: string
	/** The template's category now. */
	to: string
}

/**
 * Pauses campaigns that have not begun and whose price changed because Meta moved the template to another category. The
 * account confirms the new price by resuming them. Campaigns that have begun keep their price.
 */
export async function pauseRepriced(
	sql: Sql,
	accountId: AccountId,
	{ template, notify }: { template: MovedTemplate; notify: Notify },
): Promise<void> {
	const campaigns = await queries.lockUnstarted(sql, accountId, template)
	if (campaigns.length === 0) return
	const prices = await findPrices(sql, accountId, { category: template.to })
	for (const campaign of campaigns) {
		const { id, name, category, isWaiting } = campaign
		if (isSameCategory(category, template.to) || isSamePrice(campaign, prices)) {
			const reason = isWaiting ? 'The price is again the one you were shown. Resume the campaign to send it.' : null
			if (isWaiting || category !== template.to)
				await queries.updateCategory(sql, accountId, { id, category: template.to, reason })
		} else {
			const difference = await differenceOf(sql, accountId, { campaign, prices })
			const reason = reasonOf(template, { category, difference })
			await queries.updateUnconfirmed(sql, accountId, { id, category: template.to, prices, reason })
			await notify(sql, accountId, notificationOf.campaignPaused({ id, name, reason }))
			await recordPaused(sql, accountId, { campaigns: [{ id, name }], reason })
		}
		announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
	}
}

function isSameCategory(one: string, other: string): boolean {
	return priceCategoryOf({ category: one }) === priceCategoryOf({ category: other })
}

/** Returns true when each message of a campaign costs the same at other prices. */
function isSamePrice({ pricePaise, hasMessagePrices }: queries.UnstartedCampaign, prices: MarketPrices): boolean {
	return pricePaise === prices.pricePaise && !hasMessagePrices && !prices.abroadPrices
}

/** Returns the words for what a campaign costs at other prices: for a message, or in all if the prices differ by market. */
async function differenceOf(
	sql: Sql,
	accountId: AccountId,
	{ campaign, prices: { pricePaise, abroadPrices } }: { campaign: queries.UnstartedCampaign; prices: MarketPrices },
): Promise<string> {
	const message = `a message costs ${rupees(pricePaise)} instead of ${rupees(campaign.pricePaise)}`
	if (!abroadPrices) return message
	const { paise, unpriced } = await sumNewPrices(sql, accountId, { campaignId: campaign.id, pricePaise, abroadPrices })
	const total = `a message in India costs ${rupees(pricePaise)} instead of ${rupees(campaign.pricePaise)}, and the campaign ${rupees(paise)} instead of ${rupees(campaign.heldPaise)}`
	if (unpriced === 0) return total
	return `${total}; ${plural(unpriced, 'recipient is', 'recipients are')} left out, since messages to their country have no price`
}

const rupees = (paise: number) => formatRupees(rupeesFromPaise(paise))

function reasonOf(
	{ name, to }: MovedTemplate,
	{ category, difference }: { category: string; difference: string },
): string {
	return `The price changed: WhatsApp has moved the template "${templateTitle(name)}" from ${category} to ${to}, so ${difference}. Resume the campaign to confirm the new price, or cancel it.`
}

/**
 * Sets the price of a message to the one that the pause named, and holds or releases the difference. Does nothing
 * without a price change. Throws 402 and changes nothing when the wallet is short. The caller has locked the campaign.
 */
export async function confirmPrice(sql: Sql, accountId: AccountId, campaignId: string): Promise<void> {
	const change = await queries.findPriceChange(sql, accountId, campaignId)
	if (!change) return
	const { newPricePaise: pricePaise, newMarketPrices, hasMessagePrices } = change
	const abroadPrices = newMarketPrices && (new Map(Object.entries(newMarketPrices)) as AbroadPrices)
	const { count, paise } = await repriceMessages(sql, accountId, {
		campaignId: Number(campaignId),
		count: change.messages,
		hasMessagePrices,
		prices: { pricePaise, abroadPrices },
	})
	if (count === 0) throw problem('campaign_unpriced')
	const differencePaise = paise - change.heldPaise
	if (differencePaise !== 0) {
		const held = await post(sql, accountId, {
			kind: differencePaise > 0 ? 'hold' : 'release',
			reference: `reprice:${campaignId}:${change.changedAt.getTime()}`,
			paise: Math.abs(differencePaise),
			campaignId: Number(campaignId),
			messageCount: count,
		})
		if (!held) throw await tooLittle(sql, accountId, differencePaise)
		announceLive(sql, accountId, { kind: 'wallet' })
	}
	await queries.updatePrice(sql, accountId, { ...change, campaignId })
}

async function tooLittle(sql: Sql, accountId: AccountId, neededPaise: number): Promise<AppError> {
	const needed = rupeesFromPaise(neededPaise)
	const available = rupeesFromPaise((await getWallet(sql, accountId)).availablePaise)
	return problem('balance_short_for_price', { needed, available })
}

/**
 * Pauses a campaign that is about to begin if its template now costs another price. Returns true if the template moved
 * between marketing and utility, even at an equal price: the campaign then opens at the next scan.
 */
export async function pauseIfRepriced(
	{ db, notify }: { db: Db; notify: Notify },
	accountId: AccountId,
	campaignId: number,
): Promise<boolean> {
	const found = await queries.findCategories(db, accountId, campaignId)
	if (!found || isSameCategory(found.frozen, found.now)) return false
	const template = { name: found.name, language: found.language, to: found.now }
	await transaction(db, (sql) => pauseRepriced(sql, accountId, { template, notify }))
	return true
}
