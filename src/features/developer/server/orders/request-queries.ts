import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

/** A request that may be repeated, by the hashes of its key and of what it asks for. */
export interface RepeatableRequest {
	keyHash: Buffer
	requestHash: Buffer
	/** As releases before the keyed hash noted it; compared, never written. */
	bareHash?: Buffer
}

/** Requests to be noted, and for how long to wait for others that have their keys. */
export interface ClaimedRequests {
	requests: readonly (RepeatableRequest & { answer?: unknown })[]
	waitMs?: number
}

/** For the end of a request with the same key: most have ended by then. */
const KEY_WAIT_MS = 5000

/**
 * Notes requests whose keys are new, or older than a day, with their answers where they have one already; returns how many.
 * Waits `waitMs` for the end of another transaction that notes one of the keys. Each key stands once, in one order, so that two
 * transactions never wait for each other.
 */
export async function claimRequests(
	sql: Sql,
	accountId: AccountId,
	{ requests, waitMs = KEY_WAIT_MS }: ClaimedRequests,
): Promise<number> {
	await sql`select set_config('lock_timeout', ${`${waitMs}ms`}, true)`
	const sorted = requests.toSorted((a, b) => Buffer.compare(a.keyHash, b.keyHash))
	// In UTC, as arithmetic of times with a zone is refused here on Citus.
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
	// For the rows of the work itself, which others lock only for short, the usual timeout is enough.
	await sql`set local lock_timeout = 0`
	// Citus counts the rows that it was given, too.
	return claimed.length
}

/** What was answered to requests with these keys in the last day. */
export async function listAnswers(
	sql: Sql,
	accountId: AccountId,
	keyHashes: readonly Buffer[],
): Promise<(RepeatableRequest & { answer: unknown })[]> {
	return sql<(RepeatableRequest & { answer: unknown })[]>`
		select key_hash as "keyHash", request_hash as "requestHash", answer from api_requests
		where account_id = ${accountId} and key_hash = any(${[...keyHashes]}::bytea[]) and created_at >= now() - interval '1 day'
	`
}

/** Keeps the answer of a request that this transaction has claimed. */
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
