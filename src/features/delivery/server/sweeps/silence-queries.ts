import { REPORTED_STEP_SECONDS, updateSilenceNotified } from '#features/whatsapp/server/sending-state-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

/** An alarm needs this many messages, each at least this old, without any status update. */
const MIN_MESSAGES = 20
const MIN_AGE_HOURS = 1
/** Number of days after its end for which a campaign is checked. */
const MAX_AGE_DAYS = 2

/**
 * Returns the condition on campaigns that may have sent messages after the latest message with a status update.
 * `reported_through` is exact to a minute of send time, so messages of the following minute may have status updates
 * too.
 */
const isUnreported = (sql: Sql) => sql`
	c.sent_count > 0 and c.started_at < now() - ${MIN_AGE_HOURS} * interval '1 hour'
	and (
		c.finished_at is null or c.finished_at > now() - ${MAX_AGE_DAYS} * interval '1 day'
			and (s.reported_through is null or c.finished_at > s.reported_through + ${REPORTED_STEP_SECONDS} * interval '1 second')
	)
`

/**
 * Returns accounts whose campaigns may have sent MIN_MESSAGES messages since the last status update. `takeSilenceAlarm`
 * checks each account.
 */
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

/** Records an alarm if enough messages have had no status update. Returns true for a new alarm. */
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
	return updateSilenceNotified(sql, accountId)
}

/** Returns the number of senders without status updates. */
export async function countSilentSendersAllAccounts(sql: Sql): Promise<number> {
	const [row] = await sql<{ senders: number }[]>`
		select count(*) as senders from senders where silence_notified_at is not null
	`
	return row?.senders ?? 0
}
