import type { AccountId, Sql } from '#lib/server/db.ts'

/** The right of one worker to send for one account's sender. Its epoch rises with each new holder. */
export interface Lease {
	worker: string
	epoch: number
}

/** Acquires a lease that is unchanged since it was read. Returns null when another worker took it first. */
export async function acquireLease(
	sql: Sql,
	accountId: AccountId,
	{ worker, seen }: { worker: string; seen: { worker: string | null; epoch: number } },
): Promise<Lease | null> {
	const [row] = await sql<{ epoch: number }[]>`
		update senders set lease_worker = ${worker}, lease_epoch = lease_epoch + 1, waiting_reason = null
		where account_id = ${accountId} and lease_epoch = ${seen.epoch} and lease_worker is not distinct from ${seen.worker}::text
		returning lease_epoch as epoch
	`
	return row ? { worker, epoch: row.epoch } : null
}

/** Releases a lease; changes nothing when another worker has taken the sender over. */
export async function releaseLease(sql: Sql, accountId: AccountId, lease: Lease): Promise<void> {
	await sql`
		update senders set lease_worker = null, waiting_reason = null
		where account_id = ${accountId} and lease_worker = ${lease.worker} and lease_epoch = ${lease.epoch}
	`
}

/**
 * Sets the reason why sending waits, in words for the account's campaigns, and its cause for admins; null when sending
 * continues.
 */
export async function updateWaiting(
	sql: Sql,
	accountId: AccountId,
	{ lease, reason, cause }: { lease: Lease; reason: string | null; cause: string | null },
): Promise<void> {
	await sql`
		update senders set waiting_reason = ${reason}, waiting_cause = ${cause}
		where account_id = ${accountId} and lease_worker = ${lease.worker} and lease_epoch = ${lease.epoch}
	`
}

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

/** Records that the account was alarmed about missing status updates. Returns false when it was alarmed already. */
export async function updateSilenceNotified(sql: Sql, accountId: AccountId): Promise<boolean> {
	const rows = await sql`
		update senders set silence_notified_at = now()
		where account_id = ${accountId} and silence_notified_at is null
		returning 1
	`
	return rows.length > 0
}
