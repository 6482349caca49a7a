import { admits, type Seat } from '#lib/endpoint.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { insertAccount } from '#lib/server/db/all-accounts.ts'
import type { Statement } from '#lib/server/statement.ts'
import type { ColleagueSeat, PasswordOrigin, Role } from '../contract.ts'

/** A user, active or not. Queries omit deleted users unless they say otherwise. */
export interface Member {
	id: number
	/** The user's own account; a colleague's stays empty. */
	accountId: AccountId
	/** The account that a colleague works in; null for owners and admins. */
	worksIn: AccountId | null
	name: string
	email: string
	role: Role
	/** The seat in the account that the user works in. */
	seat: Seat
	isActive: boolean
}

/** Returns SQL for the role of user `u`: a colleague is a user. */
export const roleOf = (sql: Sql) => sql`case when u.works_in is null then u.role else 'user' end`

/** Returns SQL for the seat of user `u` in the account of `workplaceOf`. */
export const seatOf = (sql: Sql) => sql`case when u.works_in is null then 'owner' else u.role end`

/** Returns SQL for the account that user `u` works in. */
export const workplaceOf = (sql: Sql) => sql`coalesce(u.works_in, u.account_id)`

/** Returns SQL for the name of the author of some work in an account; null while the account has had no colleague. */
export const authorName = (sql: Sql, userId: Statement) => sql`(
	select case when author.erased_at is null then author.name else 'A former colleague' end from users author
	where author.id = ${userId}
		and exists (select from users c where c.works_in = coalesce(author.works_in, author.account_id))
)`

/** Returns the SQL condition that user `u` may sign in. A colleague may while the account is in use. */
export const maySignIn = (sql: Sql) => sql`(
	u.is_active and u.deleted_at is null and (u.works_in is null or ${isInUse(sql, sql`u.works_in`)})
)`

const member = (sql: Sql) => sql`
	u.id, u.account_id as "accountId", u.works_in as "worksIn", u.name, u.email, ${roleOf(sql)} as role,
	${seatOf(sql)} as seat, u.is_active and (u.works_in is null or ${isInUse(sql, sql`u.works_in`)}) as "isActive"
`

/** `resetEmail` is the address that receives reset links. */
export type SigningIn = Member & { passwordHash: string; resetEmail: string; isEmailProved: boolean }

/**
 * Returns the user who signs in with this address, undefined without one, ignoring the case of A to Z only. PostgreSQL
 * folds more letters ("İ" to "i"), which the limits on attempts count as different addresses, so addresses that differ
 * in such letters do not match.
 */
export async function findByEmail(sql: Sql, email: string): Promise<SigningIn | undefined> {
	const [row] = await sql<SigningIn[]>`
		select ${member(sql)}, u.password_hash as "passwordHash", coalesce(${provedEmail(sql)}, u.email) as "resetEmail",
			${provedEmail(sql)} is null as "isEmailProved"
		from users u
		where ${signsInWith(sql, email)}
			and lower(${email} collate "C") in (lower(u.email collate "C"), lower(u.proved_email collate "C"))
	`
	return row
}

export async function findMember(sql: Sql, userId: number): Promise<Member | undefined> {
	const [row] = await sql<Member[]>`
		select ${member(sql)} from users u where u.id = ${userId} and u.deleted_at is null
	`
	return row
}

/** Returns a user's account, also a deleted user's, because money records remain; undefined for an unknown user. */
export async function findAccount(sql: Sql, userId: number): Promise<AccountId | undefined> {
	const [row] = await sql<{ accountId: AccountId }[]>`select account_id as "accountId" from users where id = ${userId}`
	return row?.accountId
}

/** Returns the account that a user works in, also a deleted user's; undefined for an unknown user. */
export async function findWorkplace(sql: Sql, userId: number): Promise<AccountId | undefined> {
	const [row] = await sql<{ accountId: AccountId }[]>`
		select ${workplaceOf(sql)} as "accountId" from users u where u.id = ${userId}
	`
	return row?.accountId
}

