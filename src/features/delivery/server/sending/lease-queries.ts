import { isInUse } from '#features/auth/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { LIMIT_WAIT_MS } from '../limits/waiting-queries.ts'
import { isPreparingAllAccounts, KEEPS_QUIET, quietUntilAllAccounts } from '../sending-rules-queries.ts'

/** Milliseconds before a waiting campaign's turn at which a worker takes its sender. */
const WAKE_AHEAD_MS = 1000

/** An account with messages to send, or with claims to be settled or recovered. */
export interface ActiveSender {
	accountId: AccountId
	/** Null when the lease is free, also after its worker has died. */
	worker: string | null
	epoch: number
}

/**
 * Returns the active senders of all accounts, or of one when not every machine of a distributed database answers. Each
 * part of the statement names that account, since a part that joins another one asks every machine.
 */
export async function listActiveAllAccounts(sql: Sql, accountId: AccountId | null): Promise<ActiveSender[]> {
	const account = accountId === null ? sql`c.account_id` : sql`${accountId}::bigint`
	const isOpen = sql`(
		not (${KEEPS_QUIET} and ${quietUntilAllAccounts(sql, account)} is not null) and not ${isPreparingAllAccounts(sql, account)}
	)`
	return sql<ActiveSender[]>`
		select s.account_id as "accountId", s.lease_worker as worker, s.lease_epoch as epoch
		from senders s
		join (
			select c.account_id from campaigns c
			where c.finished_at is null and c.status = 'processing' and c.claimed_through < c.total_count
				and ${isInUse(sql, sql`c.account_id`)} and ${isOpen} ${accountId === null ? sql`` : sql`and c.account_id = ${accountId}`}
			union
			select u.account_id from unsettled_messages u
			join campaigns c on c.account_id = u.account_id and c.id = u.campaign_id
			where u.retry_at < now() + interval '1 minute' and c.finished_at is null and c.status = 'processing'
				and ${isInUse(sql, sql`c.account_id`)} and ${isOpen} ${accountId === null ? sql`` : sql`and u.account_id = ${accountId}`}
			union
			select c.account_id from campaigns c
			join senders s on s.account_id = c.account_id
			where c.limit_waits_until is not null and ${LIMIT_WAIT_MS} < ${WAKE_AHEAD_MS}
				and c.finished_at is null and c.status = 'processing'
				and ${isInUse(sql, sql`c.account_id`)} and ${isOpen} ${accountId === null ? sql`` : sql`and c.account_id = ${accountId}`}
			union
			select account_id from message_claims ${accountId === null ? sql`` : sql`where account_id = ${accountId}`}
		) active on active.account_id = s.account_id
		${accountId === null ? sql`` : sql`where s.account_id = ${accountId}`}
		order by s.account_id
	`
}

/**
 * Returns the reason why the account's sender is stopped, and locks it until the transaction ends; null for a sender that
 * is not stopped.
 */
export async function lockStopped(sql: Sql, accountId: AccountId): Promise<string | null> {
	const [row] = await sql<{ reason: string | null }[]>`
		select stopped_reason as reason from senders where account_id = ${accountId} for no key update
	`
	return row?.reason ?? null
}
