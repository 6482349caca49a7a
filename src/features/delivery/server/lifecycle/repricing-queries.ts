import type { CampaignStatus } from '#features/delivery/rules.ts'
import type { Market } from '#features/pricing/markets.ts'
import type { MarketPrices, PriceRefusal } from '#features/pricing/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { HAS_NOT_BEGUN, HELD_PAISE } from '../conditions.ts'

/** A campaign that has not begun, with the price of a message that its account last agreed to. */
export interface UnstartedCampaign {
	id: number
	name: string
	status: CampaignStatus
	category: string
	pricePaise: number
	/** True if some messages have a price of their own. */
	hasMessagePrices: boolean
	heldPaise: number
	/** True if a new price waits for the account's confirmation. */
	isWaiting: boolean
}

/**
 * Locks the campaigns with this template that are scheduled or were paused before they began. Campaigns of one message keep
 * their price.
 */
export async function lockUnstarted(
	sql: Sql,
	accountId: AccountId,
	template: { name: string; language: string },
): Promise<UnstartedCampaign[]> {
	return sql<UnstartedCampaign[]>`
		select id, name, status, template ->> 'category' as category, price_paise as "pricePaise",
			coalesce(has_message_prices, false) as "hasMessagePrices", ${HELD_PAISE} as "heldPaise",
			price_changed_at is not null as "isWaiting"
		from campaigns
		where account_id = ${accountId} and kind = 'campaign' and status in ('pending', 'paused') and ${HAS_NOT_BEGUN}
			and template ->> 'name' = ${template.name} and template ->> 'language' = ${template.language}
		order by id
		for update
	`
}

/** Pauses a campaign until its account confirms the new price by resuming it. */
export async function updateUnconfirmed(
	sql: Sql,
	accountId: AccountId,
	change: { id: number; category: string; prices: MarketPrices; reason: string },
): Promise<void> {
	const { pricePaise, abroadPrices } = change.prices
	await sql`
		update campaigns
		set status = 'paused', status_reason = ${change.reason}, paused_with_sender = null,
			confirm_price_paise = ${pricePaise},
			confirm_market_prices = ${abroadPrices && JSON.stringify(Object.fromEntries(abroadPrices))}::jsonb, confirm_category = ${change.category}, price_changed_at = now(),
			updated_at = now()
		where account_id = ${accountId} and id = ${change.id}
	`
}

/** Gives a campaign the template's category at its present price, and ends the wait for a confirmation. */
export async function updateCategory(
	sql: Sql,
	accountId: AccountId,
	change: { id: number; category: string; reason: string | null },
): Promise<void> {
	await sql`
		update campaigns
		set template = jsonb_set(template, '{category}', to_jsonb(${change.category}::text)),
			confirm_price_paise = null, confirm_market_prices = null, confirm_category = null, price_changed_at = null,
			status_reason = case when ${change.reason}::text is null then status_reason else ${change.reason} end,
			updated_at = now()
		where account_id = ${accountId} and id = ${change.id}
	`
}

/** The new price of a message, which waits for the confirmation of the campaign's account. */
export interface PriceChange {
	category: string
	newPricePaise: number
	/** New prices by market; null while all markets cost the home price. */
	newMarketPrices: Partial<Record<Market, number | PriceRefusal>> | null
	hasMessagePrices: boolean
	heldPaise: number
	messages: number
	changedAt: Date
}

/**
 * Returns the price change that waits for confirmation; undefined for a campaign without one. The caller has locked the
 * campaign.
 */
export async function findPriceChange(
	sql: Sql,
	accountId: AccountId,
	campaignId: string,
): Promise<PriceChange | undefined> {
	const [row] = await sql<PriceChange[]>`
		select confirm_category as category, confirm_price_paise as "newPricePaise",
			confirm_market_prices as "newMarketPrices", coalesce(has_message_prices, false) as "hasMessagePrices",
			${HELD_PAISE} as "heldPaise", pending_count as messages, price_changed_at as "changedAt"
		from campaigns
		where account_id = ${accountId} and id = ${campaignId} and price_changed_at is not null and ${HAS_NOT_BEGUN}
	`
	return row
}

export async function updatePrice(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, category, newPricePaise }: Pick<PriceChange, 'category' | 'newPricePaise'> & { campaignId: string },
): Promise<void> {
	await sql`
		update campaigns
		set price_paise = ${newPricePaise}, template = jsonb_set(template, '{category}', to_jsonb(${category}::text)),
			confirm_price_paise = null, confirm_market_prices = null, confirm_category = null, price_changed_at = null, updated_at = now()
		where account_id = ${accountId} and id = ${campaignId}
	`
}

/**
 * Returns the category of a campaign's template now, and the category `frozen` in the campaign. Undefined for a
 * campaign that has begun or is no normal campaign, and for a template that is gone.
 */
export async function findCategories(
	sql: Sql,
	accountId: AccountId,
	campaignId: number,
): Promise<{ name: string; language: string; frozen: string; now: string } | undefined> {
	const [row] = await sql<{ name: string; language: string; frozen: string; now: string }[]>`
		select t.name, t.language, c.template ->> 'category' as frozen, t.category as now
		from campaigns c
		join templates t on t.account_id = c.account_id and t.name = c.template ->> 'name'
			and t.language = c.template ->> 'language'
		where c.account_id = ${accountId} and t.account_id = ${accountId} and c.id = ${campaignId} and c.kind = 'campaign' and ${HAS_NOT_BEGUN}
	`
	return row
}
