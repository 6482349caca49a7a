import type { AccountId, Sql } from '#lib/server/db.ts'
import { REPORTED_STEP_SECONDS } from '../message/sender-queries.ts'

/** An alarm needs this many messages, each at least this old, of which none has had a report. */
const MIN_MESSAGES = 20
const MIN_AGE_HOURS = 1
/** Campaigns that ended longer ago are not looked at. */
const MAX_AGE_DAYS = 2

/**
 * Campaigns that may have sent messages after the last one that a report came for. `reported_through` is noted once a minute of
 * sending time, so that the messages of the minute after it may have been reported on.
 */
const isUnreported = (sql: Sql) => sql`
	c.sent_count > 0 and c.started_at < now() - ${MIN_AGE_HOURS} * interval '1 hour'
	and (
		c.finished_at is null or c.finished_at > now() - ${MAX_AGE_DAYS} * interval '1 day'
			and (s.reported_through is null or c.finished_at > s.reported_through + ${REPORTED_STEP_SECONDS} * interval '1 second')
	)
`

/** Candidates for an alarm: accounts whose campaigns have sent enough since the last report. `takeSilenceAlarm` checks each. */
export async function listMaybeSilentAllAccounts(
	sql: Sql,
	only: AccountId | null,
): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select s.account_id as "accountId"
		from senders s
		join campaigns c on c.account_id = s.account_id
		where s.silence_notified_at is null ${only === null ? sql`` : sql`and s.account_id = ${only}`}
			and (s.reported_through is null or s.reported_through < now() - ${MIN_AGE_HOURS} * interval '1 hour')
			and ${isUnreported(sql)}
		group by s.account_id
		having sum(c.sent_count) >= ${MIN_MESSAGES}
	`
}

/** Notes an alarm, if enough messages have had no report. Returns whether this is a new one. */
export async function takeSilenceAlarm(sql: Sql, accountId: AccountId): Promise<boolean> {
	const unreported = await sql`
		select 1
		from senders s
		join campaigns c on c.account_id = ${accountId}
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = c.id
		where s.account_id = ${accountId} and ${isUnreported(sql)}
			and m.status = 'sent' and not m.held_for_quality and m.sent_at < now() - ${MIN_AGE_HOURS} * interval '1 hour'
			and (s.reported_through is null or m.sent_at > s.reported_through + ${REPORTED_STEP_SECONDS} * interval '1 second')
		limit ${MIN_MESSAGES}
	`
	if (unreported.length < MIN_MESSAGES) return false
	const noted = await sql`
		update senders set silence_notified_at = now()
		where account_id = ${accountId} and silence_notified_at is null
		returning 1
	`
	return noted.length > 0
}

/** Senders that no reports arrive for. */
export async function countSilentSendersAllAccounts(sql: Sql): Promise<number> {
	const [row] = await sql<{ senders: number }[]>`
		select count(*) as senders from senders where silence_notified_at is not null
	`
	return row?.senders ?? 0
}
