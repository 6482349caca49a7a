import { REPLY_HOURS } from '#features/campaigns/rules.ts'
import { formerIdsAt } from '#features/contacts/server/whatsapp-id-queries.ts'
import type { Arrival, Reply } from '#features/delivery/rules.ts'
import { ARRIVED_AT, HAS_REPLIES } from '#features/delivery/server/conditions.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'

/** A chat, and the time from which its replies are attributed again. */
export interface ReplyCheck {
	chat: string
	since: Date
}

interface DueCheck extends ReplyCheck {
	id: number
	isLastLook: boolean
}

/** SQL condition on `chat_messages m`: a customer typed the message, and it neither quotes nor comes from the phone app's history. */
export const IS_TYPED = verbatim(
	`m.direction = 'in' and m.kind <> 'system' and m.reply_wamid is null and m.origin is null`,
)

/** Interval after the arrival of a campaign's message in which a message can be a reply to it. */
export const REPLY_TIME = verbatim(`interval '${REPLY_HOURS} hours'`)

/**
 * Returns SQL for the keys of the chats in which the recipient of a message at `at` may write: the number, WhatsApp's id for it,
 * the user id, and the number or user id that the person has since.
 */
export const chatKeysOf = (
	sql: Sql,
	accountId: AccountId,
	{ number, at }: { number: Statement; at: Statement },
): Statement => sql`
	select ${number} as key
	union all
	select w.wa_id from whatsapp_ids w where w.account_id = ${accountId} and w.number = ${number}
	union all
	select k.user_id from chats k where k.account_id = ${accountId} and k.key = ${number} and k.user_id is not null
	union all
	select f.now_id from ${formerIdsAt(sql, accountId, at)} f where f.id = ${number}
`

export async function insertChecks(sql: Sql, accountId: AccountId, checks: readonly ReplyCheck[]): Promise<void> {
	await sql`
		insert into reply_checks (account_id, chat, since)
		select ${accountId}::bigint, n.chat, n.since
		from unnest(
			${checks.map(({ chat }) => chat)}::text[], ${checks.map(({ since }) => since.toISOString())}::text[]::timestamptz[]
		) as n (chat, since)
	`
}

/**
 * Inserts a check for each arrival whose recipient wrote at the same time or later, and returns the number of checks. Locks no
 * chat, because a batch of status updates must not. Reads nothing when no chat of the account has a message since the earliest
 * arrival. Two statements, because a distributed database refuses to insert the rows of this selection.
 */
export async function insertArrivalChecks(
	sql: Sql,
	accountId: AccountId,
	arrivals: readonly Arrival[],
): Promise<number> {
	const lowest = arrivals.reduce((id, { campaignId }) => Math.min(id, campaignId), Number.MAX_SAFE_INTEGER)
	const earliest = new Date(Math.min(...arrivals.map(({ at }) => at.getTime())))
	const checks = await sql<ReplyCheck[]>`
		select c.key as chat, n.at as since
		from unnest(
			${arrivals.map(({ campaignId }) => campaignId)}::bigint[], ${arrivals.map(({ seq }) => seq)}::integer[],
			${arrivals.map(({ at }) => at.toISOString())}::text[]::timestamptz[]
		) as n (campaign_id, seq, at)
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = n.campaign_id and m.seq = n.seq
			and m.campaign_id >= ${lowest}::bigint
		cross join lateral (${chatKeysOf(sql, accountId, { number: sql`m.number`, at: sql`n.at` })}) k
		join chats c on c.account_id = ${accountId} and c.key = k.key and c.inbound_at >= n.at
		where exists (select from chats where account_id = ${accountId} and last_at >= ${earliest}::timestamptz)
	`
	if (checks.length > 0) await insertChecks(sql, accountId, checks)
	return checks.length
}

