import type { OldRows } from '#lib/server/all-owners.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/** A request that may be repeated, by the hashes of its key and of what it asks for. */
export interface RepeatableRequest {
	keyHash: Buffer
	requestHash: Buffer
}

/**
 * Notes requests whose keys are new, or older than a day; returns those of them. Of a key that another transaction is noting, it
 * waits for the end, for so long that most have ended. Each key once, in one order, so that two transactions never wait for each other.
 */
export async function claimRequests(
	sql: Sql,
	owner: OwnerId,
	requests: readonly RepeatableRequest[],
): Promise<{ keyHash: Buffer }[]> {
	await sql`set local lock_timeout = '5s'`
	const sorted = requests.toSorted((a, b) => Buffer.compare(a.keyHash, b.keyHash))
	const claimed = await sql<{ keyHash: Buffer }[]>`
		insert into api_requests as r (account_id, key_hash, request_hash, created_at)
		select ${owner}::bigint, n.key_hash, n.request_hash, now()
		from unnest(
			${sorted.map(({ keyHash }) => keyHash)}::bytea[], ${sorted.map(({ requestHash }) => requestHash)}::bytea[]
		) as n (key_hash, request_hash)
		on conflict (account_id, key_hash) do update
		set request_hash = excluded.request_hash, answer = null, created_at = excluded.created_at
		where r.created_at < excluded.created_at - interval '1 day'
		returning r.key_hash as "keyHash"
	`
	// For the rows of the work itself, which others lock only for short, the usual timeout is enough.
	await sql`set local lock_timeout = 0`
	return claimed
}

/** What was answered to requests with these keys in the last day. */
export async function listAnswers(
	sql: Sql,
	owner: OwnerId,
	keyHashes: readonly Buffer[],
): Promise<(RepeatableRequest & { answer: unknown })[]> {
	return sql<(RepeatableRequest & { answer: unknown })[]>`
		select key_hash as "keyHash", request_hash as "requestHash", answer from api_requests
		where account_id = ${owner} and key_hash = any(${[...keyHashes]}::bytea[]) and created_at >= now() - interval '1 day'
	`
}

/** Keeps the answers of requests that this transaction has claimed. */
export async function saveAnswers(
	sql: Sql,
	owner: OwnerId,
	answers: readonly { keyHash: Buffer; answer: unknown }[],
): Promise<void> {
	await sql`
		update api_requests r set answer = n.answer::jsonb
		from unnest(
			${answers.map(({ keyHash }) => keyHash)}::bytea[], ${answers.map(({ answer }) => JSON.stringify(answer))}::text[]
		) as n (key_hash, answer)
		where r.account_id = ${owner} and r.key_hash = n.key_hash
	`
}

/** Forgets requests that were refused: they may be repeated as they are, or corrected. */
export async function releaseRequests(sql: Sql, owner: OwnerId, keyHashes: readonly Buffer[]): Promise<void> {
	await sql`delete from api_requests where account_id = ${owner} and key_hash = any(${[...keyHashes]}::bytea[])`
}

export async function deleteOldRequests(sql: Sql, owner: OwnerId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from api_requests where account_id = ${owner} and key_hash in (
			select key_hash from api_requests
			where account_id = ${owner} and created_at < now() - ${age}::interval
			order by created_at
			limit ${limit}
		)
	`
	return count
}
