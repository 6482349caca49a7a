import type { Sql } from '#lib/server/db.ts'

/** Adds a link, sweeps out expired ones, and returns whether it could: nobody has more than `most` that are still good. */
export async function insertReset(
	sql: Sql,
	reset: { tokenHash: Buffer; userId: number; seconds: number; most: number },
): Promise<boolean> {
	await sql`delete from password_resets where expires_at <= now()`
	const rows = await sql`
		insert into password_resets (token_hash, user_id, expires_at)
		select ${reset.tokenHash}, ${reset.userId}, now() + make_interval(secs => ${reset.seconds})
		where (select count(*) from password_resets where user_id = ${reset.userId}) < ${reset.most}
		returning 1
	`
	return rows.length > 0
}

/** Whether the link is still good: not used, not expired, and its person may sign in. */
export async function isResetOpen(sql: Sql, tokenHash: Buffer): Promise<boolean> {
	const rows = await sql`
		select 1
		from password_resets r
		join users u on u.id = r.user_id
		where r.token_hash = ${tokenHash} and r.expires_at > now() and u.is_active and u.deleted_at is null
	`
	return rows.length > 0
}

/** Uses the link up and returns whose it is. Of several that use it at once, one gets the person. */
export async function takeReset(sql: Sql, tokenHash: Buffer): Promise<number | undefined> {
	const [row] = await sql<{ userId: number }[]>`
		delete from password_resets r
		using users u
		where r.token_hash = ${tokenHash} and r.expires_at > now()
			and u.id = r.user_id and u.is_active and u.deleted_at is null
		returning r.user_id as "userId"
	`
	return row?.userId
}

export async function deleteResets(sql: Sql, userId: number): Promise<void> {
	await sql`delete from password_resets where user_id = ${userId}`
}
