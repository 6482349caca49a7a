import type { MessageStatus } from '#features/messages/rules.ts'
import type { MessageId } from '#features/messages/server/message-id.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

export interface SentMessage extends MessageId {
	to: string
	status: MessageStatus
	template: { name: string; language: string }
	errorCode: number | null
	sentAt: Date | null
	statusAt: Date | null
}

/** Messages of campaigns, as programs see them: what chats send is theirs alone. */
const selectMessages = (sql: Sql, owner: OwnerId) => sql`
	select m.campaign_id as "campaignId", m.seq, m.number as to, m.status, m.error_code as "errorCode", m.sent_at as "sentAt",
		m.status_at as "statusAt",
		jsonb_build_object('name', c.template ->> 'name', 'language', c.template ->> 'language') as template
	from campaign_messages m
	join campaigns c on c.account_id = ${owner} and c.id = m.campaign_id and c.kind <> 'chat'
	where m.account_id = ${owner}
`

export async function findMessage(sql: Sql, owner: OwnerId, id: MessageId): Promise<SentMessage | undefined> {
	const [row] = await sql<SentMessage[]>`
		${selectMessages(sql, owner)} and m.campaign_id = ${id.campaignId} and m.seq = ${id.seq}
	`
	return row
}

export interface MessageFilter {
	campaignId: string | undefined
	number: string | undefined
	/** Of the creation of their campaign. */
	from: string | undefined
	to: string | undefined
	before: MessageId | null
	limit: number
}

/** Those wanted, the latest campaign first, and within it the last message. Ids of campaigns grow with the time of their creation. */
export async function listMessages(sql: Sql, owner: OwnerId, wanted: MessageFilter): Promise<SentMessage[]> {
	const { campaignId, number, from, to, before, limit } = wanted
	const created = (condition: ReturnType<Sql>, pick: ReturnType<Sql>) => sql`(
		select ${pick} from campaigns k where k.account_id = ${owner} and ${condition}
	)`
	return sql<SentMessage[]>`
		${selectMessages(sql, owner)}
			${campaignId === undefined ? sql`` : sql`and m.campaign_id = ${campaignId}`}
			${number === undefined ? sql`` : sql`and m.number = ${number}`}
			${from === undefined ? sql`` : sql`and m.campaign_id >= ${created(sql`k.created_at >= ${from}`, sql`min(k.id)`)}`}
			${to === undefined ? sql`` : sql`and m.campaign_id <= ${created(sql`k.created_at < ${to}`, sql`max(k.id)`)}`}
			${before === null ? sql`` : sql`and (m.campaign_id, m.seq) < (${before.campaignId}::bigint, ${before.seq}::int)`}
		order by m.campaign_id desc, m.seq desc
		limit ${limit}
	`
}