/** Returns the account's owner; undefined when deleted or switched off. */
export async function findActiveUser(sql: Sql, accountId: AccountId): Promise<{ email: string } | undefined> {
	const [row] = await sql<{ email: string }[]>`
		select email from users where account_id = ${accountId} and deleted_at is null and is_active
	`
	return row
}

/** Function that returns SQL for all wallets: a relation of `account_id` and `available_paise`. The app supplies it. */
export type Balances = (sql: Sql) => Statement

/** Returns the account's available balance in paise; 0 without a wallet. */
export async function getBalance(sql: Sql, accountId: AccountId, balances: Balances): Promise<number> {
	const [row] = await sql<{ paise: number }[]>`
		select available_paise as paise from ${balances(sql)} w where account_id = ${accountId}
	`
	return row?.paise ?? 0
}

/** Returns the balance that a user sees: that of the account they work in, and 0 for agents, who see no money. */
export async function getShownBalance(
	sql: Sql,
	{ accountId, worksIn, ...person }: Pick<Member, 'accountId' | 'worksIn' | 'role' | 'seat'>,
	balances: Balances,
): Promise<number> {
	if (!admits('admin-or-manager', person)) return 0
	return getBalance(sql, worksIn ?? accountId, balances)
}

export async function hasActiveAdmin(sql: Sql): Promise<boolean> {
	const rows = await sql`select 1 from users where role = 'admin' and is_active and deleted_at is null limit 1`
	return rows.length > 0
}

/** Locks the creation of the first admin until the transaction ends, so that one process at a time attempts it. */
export async function lockFirstAdmin(sql: Sql): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtext('first admin'))`
}

export interface NewMember {
	name: string
	email: string
	isActive: boolean
	passwordHash: string
	from: PasswordOrigin
	/** A colleague has the seat in `worksIn`. */
	role: Role | ColleagueSeat
	/** The account that a colleague works in; null for owners and admins. */
	worksIn: AccountId | null
}

/** Stores a user with an own account, which stays empty for a colleague. */
export async function insertMember(sql: Sql, person: NewMember): Promise<Member> {
	const accountId = await insertAccount(sql)
	const [row] = await sql<{ id: number }[]>`
		insert into users (account_id, works_in, name, email, role, is_active, password_hash, password_from)
		values (
			${accountId}, ${person.worksIn}, ${person.name}, ${person.email}, ${person.role}, ${person.isActive},
			${person.passwordHash}, ${person.from}
		)
		returning id
	`
	// Citus refuses the subquery of a member's columns in the statement that inserts.
	const stored = row && (await findMember(sql, row.id))
	if (!stored) throw new Error('the new user did not come back')
	return stored
}

/** Stores a password that the user has chosen. */
export async function updatePassword(sql: Sql, userId: number, passwordHash: string): Promise<void> {
	await sql`update users set password_hash = ${passwordHash}, password_from = 'self' where id = ${userId} and deleted_at is null`
}

/** Replaces the password hash. Returns false when the current hash has changed. */
export async function replacePassword(
	sql: Sql,
	userId: number,
	{ currentHash, hash }: { currentHash: string; hash: string },
): Promise<boolean> {
	const rows = await sql`
		update users set password_hash = ${hash}, password_from = 'self'
		where id = ${userId} and deleted_at is null and password_hash = ${currentHash}
		returning 1
	`
	return rows.length > 0
}

/** Returns true for an active user who has not chosen a password yet. */
export async function waitsForPassword(sql: Sql, userId: number): Promise<boolean> {
	const rows = await sql`
		select 1 from users where id = ${userId} and password_from = 'nobody' and is_active and deleted_at is null
	`
	return rows.length > 0
}

export async function findPasswordHash(sql: Sql, userId: number): Promise<string | undefined> {
	const [row] = await sql<{ hash: string }[]>`
		select password_hash as hash from users where id = ${userId} and deleted_at is null
	`
	return row?.hash
}

/** Returns a deleted owner or admin whose data is not erased yet; undefined for any other user. */
export async function findDeletedMember(sql: Sql, userId: number): Promise<Member | undefined> {
	const [row] = await sql<Member[]>`
		select ${member(sql)} from users u
		where u.id = ${userId} and u.works_in is null and u.deleted_at is not null and u.erased_at is null
	`
	return row
}

/** Hides the user, which also frees the user's addresses. */
export async function hideUser(sql: Sql, userId: number): Promise<void> {
	await sql`update users set deleted_at = now() where id = ${userId}`
}

/** Counts the colleagues in an account, invited ones included. */
export async function countColleagues(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from users where works_in = ${accountId} and deleted_at is null
	`
	return row?.total ?? 0
}

