import type { Role } from '#features/auth/contract.ts'
import type { Seat } from '#lib/endpoint.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { hasSecondFactor, maySignIn, roleOf, seatOf, signsInWith, workplaceOf } from '../queries.ts'

export interface NewSession {
	tokenHash: Buffer
	userId: number
	seconds: number
	userAgent: string
	ip: string
}

/** Stores a session and deletes the user's expired ones. */
export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
	// Reads before deleting: on Citus, every node holds the table, and a delete locks the whole table.
	const expired = await sql`select 1 from sessions where user_id = ${session.userId} and expires_at < now() limit 1`
	if (expired.length > 0) await sql`delete from sessions where user_id = ${session.userId} and expires_at < now()`
	await sql`
		insert into sessions (token_hash, user_id, expires_at, user_agent, ip)
		values (
			${session.tokenHash}, ${session.userId}, now() + make_interval(secs => ${session.seconds}),
			${session.userAgent}, ${session.ip}
		)
	`
}

/** Returns the SQL condition that session `s` has neither expired nor been idle for `idleHours`. */
const isOpen = (sql: Sql, idleHours: number) => sql`
	s.expires_at > now() and s.last_seen_at > now() - make_interval(hours => ${idleHours})
`

export interface FoundSession {
	tokenHash: Buffer
	userId: number
	/** The account that the user works in. */
	accountId: AccountId
	role: Role
	seat: Seat
	hasSecondFactor: boolean
	/** True for an open session whose user may sign in. */
	isUsable: boolean
	/** True when the session was last seen over a minute ago. */
	isStale: boolean
}

/** Returns the sessions of these tokens in any order. A token without a session has no entry. */
export async function findSessions(
	sql: Sql,
	{ tokenHashes, idleHours }: { tokenHashes: Buffer[]; idleHours: number },
): Promise<FoundSession[]> {
	return sql<FoundSession[]>`
		select s.token_hash as "tokenHash", u.id as "userId", ${workplaceOf(sql)} as "accountId", ${roleOf(sql)} as role,
			${seatOf(sql)} as seat, ${hasSecondFactor(sql)} as "hasSecondFactor",
			${isOpen(sql, idleHours)} and ${maySignIn(sql)} as "isUsable",
			s.last_seen_at < now() - interval '1 minute' as "isStale"
		from sessions s
		join users u on u.id = s.user_id
		where s.token_hash = any(${tokenHashes}::bytea[])
	`
}

export async function updateLastSeen(sql: Sql, tokenHash: Buffer): Promise<void> {
	await sql`
		update sessions set last_seen_at = now()
		where token_hash = ${tokenHash} and last_seen_at < now() - interval '1 minute'
	`
}

export async function deleteSession(sql: Sql, tokenHash: Buffer): Promise<void> {
	await sql`delete from sessions where token_hash = ${tokenHash}`
}

/** Returns true when a session of this user from this network address exists. A sign-in deletes the user's expired sessions. */
export async function hasSignedInFrom(sql: Sql, email: string, ip: string): Promise<boolean> {
	const rows = await sql`
		select 1
		from users u
		join sessions s on s.user_id = u.id
		where ${signsInWith(sql, email)} and s.ip = ${ip}
		limit 1
	`
	return rows.length > 0
}

export interface SessionRow {
	tokenHash: Buffer
	userAgent: string
	ip: string | null
	createdAt: Date
	lastSeenAt: Date
}

/** Returns up to 100 open sessions of a user, last seen first. */
export async function listSessions(sql: Sql, userId: number, idleHours: number): Promise<SessionRow[]> {
	return sql<SessionRow[]>`
		select token_hash as "tokenHash", user_agent as "userAgent", host(ip) as ip, created_at as "createdAt",
			last_seen_at as "lastSeenAt"
		from sessions s
		where s.user_id = ${userId} and ${isOpen(sql, idleHours)}
		order by last_seen_at desc, created_at desc
		limit 100
	`
}

/** Deletes all sessions of a user except `keep`. */
export async function deleteSessions(sql: Sql, userId: number, keep: Buffer | null): Promise<void> {
	await sql`delete from sessions where user_id = ${userId} and token_hash is distinct from ${keep}`
}
