import type { CampaignKind } from '#features/delivery/server/campaign-kind.ts'
import type { RecipientMessage } from '#features/delivery/server/message/render.ts'
import { findRecentFirst } from '#features/delivery/server/recent-queries.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/** A campaign message that a customer quotes. */
interface RepliedMessage extends RecipientMessage {
	wamid: string
	campaignId: number
	kind: CampaignKind
	seq: number
	/** The template's name. */
	template: string
}

/**
 * Finds campaign messages by wamid and recipient, as the wamid itself has no index; the recipient may be named by WhatsApp's
 * id for the number that was written to.
 */
export async function findReplied(
	sql: Sql,
	owner: OwnerId,
	quoted: readonly { wamid: string; number: string }[],
): Promise<RepliedMessage[]> {
	if (quoted.length === 0) return []
	return findRecentFirst(sql, owner, {
		sought: quoted,
		find: (some, isOfMonths) => sql<RepliedMessage[]>`
			select m.wamid, m.campaign_id as "campaignId", c.kind, m.seq, c.template ->> 'name' as template,
				c.template -> 'components' as components, c.variables,
				c.merge_tags as "mergeTags", m.merge_values as "mergeValues"
			from unnest(${some.map((q) => q.wamid)}::text[], ${some.map((q) => q.number)}::text[]) as q (wamid, number)
			cross join lateral (
				select q.number
				union
				select number from whatsapp_ids where account_id = ${owner} and wa_id = q.number
			) n
			join campaign_messages m on m.account_id = ${owner} and m.number = n.number and m.wamid = q.wamid
				and ${isOfMonths}
			join campaigns c on c.account_id = ${owner} and c.id = m.campaign_id
		`,
	})
}

/** Notes that these recipients answered. Each counts once; `countReplies` counts them. */
export async function insertReplies(
	sql: Sql,
	owner: OwnerId,
	replies: readonly { campaignId: number; seq: number; at: Date }[],
): Promise<void> {
	const sorted = replies.toSorted((a, b) => a.campaignId - b.campaignId || a.seq - b.seq)
	await sql`
		insert into campaign_replies (account_id, campaign_id, seq, replied_at)
		select ${owner}::bigint, n.campaign_id, n.seq, n.at
		from unnest(
			${sorted.map((r) => r.campaignId)}::bigint[], ${sorted.map((r) => r.seq)}::integer[],
			${sorted.map((r) => r.at.toISOString())}::text[]::timestamptz[]
		) as n (campaign_id, seq, at)
		on conflict (account_id, campaign_id, seq) do nothing
	`
}

/** Accounts with answers that their campaigns do not count yet. */
export async function listUncountedAllOwners(sql: Sql, only: OwnerId | null): Promise<{ owner: OwnerId }[]> {
	return sql<{ owner: OwnerId }[]>`
		select distinct account_id as owner from campaign_replies
		where not is_counted ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Adds answers to their campaigns' counters. Returns the campaigns that changed. */
export async function countReplies(sql: Sql, owner: OwnerId): Promise<{ id: number }[]> {
	const counted = await sql<{ campaignId: number; replies: number }[]>`
		with fresh as materialized (
			select campaign_id, seq from campaign_replies
			where account_id = ${owner} and not is_counted
			order by campaign_id, seq
			limit 10000
			for update skip locked
		), marked as (
			update campaign_replies r set is_counted = true
			from fresh f
			where r.account_id = ${owner} and r.campaign_id = f.campaign_id and r.seq = f.seq
			returning r.campaign_id
		)
		select campaign_id as "campaignId", count(*) as replies from marked group by campaign_id order by campaign_id
	`
	if (counted.length === 0) return []
	return sql<{ id: number }[]>`
		update campaigns c set replied_count = c.replied_count + n.replies
		from unnest(${counted.map((c) => c.campaignId)}::bigint[], ${counted.map((c) => c.replies)}::integer[])
			as n (campaign_id, replies)
		where c.account_id = ${owner} and c.id = n.campaign_id
		returning c.id
	`
}
