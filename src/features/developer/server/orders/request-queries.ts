import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { verbatim } from '#lib/server/statement.ts'

/** An idempotent request, by the hashes of its key and of its content. */
export interface IdempotentRequest {
	keyHash: Buffer
	requestHash: Buffer
	/** Hash without a key, as earlier releases stored it. It is compared and never stored. */
	bareHash?: Buffer
}

/** Requests to claim, and the milliseconds to wait for other transactions with their keys. */
export interface ClaimedRequests {
	requests: readonly (IdempotentRequest & { answer?: unknown })[]
	waitMs?: number
}

/** Default wait in milliseconds for the end of a request with the same key, longer than most requests take. */
const KEY_WAIT_MS = 5000

/**
 * Stores requests whose keys are new or older than a day, with their answers if given, and returns their number. Waits up to
 * `waitMs` for another transaction that stores one of the keys. The keys must be unique. They are
 * stored in order, so that two transactions cannot deadlock.
 */
export async function claimRequests(
	sql: Sql,
	accountId: AccountId,
	{ requests, waitMs = KEY_WAIT_MS }: ClaimedRequests,
): Promise<number> {
	// A SET command, because Citus passes no set_config() on to the machine that has the row.
	await sql`set local lock_timeout = ${verbatim(String(Math.trunc(waitMs)))}`
	const sorted = requests.toSorted((a, b) => Buffer.compare(a.keyHash, b.keyHash))
	// Calculates in UTC, because Citus refuses arithmetic of times with a zone here.
	const claimed = await sql`
		insert into api_requests as r (account_id, key_hash, request_hash, answer, created_at)
		select ${accountId}::bigint, n.key_hash, n.request_hash, n.answer::jsonb, now()
		from unnest(
			${sorted.map(({ keyHash }) => keyHash)}::bytea[], ${sorted.map(({ requestHash }) => requestHash)}::bytea[],
			${sorted.map(({ answer }) => (answer === undefined ? null : JSON.stringify(answer)))}::text[]
		) as n (key_hash, request_hash, answer)
		on conflict (account_id, key_hash) do update
		set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
		where r.created_at at time zone 'UTC' < excluded.created_at at time zone 'UTC' - interval '1 day'
		returning 1
	`
	// Resets the timeout: other transactions lock the rows of the following work only briefly.
	await sql`set local lock_timeout = 0`
	// Counts the returned rows, because Citus reports the number of given rows as affected.
	return claimed.length
}

/** Returns the answers to requests with these keys in the last day. */
export async function listAnswers(
	sql: Sql,
	accountId: AccountId,
	keyHashes: readonly Buffer[],
): Promise<(IdempotentRequest & { answer: unknown })[]> {
	return sql<(IdempotentRequest & { answer: unknown })[]>`
		select key_hash as "keyHash", request_hash as "requestHash", answer from api_requests
		where account_id = ${accountId} and key_hash = any(${[...keyHashes]}::bytea[]) and created_at >= now() - interval '1 day'
	`
}

/** Stores the answer of a request that this transaction has claimed. */
export async function saveAnswer(
	sql: Sql,
	accountId: AccountId,
	{ keyHash, answer }: { keyHash: Buffer; answer: unknown },
): Promise<void> {
	await sql`
		update api_requests set answer = ${JSON.stringify(answer)}::jsonb
		where account_id = ${accountId} and key_hash = ${keyHash}
	`
}

export async function deleteOldRequests(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from api_requests where account_id = ${accountId} and created_at < now() - ${age}::interval and key_hash in (
			select key_hash from api_requests
			where account_id = ${accountId} and created_at < now() - ${age}::interval
			order by created_at
			limit ${limit}
		)
	`
	return count
}
