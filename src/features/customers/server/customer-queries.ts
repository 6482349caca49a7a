import { selectContacts, type Contact } from '#features/contacts/server/contacts/queries.ts'
import type { MessageStatus } from '#features/delivery/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export async function findContactOf(sql: Sql, accountId: AccountId, number: string): Promise<Contact | undefined> {
	const [row] = await sql<Contact[]>`
		${selectContacts(sql, accountId)} where c.account_id = ${accountId} and c.number = ${number}
	`
	return row
}

export interface CustomerCampaign {
	id: number
	name: string
	status: MessageStatus
	at: Date
	clicks: number
	hasReplied: boolean
}

/** Number of messages to one person that are read. It bounds the work for numbers that programs write to all day. */
const READ_MESSAGES = 200

/** Returns the campaigns that sent these numbers a message last, the latest first. Tests are left out. */
export async function listLatestCampaigns(
	sql: Sql,
	accountId: AccountId,
	{ numbers, limit }: { numbers: readonly string[]; limit: number },
): Promise<CustomerCampaign[]> {
	return sql<CustomerCampaign[]>`
		with messages as materialized (
			select campaign_id, seq, status, sent_at from campaign_messages
			where account_id = ${accountId} and number = any(${numbers}::text[])
			order by campaign_id desc, seq desc
			limit ${READ_MESSAGES}
		), latest as materialized (
			select distinct on (campaign_id) campaign_id, seq, status, sent_at from messages
			order by campaign_id desc, seq desc
		)
		select c.id, c.name, m.status, coalesce(m.sent_at, c.created_at) as at, r.replied_at is not null as "hasReplied",
			(
				select count(*) from campaign_clicks k
				where k.account_id = ${accountId} and k.campaign_id = m.campaign_id and k.seq = m.seq
			) as clicks
		from latest m
		join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id and c.kind <> 'test'
		left join campaign_replies r on r.account_id = ${accountId} and r.campaign_id = m.campaign_id and r.seq = m.seq
		order by c.id desc
		limit ${limit}
	`
}
