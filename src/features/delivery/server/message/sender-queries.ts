import type { AccountId, Sql } from '#lib/server/db.ts'

/** How precisely `reported_through` is kept: what was sent so much later may have been reported on too. */
export const REPORTED_STEP_SECONDS = 60

/**
 * Notes the time of sending of the latest message that a report came for, at most once a minute of that time; the next report
 * also ends an alarm. A sender row that is locked is left: the next report notes it, and nothing waits here.
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
