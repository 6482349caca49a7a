import type { Market } from '#features/pricing/markets.ts'
import type { AbroadPrices } from '#features/pricing/rules.ts'
import { marketColumn, NO_PRICE, priceColumn } from '#features/pricing/server/market-column.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/** Prices of selected recipients. */
export interface RowPrices {
	/** Price in the home market, which is the campaign's. */
	pricePaise: number
	abroadPrices: AbroadPrices
}

interface SelectedRows {
	/** Selects recipients of the account. */
	rows: Statement
	prices: RowPrices
}

/** Adds the column `paise` to selected recipients: the price of the message, or NO_PRICE. */
export const pricedRows = (sql: Sql, accountId: AccountId, { rows, prices }: SelectedRows) =>
	sql`select r.*, ${priceColumn(sql, sql`r.number`, prices)} as paise from (${rows}) r`

/** Selected recipients of one market with the same price. */
export interface PricedMarket {
	market: Market
	/** NO_PRICE for recipients whose market has no price. */
	paise: number
	recipients: number
}

/** Counts selected recipients by market and price. */
export async function countByPrice(sql: Sql, accountId: AccountId, selected: SelectedRows): Promise<PricedMarket[]> {
	return sql<PricedMarket[]>`
		select r.market, r.paise, count(*) as recipients
		from (
			select ${marketColumn(sql, sql`r.number`)} as market, r.paise from (${pricedRows(sql, accountId, selected)}) r
		) r
		group by r.market, r.paise
	`
}

/** Returns the number of selected recipients whose market has no price. */
export async function countUnpriced(sql: Sql, accountId: AccountId, selected: SelectedRows): Promise<number> {
	const counted = await countByPrice(sql, accountId, selected)
	return counted.reduce((sum, { paise, recipients }) => sum + (paise === NO_PRICE ? recipients : 0), 0)
}

/**
 * Adds the own prices of new messages, numbered after `after`, to the campaign's sum, and `unpriced` to its count of
 * recipients left out without a price. Returns the own prices less the campaign's price, in paise.
 */
export async function addOwnPrices(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, after, pricePaise, unpriced }: NewPrices,
): Promise<number> {
	const [own] = await sql<{ count: number; extra: number }[]>`
		select count(*) as count, coalesce(sum(price_paise - ${pricePaise}::bigint), 0)::bigint as extra
		from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and seq > ${after} and price_paise is not null
	`
	const { count = 0, extra = 0 } = own ?? {}
	if (count === 0 && unpriced === 0) return 0
	await sql`
		update campaigns
		set pending_extra_paise = pending_extra_paise + ${extra}::bigint, unpriced_count = unpriced_count + ${unpriced}::int,
			has_message_prices = coalesce(has_message_prices, false) or ${count > 0}
		where account_id = ${accountId} and id = ${campaignId}
	`
	return extra
}

interface NewPrices {
	campaignId: number
	after: number
	pricePaise: number
	unpriced: number
}

interface Repriced {
	campaignId: number
	/** Price in the home market, in paise. */
	pricePaise: number
	abroadPrices: AbroadPrices
}

/** Returns SQL for the new price of a message `m`. An erased person has no market any more, and the message is not sent. */
const newPrice = (sql: Sql, prices: Omit<Repriced, 'campaignId'>) => sql`
	case when starts_with(m.number, ${ERASED_PREFIX}) then ${prices.pricePaise}::int
		else ${priceColumn(sql, sql`m.number`, prices)} end
`

/** Sums the prices that a campaign's messages would have. `unpriced` messages go to markets without a price. */
export async function sumNewPrices(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, ...prices }: Repriced,
): Promise<{ paise: number; unpriced: number }> {
	const [row] = await sql<{ paise: number; unpriced: number }[]>`
		select coalesce(sum(p.paise) filter (where p.paise <> ${NO_PRICE}), 0)::bigint as paise,
			count(*) filter (where p.paise = ${NO_PRICE}) as unpriced
		from (
			select (${newPrice(sql, prices)})::bigint as paise
			from campaign_messages m where m.account_id = ${accountId} and m.campaign_id = ${campaignId}
		) p
	`
	return row ?? { paise: 0, unpriced: 0 }
}

/** Deletes the messages of a campaign, before its start, whose market has no price. Returns how many. */
export async function deleteUnpriced(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, ...prices }: Repriced,
): Promise<number> {
	const { count } = await sql`
		delete from campaign_messages m
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId}
			and ${newPrice(sql, prices)} = ${NO_PRICE}
	`
	return count
}

/** Writes the prices of a campaign's messages that differ from the home price. */
export async function writeOwnPrices(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, ...prices }: Repriced,
): Promise<void> {
	const price = sql`nullif(${newPrice(sql, prices)}, ${prices.pricePaise}::int)`
	await sql`
		update campaign_messages m set price_paise = ${price}
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.price_paise is distinct from ${price}
	`
}

/** Removes the own prices of a campaign's messages, which then cost the campaign's price. */
export async function deleteOwnPrices(sql: Sql, accountId: AccountId, campaignId: number): Promise<void> {
	await sql`
		update campaign_messages set price_paise = null
		where account_id = ${accountId} and campaign_id = ${campaignId} and price_paise is not null
	`
}

/** Clears the sums of own prices in a campaign without charges, whose messages all cost the campaign's price again. */
export async function resetOwnPrices(sql: Sql, accountId: AccountId, campaignId: number): Promise<void> {
	await sql`
		update campaigns set pending_extra_paise = 0, has_message_prices = null
		where account_id = ${accountId} and id = ${campaignId}
	`
}
