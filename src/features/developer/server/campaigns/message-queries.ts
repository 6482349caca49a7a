import type { MessageStatus } from '#features/delivery/rules.ts'
import type { MessageId } from '#features/delivery/server/message/message-id.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'

export interface SentMessage extends MessageId, MessageReference {
	to: string
	status: MessageStatus
	template: { name: string; language: string }
	errorCode: number | null
	sentAt: Date | null
	statusAt: Date | null
}

/**
 * Returns the SQL that selects messages of campaigns in the form of /v1. Messages of chats are not visible to programs.
 */
const selectMessages = (sql: Sql, accountId: AccountId) => sql`
	select m.campaign_id as "campaignId", m.seq, m.number as to, m.status, m.error_code as "errorCode", m.sent_at as "sentAt",
		m.status_at as "statusAt", r.reference, r.metadata,
		jsonb_build_object('name', c.template ->> 'name', 'language', c.template ->> 'language') as template
	from campaign_messages m
	join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id and c.kind <> 'chat'
	left join message_references r on r.account_id = ${accountId} and r.campaign_id = m.campaign_id and r.seq = m.seq
	where m.account_id = ${accountId}
`

export async function findMessage(sql: Sql, accountId: AccountId, id: MessageId): Promise<SentMessage | undefined> {
	const [row] = await sql<SentMessage[]>`
		${selectMessages(sql, accountId)} and m.campaign_id = ${id.campaignId} and m.seq = ${id.seq}
	`
	return row
}

export interface MessageFilter {
	campaignId: string | undefined
	number: string | undefined
	reference: string | undefined
	/** Limits of the time of sending or failure; pending messages have the current time. */
	from: string | undefined
	to: string | undefined
	before: MessageId | null
	limit: number
}

const TIME = verbatim(`case when m.status = 'pending' then now() else coalesce(m.sent_at, m.status_at) end`)

/**
 * Returns the SQL condition that a message belongs to a campaign with this condition. The campaigns' ids are found
 * before the messages are read.
 */
const ofCampaigns = (sql: Sql, accountId: AccountId, condition: ReturnType<Sql>) => sql`
	m.campaign_id = any (array(select k.id from campaigns k where k.account_id = ${accountId} and ${condition}))
`

/**
 * Returns messages, latest campaign first, and within it the last message first. Campaign ids grow with the time of creation.
 */
export async function listMessages(sql: Sql, accountId: AccountId, wanted: MessageFilter): Promise<SentMessage[]> {
	const { campaignId, number, reference, from, to, before, limit } = wanted
	return sql<SentMessage[]>`
		${selectMessages(sql, accountId)}
			${campaignId === undefined ? sql`` : sql`and m.campaign_id = ${campaignId}`}
			${number === undefined ? sql`` : sql`and m.number = ${number}`}
			${reference === undefined ? sql`` : sql`and r.reference = ${reference}`}
			${from === undefined ? sql`` : sql`and ${TIME} >= ${from} and ${ofCampaigns(sql, accountId, sql`coalesce(k.finished_at >= ${from}, true)`)}`}
			${to === undefined ? sql`` : sql`and ${TIME} < ${to} and ${ofCampaigns(sql, accountId, sql`k.created_at < ${to}`)}`}
			${before === null ? sql`` : sql`and (m.campaign_id, m.seq) < (${before.campaignId}::bigint, ${before.seq}::int)`}
		order by m.campaign_id desc, m.seq desc
		limit ${limit}
	`
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
