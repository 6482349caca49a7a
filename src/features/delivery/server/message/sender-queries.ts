import type { AccountId, Sql } from '#lib/server/db.ts'

/** Precision of `reported_through` in seconds: messages sent up to this much later may have been reported too. */
export const REPORTED_STEP_SECONDS = 60

/**
 * Records the send time of the latest message with a status update, at most once a minute of send time, and ends an alarm about
 * missing updates. Skips a sender whose row is locked; the next update records it.
 */
export async function updateReportedThrough(sql: Sql, accountId: AccountId, sentAt: Date): Promise<void> {
	await sql`
		with sender as (
			select account_id from senders
			where account_id = ${accountId} and (
				reported_through is null or reported_through < ${sentAt}::timestamptz - ${REPORTED_STEP_SECONDS} * interval '1 second'
				or silence_notified_at is not null and reported_through < ${sentAt}::timestamptz
			)
			for update skip locked
		)
		update senders s set reported_through = ${sentAt}::timestamptz, silence_notified_at = null
		from sender n
		where s.account_id = ${accountId} and s.account_id = n.account_id
	`
}
