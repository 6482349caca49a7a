import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Role } from '../contract.ts'

/** A person who may sign in, whatever their state; never one who was deleted, unless a query says so. */
export interface Member {
	id: number
	ownerId: OwnerId
	name: string
	email: string
	role: Role
	isActive: boolean
}

const member = (sql: Sql) => sql`
	u.id, u.account_id as "ownerId", u.name, u.email, u.role, u.is_active as "isActive"
`

export async function findByEmail(sql: Sql, email: string): Promise<(Member & { passwordHash: string }) | undefined> {
	const [row] = await sql<(Member & { passwordHash: string })[]>`
		select ${member(sql)}, u.password_hash as "passwordHash"
		from users u
		where lower(u.email) = lower(${email}) and u.deleted_at is null
	`
	return row
}

export async function findMember(sql: Sql, userId: number): Promise<Member | undefined> {
	const [row] = await sql<Member[]>`
		select ${member(sql)} from users u where u.id = ${userId} and u.deleted_at is null
	`
	return row
}

/** The account of a user, also of a deleted one: their money records stay. */
export async function findOwner(sql: Sql, userId: number): Promise<OwnerId | undefined> {
	const [row] = await sql<{ ownerId: OwnerId }[]>`select account_id as "ownerId" from users where id = ${userId}`
	return row?.ownerId
}

/** What the account can spend, as sign-in tells it. */
export async function getBalance(sql: Sql, owner: OwnerId): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select available_paise as paise from wallets where account_id = ${owner}
	`
	return row?.paise ?? 0
}

/** Whether this network address has held a session of this person, back to the sessions swept at their last sign-in. */
export async function hasSignedInFrom(sql: Sql, email: string, ip: string): Promise<boolean> {
	const rows = await sql`
		select 1
		from users u
		join sessions s on s.user_id = u.id
		where lower(u.email) = lower(${email}) and u.deleted_at is null and s.ip = ${ip}
		limit 1
	`
	return rows.length > 0
}

export async function hasActiveAdmin(sql: Sql): Promise<boolean> {
	const rows = await sql`select 1 from users where role = 'admin' and is_active and deleted_at is null limit 1`
	return rows.length > 0
}

/** Lets one process at a time look for the first admin and create it; until the transaction ends. */
export async function lockFirstAdmin(sql: Sql): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtext('first admin'))`
}

export async function insertMember(
	sql: Sql,
	person: { name: string; email: string; role: Role; isActive: boolean; passwordHash: string },
): Promise<Member> {
	const [account] = await sql<{ id: OwnerId }[]>`insert into accounts default values returning id`
	const [row] = await sql<Member[]>`
		insert into users as u (account_id, name, email, role, is_active, password_hash)
		values (
			${account?.id ?? null}, ${person.name}, ${person.email}, ${person.role}, ${person.isActive}, ${person.passwordHash}
		)
		returning ${member(sql)}
	`
	if (!row) throw new Error('the new user did not come back')
	return row
}

export interface NewSession {
	tokenHash: Buffer
	userId: number
	seconds: number
	userAgent: string
	ip: string
}

/** Opens a session and sweeps out the person's expired ones. */
export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
	await sql`delete from sessions where user_id = ${session.userId} and expires_at < now()`
	await sql`
		insert into sessions (token_hash, user_id, expires_at, user_agent, ip)
		values (
			${session.tokenHash}, ${session.userId}, now() + make_interval(secs => ${session.seconds}),
			${session.userAgent}, ${session.ip}
		)
	`
}

/** Who holds this token: only while it has not expired and they are active. `isStale` when last seen over a minute ago. */
export async function findSession(
	sql: Sql,
	tokenHash: Buffer,
): Promise<{ userId: number; ownerId: OwnerId; role: Role; isStale: boolean } | undefined> {
	const [row] = await sql<{ userId: number; ownerId: OwnerId; role: Role; isStale: boolean }[]>`
		select u.id as "userId", u.account_id as "ownerId", u.role,
			s.last_seen_at < now() - interval '1 minute' as "isStale"
		from sessions s
		join users u on u.id = s.user_id
		where s.token_hash = ${tokenHash} and s.expires_at > now() and u.is_active and u.deleted_at is null
	`
	return row
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
