import { isMessageTo, wasNumberOf } from '#features/contacts/server/whatsapp-id-queries.ts'
import type { MessageStatus } from '#features/delivery/rules.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export async function countMessagesTo(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from campaign_messages m
		where m.account_id = ${accountId} and ${isMessageTo(sql, accountId, numbers)}
	`
	return row?.total ?? 0
}

export interface HeldCampaignMessage {
	campaignId: number
	campaign: string
	template: string
	seq: number
	name: string | null
	number: string
	status: MessageStatus
	error: string | null
	sentAt: Date | null
	statusAt: Date | null
	createdAt: Date
	mergeTags: string[]
	/** Variables of a test or a chat template, whose values belong to this person; null for other campaigns. */
	variables: Variables | null
	mergeValues: (string | null)[] | null
	repliedAt: Date | null
	clickedAt: Date[]
}

/** Returns the next messages to these numbers after a message, the oldest campaign first. */
export async function listMessagesTo(
	sql: Sql,
	accountId: AccountId,
	{ numbers, after, limit }: { numbers: readonly string[]; after: { campaignId: number; seq: number }; limit: number },
): Promise<HeldCampaignMessage[]> {
	return sql<HeldCampaignMessage[]>`
		select m.campaign_id as "campaignId", c.name as campaign, c.template ->> 'name' as template, m.seq, m.name, m.number,
			m.status, m.error, m.sent_at as "sentAt", m.status_at as "statusAt", c.created_at as "createdAt",
			c.merge_tags as "mergeTags",
			case when c.kind in ('test', 'chat') then c.variables end as variables, m.merge_values as "mergeValues", r.replied_at as "repliedAt",
			array(
				select k.clicked_at from campaign_clicks k
				where k.account_id = ${accountId} and k.campaign_id = m.campaign_id and k.seq = m.seq
				order by k.clicked_at
			) as "clickedAt"
		from campaign_messages m
		join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id
		left join campaign_replies r on r.account_id = ${accountId} and r.campaign_id = m.campaign_id and r.seq = m.seq
		where m.account_id = ${accountId} and ${isMessageTo(sql, accountId, numbers)}
			and (m.campaign_id, m.seq) > (${after.campaignId}::bigint, ${after.seq}::int)
		order by m.campaign_id, m.seq
		limit ${limit}
	`
}

/** Returns the campaigns in whose control group these numbers are. */
export async function listControlGroupsOf(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<{ campaignId: number; campaign: string; number: string; createdAt: Date }[]> {
	return sql<{ campaignId: number; campaign: string; number: string; createdAt: Date }[]>`
		select h.campaign_id as "campaignId", c.name as campaign, h.number, c.created_at as "createdAt"
		from campaign_held_out h
		join campaigns c on c.account_id = ${accountId} and c.id = h.campaign_id
		where h.account_id = ${accountId}
			and ${wasNumberOf(sql, accountId, { number: sql`h.number`, at: sql`c.created_at`, names: numbers })}
		order by h.campaign_id, h.number
	`
}