/** Returns accounts with due checks. */
export async function listDueAllAccounts(sql: Sql, only: AccountId | null): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct account_id as "accountId" from reply_checks
		where due_at <= now() ${only === null ? sql`` : sql`and account_id = ${only}`}
	`
}

/** Locks due checks and returns them, newest first, so that checks of new messages come before those that an upgrade added. */
export async function lockDue(sql: Sql, accountId: AccountId, limit: number): Promise<DueCheck[]> {
	return sql<DueCheck[]>`
		select id, chat, since, is_last_look as "isLastLook" from reply_checks
		where account_id = ${accountId} and due_at <= now()
		order by due_at desc
		limit ${limit}
		for update skip locked
	`
}

/** Deletes checks that have run twice, and schedules the others once more, for transactions that ran concurrently with them. */
export async function closeChecks(sql: Sql, accountId: AccountId, checks: readonly DueCheck[]): Promise<void> {
	const idsOf = (isLast: boolean) => checks.filter(({ isLastLook }) => isLastLook === isLast).map(({ id }) => id)
	await sql`delete from reply_checks where account_id = ${accountId} and id = any(${idsOf(true)}::bigint[])`
	await sql`
		update reply_checks set is_last_look = true, due_at = now() + interval '1 minute'
		where account_id = ${accountId} and id = any(${idsOf(false)}::bigint[])
	`
}

/**
 * Computes the replies to the campaign messages that arrived in these people's chats up to `REPLY_HOURS` before their check, or
 * later. Returns the replies that differ from the stored ones; `at` is null when the recipient has not replied. A stored reply
 * within its message's time remains when its chat has been deleted.
 */
export async function listChangedReplies(
	sql: Sql,
	accountId: AccountId,
	checks: readonly ReplyCheck[],
): Promise<Reply[]> {
	const earliest = new Date(Math.min(...checks.map(({ since }) => since.getTime())))
	return sql<Reply[]>`
		with checks as (
			select * from unnest(
				${checks.map(({ chat }) => chat)}::text[], ${checks.map(({ since }) => since.toISOString())}::text[]::timestamptz[]
			) as n (chat, since)
		), people as materialized (
			select number, min(since) as since from (
				select chat as number, since from checks
				union all
				select w.number, n.since from checks n join whatsapp_ids w on w.account_id = ${accountId} and w.wa_id = n.chat
				union all
				select c.key, n.since from checks n join chats c on c.account_id = ${accountId} and c.user_id = n.chat
				union all
				select f.id, n.since from checks n join former_ids f on f.account_id = ${accountId} and f.now_id = n.chat
			) k
			group by number
		), first as (
			select coalesce(min(id), 0) as id from campaigns
			where account_id = ${accountId} and (finished_at is null or finished_at >= ${earliest}::timestamptz - interval '40 days')
		), arrivals as materialized (
			select m.campaign_id, m.seq, m.number, r.replied_at, r.quoted_at, a.at,
				least(a.at + ${REPLY_TIME}, lead(a.at) over (partition by m.number order by a.at, m.campaign_id, m.seq)) as until
			from people p
			join campaign_messages m on m.account_id = ${accountId} and m.number = p.number and m.campaign_id >= (select id from first)
			join campaigns c on c.account_id = ${accountId} and c.id = m.campaign_id and ${HAS_REPLIES}
			left join campaign_replies r on r.account_id = ${accountId} and r.campaign_id = m.campaign_id and r.seq = m.seq
			cross join lateral (select least(${ARRIVED_AT}, r.quoted_at) as at) a
			where a.at >= p.since - ${REPLY_TIME}
		), replies as (
			select a.campaign_id, a.seq, a.replied_at, least(
				typed.at,
				case when a.quoted_at < a.at + ${REPLY_TIME} then a.quoted_at end,
				case when a.replied_at >= a.at and a.replied_at < a.until then a.replied_at end
			) as at
			from arrivals a
			cross join lateral (
				select min(m.at) as at from chat_messages m
				where m.account_id = ${accountId}
					and m.chat in (${chatKeysOf(sql, accountId, { number: sql`a.number`, at: sql`a.at` })})
					-- After the person has changed the number, messages in its chat are those of the number's next owner.
					and not exists (
						select from former_ids f where f.account_id = ${accountId} and f.id = m.chat and f.id = a.number
							and a.at <= f.changed_at and m.at > f.changed_at
					)
					and m.at >= a.at and m.at < a.until and ${IS_TYPED}
			) typed
		)
		select campaign_id as "campaignId", seq, at from replies
		where at is distinct from replied_at
		order by campaign_id, seq
	`
}
