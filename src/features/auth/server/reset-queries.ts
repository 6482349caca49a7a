import type { Sql } from '#lib/server/db.ts'
import { maySignIn } from './queries.ts'

/**
 * Adds a link and deletes the expired links of all users. Returns false when the user already has `most` valid links.
 * Call it under `lockResets`, since two concurrent transactions would not count each other's link. Counting is a
 * separate statement: on Citus, every node holds the table, and statements that read and write such a table deadlock
 * with each other.
 */
export async function insertReset(
	sql: Sql,
	reset: { tokenHash: Buffer; userId: number; seconds: number; most: number },
): Promise<boolean> {
	const expired = await sql`select 1 from password_resets where expires_at <= now() limit 1`
	if (expired.length > 0) await sql`delete from password_resets where expires_at <= now()`
	const [row] = await sql<{ links: number }[]>`
		select count(*) as links from password_resets where user_id = ${reset.userId}
	`
	if (!row || row.links >= reset.most) return false
	await sql`
		insert into password_resets (token_hash, user_id, expires_at)
		values (${reset.tokenHash}, ${reset.userId}, now() + make_interval(secs => ${reset.seconds}))
	`
	return true
}

/** Locks the user's links until the transaction ends, so that one transaction at a time adds one. */
export async function lockResets(sql: Sql, userId: number): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`password resets of ${userId}`}, 0))`
}

/** Returns the user of a link; undefined when it is used or expired or its user may not sign in. */
export async function findReset(sql: Sql, tokenHash: Buffer): Promise<number | undefined> {
	const [row] = await sql<{ userId: number }[]>`
		select r.user_id as "userId"
		from password_resets r
		join users u on u.id = r.user_id
		where r.token_hash = ${tokenHash} and r.expires_at > now() and ${maySignIn(sql)}
	`
	return row?.userId
}

/**
 * Deletes a valid link. Returns false when the link is gone or expired; of several concurrent callers, one gets true.
 */
export async function takeReset(sql: Sql, userId: number, tokenHash: Buffer): Promise<boolean> {
	const { count } = await sql`
		delete from password_resets where token_hash = ${tokenHash} and user_id = ${userId} and expires_at > now()
	`
	return count > 0
}

export async function deleteResets(sql: Sql, userId: number): Promise<void> {
	await sql`delete from password_resets where user_id = ${userId}`
}
