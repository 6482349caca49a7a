import type { Reply, CampaignKind } from '#features/delivery/rules.ts'
import type { RecipientMessage } from '#features/templates/values.ts'
import { formsOf } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { findRecentFirst } from '../months/recent-queries.ts'

/** A campaign message that a customer quotes. */
interface RepliedMessage extends RecipientMessage {
	wamid: string
	campaignId: number
	kind: CampaignKind
	seq: number
	/** The name of the template. */
	template: string
}

/**
 * Returns campaign messages by recipient and wamid, because no index starts with the wamid. The recipient may be named by
 * WhatsApp's id of the number, or by a later number.
 */
export async function findReplied(
	sql: Sql,
	accountId: AccountId,
	quoted: readonly { wamid: string; number: string }[],
): Promise<RepliedMessage[]> {
	if (quoted.length === 0) return []
	return findRecentFirst(sql, accountId, {
		sought: quoted.flatMap(({ wamid, number }) => formsOf(number).map((form) => ({ wamid, number: form }))),
		find: (some, isOfMonths) => sql<RepliedMessage[]>`
			select m.wamid, m.campaign_id as "campaignId", c.kind, m.seq, c.template ->> 'name' as template,
				c.template -> 'components' as components, c.variables,
				c.merge_tags as "mergeTags", m.merge_values as "mergeValues"
			from unnest(${some.map((q) => q.wamid)}::text[], ${some.map((q) => q.number)}::text[]) as q (wamid, number)
			cross join lateral (
				select q.number
				union
				select number from whatsapp_ids where account_id = ${accountId} and wa_id = q.number
				union
				select id from former_ids where account_id = ${accountId} and now_id = q.number
			) n
			join campaign_messages m on m.account_id = ${accountId} and m.number = n.number and m.wamid = q.wamid
				and ${isOfMonths}
			join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id
		`,
	})
}

/**
 * Writes the recipients who quoted a message or pressed its button, each with the first time. `countReplies` counts them.
 */
export async function upsertQuotes(sql: Sql, accountId: AccountId, quotes: readonly Reply<Date>[]): Promise<void> {
	const sorted = quotes.toSorted((a, b) => a.campaignId - b.campaignId || a.seq - b.seq)
	await sql`
		insert into campaign_replies as r (account_id, campaign_id, seq, quoted_at)
		select ${accountId}::bigint, n.campaign_id, n.seq, n.at
		from unnest(
			${sorted.map((q) => q.campaignId)}::bigint[], ${sorted.map((q) => q.seq)}::integer[],
			${sorted.map((q) => q.at.toISOString())}::text[]::timestamptz[]
		) as n (campaign_id, seq, at)
		on conflict (account_id, campaign_id, seq) do update set quoted_at = excluded.quoted_at, is_counted = false
		where r.quoted_at is null or r.quoted_at > excluded.quoted_at
	`
}

/**
 * Writes the recipients who replied, in the order of the messages' keys. A null time removes a reply. `countReplies`
 * counts them.
 */
export async function upsertReplies(sql: Sql, accountId: AccountId, replies: readonly Reply[]): Promise<void> {
	await sql`
		insert into campaign_replies as r (account_id, campaign_id, seq, replied_at, quoted_at)
		select ${accountId}::bigint, n.campaign_id, n.seq, n.at, null
		from unnest(
			${replies.map((r) => r.campaignId)}::bigint[], ${replies.map((r) => r.seq)}::integer[],
			${replies.map((r) => r.at?.toISOString() ?? null)}::text[]::timestamptz[]
		) as n (campaign_id, seq, at)
		on conflict (account_id, campaign_id, seq) do update set replied_at = excluded.replied_at,
			is_counted = r.is_counted and (r.replied_at is null) = (excluded.replied_at is null)
	`
}

/** Returns accounts with replies that their campaigns do not count yet. */
export async function listUncountedAllAccounts(sql: Sql, only: AccountId | null): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from campaign_replies
		where not is_counted ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Marks up to 10,000 uncounted replies as counted. Returns their campaigns. */
export async function takeUncounted(sql: Sql, accountId: AccountId): Promise<number[]> {
	const rows = await sql<{ campaignId: number }[]>`
		with fresh as materialized (
			select campaign_id, seq from campaign_replies
			where account_id = ${accountId} and not is_counted
			order by campaign_id, seq
			limit 10000
			for update skip locked
		), marked as (
			update campaign_replies r set is_counted = true
			from fresh f
			where r.account_id = ${accountId} and r.campaign_id = f.campaign_id and r.seq = f.seq
			returning r.campaign_id
		)
		select distinct campaign_id as "campaignId" from marked order by campaign_id
	`
	return rows.map(({ campaignId }) => campaignId)
}

/**
 * Recounts the replies of campaigns, because a reply can move to a campaign whose arrival became known later. Locks the
 * campaigns first, so that the second of two processes counts the replies that the first has moved.
 */
export async function updateReplyCounts(sql: Sql, accountId: AccountId, campaignIds: readonly number[]): Promise<void> {
	await sql`
		select 1 from campaigns where account_id = ${accountId} and id = any(${campaignIds}::bigint[]) order by id for update
	`
	await sql`
		update campaigns c set replied_count = n.replied, quoted_count = n.quoted
		from (
			select campaign_id, count(replied_at) as replied, count(quoted_at) as quoted from campaign_replies
			where account_id = ${accountId} and campaign_id = any(${campaignIds}::bigint[])
			group by campaign_id
		) n
		where c.account_id = ${accountId} and c.id = n.campaign_id
	`
}
