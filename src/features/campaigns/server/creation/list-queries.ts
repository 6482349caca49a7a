import type { CampaignStatus } from '#features/delivery/campaign-status.ts'
import { CAMPAIGN_TRANSITIONS } from '#features/delivery/campaign-status.ts'
import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

/** A campaign whose recipients a program adds page by page. */
export interface RecipientList {
	id: number
	status: CampaignStatus
	total: number
	components: Component[]
	variables: Variables
	category: string
	opensAt: Date
}

/** Returns a list and locks it, so that added messages are numbered without gaps; undefined without such a campaign. */
export async function lockList(sql: Sql, accountId: AccountId, campaignId: string): Promise<RecipientList | undefined> {
	const [row] = await sql<RecipientList[]>`
		select id, status, total_count as total, template -> 'components' as components, variables,
			template ->> 'category' as category, opens_at as "opensAt"
		from campaigns where account_id = ${accountId} and id = ${campaignId} and kind = 'campaign'
		for update
	`
	return row
}

export async function countDrafts(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from campaigns where account_id = ${accountId} and finished_at is null and status = 'draft'
	`
	return row?.total ?? 0
}

/** Returns the numbers, of the given ones, that already have a message in the campaign. */
export async function listListed(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, numbers }: { campaignId: number; numbers: readonly string[] },
): Promise<string[]> {
	const rows = await sql<{ number: string }[]>`
		select n.number from unnest(${numbers}::text[]) as n (number)
		where exists (
			select 1 from campaign_messages m
			where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.number = n.number
		)
	`
	return rows.map(({ number }) => number)
}

/** Starts a list. A list without recipients is completed. */
export async function startList(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, pricePaise, count }: { campaignId: number; pricePaise: number; count: number },
): Promise<void> {
	const { start, complete } = CAMPAIGN_TRANSITIONS
	const ended = sql`, finished_at = now(), status_reason = 'All recipients have opted out or got enough marketing.'`
	await sql`
		update campaigns
		set status = ${count === 0 ? complete.to : start.to}, price_paise = ${pricePaise}, updated_at = now()
			${count === 0 ? ended : sql``}
		where account_id = ${accountId} and id = ${campaignId}
	`
}

/** Cancels lists that were not started in time; the sweep of ended campaigns ends their messages. Returns how many. */
export async function cancelOldDrafts(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const isOld = sql`finished_at is null and status = 'draft' and created_at < now() - ${age}::interval`
	const { count } = await sql`
		update campaigns
		set status = ${CAMPAIGN_TRANSITIONS.cancel.to}, status_reason = 'It was not started in time.', updated_at = now()
		where account_id = ${accountId} and ${isOld} and id in (
			select id from campaigns where account_id = ${accountId} and ${isOld} limit ${limit}
		)
	`
	return count
}
