import type { MarketPrices } from '#features/pricing/price-list.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import * as queries from './message-price-queries.ts'
import { closeGaps, resetCounts } from './new-message-queries.ts'

interface UnstartedMessages {
	campaignId: number
	/** Number of the campaign's messages, all of which are pending. */
	count: number
	/** True if some of them may have a price of their own. */
	hasMessagePrices: boolean
	prices: MarketPrices
}

/**
 * Gives the messages of a campaign that has not started new prices, and deletes those to markets without a price. The
 * caller has locked the campaign, writes its home price, and posts the difference. Returns the number of messages left and
 * the sum of their prices in paise.
 */
export async function repriceMessages(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, count, hasMessagePrices, prices: { pricePaise, abroadPrices } }: UnstartedMessages,
): Promise<{ count: number; paise: number }> {
	if (!abroadPrices) {
		if (hasMessagePrices) {
			await queries.deleteOwnPrices(sql, accountId, campaignId)
			await queries.resetOwnPrices(sql, accountId, campaignId)
		}
		return { count, paise: count * pricePaise }
	}
	const repriced = { campaignId, pricePaise, abroadPrices }
	const unpriced = await queries.deleteUnpriced(sql, accountId, repriced)
	const left = count - unpriced
	if (unpriced > 0) {
		await closeGaps(sql, accountId, { campaignId, count: left })
		await resetCounts(sql, accountId, { campaignId, count: left })
	}
	await queries.writeOwnPrices(sql, accountId, repriced)
	await queries.resetOwnPrices(sql, accountId, campaignId)
	const extra = await queries.addOwnPrices(sql, accountId, { campaignId, after: 0, pricePaise, unpriced })
	return { count: left, paise: left * pricePaise + extra }
}
