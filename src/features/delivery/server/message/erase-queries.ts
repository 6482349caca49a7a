import { isMessageTo } from '#features/contacts/server/whatsapp-id-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MessageId } from './message-id.ts'

export interface MessageToErase {
	campaignId: number
	seq: number
	number: string
	wamid: string | null
}

/** Locks the messages to a person, in the lock order of settling. */
export async function lockMessagesTo(
	sql: Sql,
	accountId: AccountId,
	names: readonly string[],
): Promise<MessageToErase[]> {
	return sql<MessageToErase[]>`
		select campaign_id as "campaignId", seq, number, wamid from campaign_messages m
		where m.account_id = ${accountId} and ${isMessageTo(sql, accountId, names)}
		order by campaign_id, seq
		for update
	`
}

/** Replaces numbers and wamids of messages, and deletes their names and values. */
export async function eraseMessages(
	sql: Sql,
	accountId: AccountId,
	messages: readonly MessageToErase[],
): Promise<void> {
	await sql`
		update campaign_messages m
		set number = n.number, listed_number = null, wamid = n.wamid, name = null,
			merge_values = case when m.merge_values is not null
				then array_fill(null::text, array[cardinality(m.merge_values)]) end
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::int[],
			${messages.map((m) => m.number)}::text[], ${messages.map((m) => m.wamid)}::text[]
		) as n (campaign_id, seq, number, wamid)
		where m.account_id = ${accountId} and m.campaign_id = n.campaign_id and m.seq = n.seq
	`
}

/**
 * Erases the values of tests and chat templates to one person. Retains their names, because the template needs as many
 * values. Also erases the number in a test's audience name.
 */
export async function eraseSingleCampaigns(sql: Sql, accountId: AccountId, ids: readonly number[]): Promise<void> {
	const written = await sql<{ id: number; names: string[] }[]>`
		select id, array(select jsonb_object_keys(variables)) as names from campaigns
		where account_id = ${accountId} and id = any(${ids}::bigint[]) and kind in ('test', 'chat')
		order by id
		for update
	`
	for (const { id, names } of written) {
		const variables = Object.fromEntries(names.map((name) => [name, 'Erased']))
		await sql`
			update campaigns
			set variables = ${JSON.stringify(variables)}, audience_name = case when kind = 'test' then 'Test' else audience_name end
			where account_id = ${accountId} and id = ${id}
		`
	}
}

export interface UnmatchedOf {
	wamid: string
	status: string
	recipient: string
}

export async function listUnmatchedOf(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<UnmatchedOf[]> {
	return sql<UnmatchedOf[]>`
		select wamid, status, report ->> 'recipient' as recipient from unmatched_reports
		where account_id = ${accountId} and report ->> 'recipient' = any(${numbers}::text[])
		order by wamid, status
		for update
	`
}

/** Replaces the texts in status updates that wait for their message. */
export async function renameUnmatched(
	sql: Sql,
	accountId: AccountId,
	{ from, to }: { from: UnmatchedOf; to: { wamid: string; recipient: string } },
): Promise<void> {
	await sql`
		update unmatched_reports
		set wamid = ${to.wamid},
			report = report || jsonb_build_object('wamid', ${to.wamid}::text, 'recipient', ${to.recipient}::text)
		where account_id = ${accountId} and wamid = ${from.wamid} and status = ${from.status}
	`
}

/** Deletes the references of messages to a person who is erased. */
export async function deleteReferences(sql: Sql, accountId: AccountId, messages: readonly MessageId[]): Promise<void> {
	await sql`
		delete from message_references r
		using unnest(
			${messages.map(({ campaignId }) => campaignId)}::bigint[], ${messages.map(({ seq }) => seq)}::int[]
		) as n (campaign_id, seq)
		where r.account_id = ${accountId} and r.campaign_id = n.campaign_id and r.seq = n.seq
	`
}