/**
 * Hides the colleagues in an account who were invited at `since` or later; all when `since` is null. Returns the ids of their
 * users.
 */
export async function hideColleagues(sql: Sql, accountId: AccountId, since: Date | null): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		update users set deleted_at = now()
		where works_in = ${accountId} and deleted_at is null and (${since}::timestamptz is null or created_at >= ${since})
		returning id
	`
	return rows.map(({ id }) => id)
}

export async function updateSeat(sql: Sql, userId: number, seat: ColleagueSeat): Promise<void> {
	await sql`update users set role = ${seat} where id = ${userId} and works_in is not null`
}

export async function updateUser(
	sql: Sql,
	userId: number,
	user: { name: string; role: Role; isActive: boolean } & Record<
		'businessName' | 'businessAddress' | 'businessState' | 'gstin',
		string
	>,
): Promise<void> {
	await sql`
		update users
		set name = ${user.name}, role = case when works_in is null then ${user.role} else role end, is_active = ${user.isActive},
			business_name = ${user.businessName || null}, business_address = ${user.businessAddress || null},
			business_state = ${user.businessState || null}, gstin = ${user.gstin || null}
		where id = ${userId}
	`
}

/** Locks changes of sign-in addresses until the transaction ends, so that only one runs at a time. */
export async function lockUsers(sql: Sql): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtext('users'))`
}

export const provedEmail = (sql: Sql) => sql`case when u.email_unproved_until > now() then u.proved_email end`

/**
 * Returns the SQL condition that user `u` signs in with this address, the current one or the one before an unproved
 * change.
 */
export const signsInWith = (sql: Sql, email: string) => sql`
	u.deleted_at is null
	and (lower(u.email) = lower(${email}) or (lower(u.proved_email) = lower(${email}) and u.email_unproved_until > now()))
`

/**
 * Stops a user's counted links now for `reason`, or resumes them when `reason` is null. Returns the time of the stop;
 * null after resuming.
 */
export async function updateLinks(sql: Sql, userId: number, reason: string | null): Promise<Date | null> {
	const [row] = await sql<{ at: Date | null }[]>`
		update users
		set links_stopped_at = ${reason === null ? sql`null` : sql`now()`}, links_stopped_reason = ${reason}
		where id = ${userId}
		returning links_stopped_at as at
	`
	return row?.at ?? null
}

/** Returns the SQL condition that user `u` has a confirmed second factor. */
export const hasSecondFactor = (sql: Sql) => sql`
	exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
`

/**
 * Returns the SQL condition that the account has an active owner who is not deleted and not an admin. The product sends
 * nothing for other accounts.
 */
export const isInUse = (sql: Sql, account: Statement) => sql`
	exists (
		select 1 from users owners
		where owners.account_id = ${account} and owners.role = 'user' and owners.is_active and owners.deleted_at is null
	)
`

/** Returns the SQL condition that an administrator has stopped the account's counted links. */
export const hasStoppedLinks = (sql: Sql, account: Statement) => sql`
	exists (select 1 from users u where u.account_id = ${account} and u.links_stopped_at is not null)
`

export async function isAccountInUse(sql: Sql, accountId: AccountId): Promise<boolean> {
	const rows = await sql`select 1 where ${isInUse(sql, sql`${accountId}`)}`
	return rows.length > 0
}
