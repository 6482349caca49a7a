import { hasStoppedLinks, isInUse } from '#features/auth/server/queries.ts'
import type { Component } from '#features/templates/contract.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** A recipient's clicks on the counted links of one message. */
export interface Clicked {
	/** Time of the first click; null without a click. */
	clickedAt: Date | null
	clicks: number
}

/** A visit of a counted link by a recipient. */
export interface Click {
	/** Random id that makes repeated writes of the click idempotent. */
	id: string
	campaignId: number
	seq: number
	/** Place of the button, by `placeOfButton`. */
	button: number
	atMs: number
}

/** The campaign of a message's link. */
export interface LinkedCampaign {
	accountId: AccountId
	/** True while an administrator has stopped the account's links. */
	isStopped: boolean
	/** The components of the template that the campaign was sent with. */
	components: Component[]
}

/** Returns the campaign of a signed link; undefined when the campaign is gone or its account is not in use. */
export async function findCampaignAllAccounts(
	sql: Sql,
	{ account, campaignId }: { account: number; campaignId: number },
): Promise<LinkedCampaign | undefined> {
	const [row] = await sql<LinkedCampaign[]>`
		select c.account_id as "accountId", c.template -> 'components' as components,
			${hasStoppedLinks(sql, sql`c.account_id`)} as "isStopped"
		from campaigns c
		where c.account_id = ${account} and c.id = ${campaignId} and ${isInUse(sql, sql`c.account_id`)}
	`
	return row
}

/** A counted link in the example of a template, which Meta's reviewers open. */
export interface LinkedExample {
	accountId: AccountId
	isStopped: boolean
	target: string
}

/** Returns the link of an example; undefined unless a stored template of an account in use contains it. */
export async function findExampleAllAccounts(
	sql: Sql,
	{ account, token }: { account: number; token: string },
): Promise<LinkedExample | undefined> {
	const [row] = await sql<LinkedExample[]>`
		select l.account_id as "accountId", l.target, ${hasStoppedLinks(sql, sql`l.account_id`)} as "isStopped"
		from template_links l
		join templates t on t.account_id = l.account_id and t.name = l.name and t.language = l.language
		where l.account_id = ${account} and l.token = ${token} and t.gone_at is null
			and position(l.token in t.components::text) > 0 and ${isInUse(sql, sql`l.account_id`)}
	`
	return row
}

/** Rejects while the database does not answer. */
export async function probeAllAccounts(sql: Sql): Promise<void> {
	await sql`select 1`
}

/** Locks the campaigns whose messages are still retained, before their counters change; returns their ids. */
export async function lockCampaigns(sql: Sql, accountId: AccountId, ids: readonly number[]): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		select id from campaigns
		where account_id = ${accountId} and id = any(${ids}::bigint[]) and messages_removed_at is null
		order by id
		for update
	`
	return rows.map(({ id }) => id)
}

/** Maximum number of stored clicks per message. Only programs exceed it. */
const MAX_CLICKS_OF_MESSAGE = 100

export type WrittenClick = Pick<Click, 'campaignId' | 'seq' | 'atMs'> & { isFirst: boolean }

/**
 * Inserts clicks that are not stored yet, up to MAX_CLICKS_OF_MESSAGE per message, and returns them. The caller holds
 * the locks of `lockCampaigns`.
 */
export async function insertClicks(sql: Sql, accountId: AccountId, clicks: readonly Click[]): Promise<WrittenClick[]> {
	return sql<WrittenClick[]>`
		with numbered as (
			select n.*, (
				select count(*) from campaign_clicks k
				where k.account_id = ${accountId} and k.campaign_id = n.campaign_id and k.seq = n.seq
			) + row_number() over (partition by n.campaign_id, n.seq order by n.at_ms, n.id) as place
			from unnest(
				${clicks.map((c) => c.id)}::text[], ${clicks.map((c) => c.campaignId)}::bigint[],
				${clicks.map((c) => c.seq)}::integer[], ${clicks.map((c) => c.button)}::smallint[],
				${clicks.map((c) => c.atMs)}::float8[]
			) as n (id, campaign_id, seq, button, at_ms)
		)
		insert into campaign_clicks (account_id, campaign_id, seq, click_id, button, is_first, clicked_at)
		select ${accountId}::bigint, n.campaign_id, n.seq, n.id, n.button, n.place = 1, to_timestamp(n.at_ms / 1000)
		from numbered n
		where n.place <= ${MAX_CLICKS_OF_MESSAGE}::int
		on conflict (account_id, campaign_id, seq, click_id) do nothing
		returning campaign_id as "campaignId", seq, is_first as "isFirst",
			(extract(epoch from clicked_at) * 1000)::float8 as "atMs"
	`
}

/** Returns the components of the template that a campaign is sent with; undefined when the account has no such campaign. */
export async function findComponents(
	sql: Sql,
	accountId: AccountId,
	campaignId: string,
): Promise<Component[] | undefined> {
	const [row] = await sql<{ components: Component[] }[]>`
		select template -> 'components' as components from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	return row?.components
}

/** Returns the number of clicks, and of recipients who clicked, for each button of a campaign, by `placeOfButton`. */
export async function countByPlace(
	sql: Sql,
	accountId: AccountId,
	campaignId: string,
): Promise<Map<number, { people: number; clicks: number }>> {
	const rows = await sql<{ button: number; people: number; clicks: number }[]>`
		select button, count(distinct seq) as people, count(*) as clicks from campaign_clicks
		where account_id = ${accountId} and campaign_id = ${campaignId}
		group by button
	`
	return new Map(rows.map(({ button, ...counts }) => [button, counts]))
}

/** Returns the messages of a campaign with the time of the first click and the number of clicks. */
export async function withClicks<Row extends { seq: number }>(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, messages }: { campaignId: string; messages: readonly Row[] },
): Promise<(Row & Clicked)[]> {
	const rows = await sql<(Clicked & { seq: number })[]>`
		select seq, min(clicked_at) as "clickedAt", count(*) as clicks from campaign_clicks
		where account_id = ${accountId} and campaign_id = ${campaignId}
			and seq = any(${messages.map(({ seq }) => seq)}::integer[])
		group by seq
	`
	const bySeq = new Map(rows.map((row) => [row.seq, row]))
	return messages.map((message) => ({ clickedAt: null, clicks: 0, ...message, ...bySeq.get(message.seq) }))
}

/** Returns a subquery `m` of a campaign's messages with at least one click. */
export const whoClicked = (
	sql: Sql,
	accountId: AccountId,
	{ campaignId, isErasedLeftOut = false }: { campaignId: string; isErasedLeftOut?: boolean },
) => sql`
	(
		select t.*
		from campaign_clicks k
		join campaign_messages t on t.account_id = ${accountId} and t.campaign_id = ${campaignId} and t.seq = k.seq
			${isErasedLeftOut ? sql`and not starts_with(t.number, ${ERASED_PREFIX})` : sql``}
		where k.account_id = ${accountId} and k.campaign_id = ${campaignId} and k.is_first
	) m
`
