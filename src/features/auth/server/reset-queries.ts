import type { Sql } from '#lib/server/db.ts'

/**
 * Adds a link, sweeps out expired ones, and returns whether it could: nobody has more than `most` that are still good. Call it
 * in a transaction that holds the lock on the person's resets, as of two at once each would count without the other. Counting is a statement
 * of its own: one that reads and writes the same table held whole by every machine deadlocks with its like.
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

/** Lets one transaction at a time add links for this person. */
export async function lockResets(sql: Sql, userId: number): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`password resets of ${userId}`}, 0))`
}

/** Whose link this is, as long as it is good: not used, not expired, and its person may sign in. */
export async function findReset(sql: Sql, tokenHash: Buffer): Promise<number | undefined> {
	const [row] = await sql<{ userId: number }[]>`
		select r.user_id as "userId"
		from password_resets r
		join users u on u.id = r.user_id
		where r.token_hash = ${tokenHash} and r.expires_at > now() and u.is_active and u.deleted_at is null
	`
	return row?.userId
}

/** Uses the link up. Of several that use it at once, one gets true. */
export async function takeReset(sql: Sql, userId: number, tokenHash: Buffer): Promise<boolean> {
	const { count } = await sql`
		delete from password_resets where token_hash = ${tokenHash} and user_id = ${userId} and expires_at > now()
	`
	return count > 0
}

export async function deleteResets(sql: Sql, userId: number): Promise<void> {
	await sql`delete from password_resets where user_id = ${userId}`
}
