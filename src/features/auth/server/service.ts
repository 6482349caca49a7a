import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import type { Session } from '#lib/server/http.ts'
import { randomToken, sha256 } from '#lib/server/secrets.ts'
import { violates } from '#lib/server/violations.ts'
import type { Role } from '../contract.ts'
import type { Backoff } from './backoff.ts'
import { hashPassword, isPassword } from './passwords.ts'
import * as queries from './queries.ts'
import type { Member } from './queries.ts'

export type { Member }

const HOUR_SECONDS = 3600
const REMEMBERED_SECONDS = 30 * 24 * HOUR_SECONDS
const STANDARD_SECONDS = 12 * HOUR_SECONDS

/** Gives a new account what other features keep for it, in the transaction that creates it. Composed by the app. */
export type OnAccountCreated = (sql: Sql, owner: OwnerId, account: { role: Role }) => Promise<void>

export interface AccountContext {
	db: Db
	onAccountCreated: OnAccountCreated
}

export interface NewUser {
	name: string
	email: string
	password: string
	role: Role
	isActive: boolean
}

/** The session gate: who holds this token, or null when it is unknown, expired or its user may no longer sign in. */
export async function findSession(db: Db, token: string): Promise<Session | null> {
	const tokenHash = sha256(token)
	const found = await queries.findSession(db, tokenHash)
	if (!found) return null
	if (found.isStale) await queries.updateLastSeen(db, tokenHash)
	return { userId: found.userId, role: found.role, ownerId: found.ownerId, tokenHash }
}

/** Opens a session; the token is returned once and kept nowhere but as its hash. */
export async function openSession(
	sql: Sql,
	userId: number,
	session: { remember: boolean; userAgent: string; ip: string },
): Promise<string> {
	const token = randomToken()
	await queries.insertSession(sql, {
		tokenHash: sha256(token),
		userId,
		seconds: session.remember ? REMEMBERED_SECONDS : STANDARD_SECONDS,
		userAgent: session.userAgent.slice(0, 300),
		ip: session.ip,
	})
	return token
}

export interface Login {
	email: string
	password: string
	remember?: boolean | undefined
	userAgent: string
	ip: string
}

/** Signs in. An unknown address and a wrong password cannot be told apart, neither by the answer nor by its time. */
export async function login(
	context: { db: Db; backoff: Backoff },
	attempt: Login,
): Promise<{ token: string; member: Member; balancePaise: number }> {
	const wait = context.backoff.attempt(attempt.email)
	// The owner at an address they have signed in from before is not kept waiting by whoever guesses elsewhere.
	if (wait > 0 && !(await queries.hasSignedInFrom(context.db, attempt.email, attempt.ip))) {
		throw new AppError(429, `Too many attempts. Please try again in ${wait} seconds.`)
	}
	const found = await queries.findByEmail(context.db, attempt.email)
	if (!(await isPassword(attempt.password, found?.passwordHash)) || !found) {
		throw new AppError(401, 'Invalid email or password')
	}
	context.backoff.clear(attempt.email)
	if (!found.isActive) throw new AppError(403, 'Your account is inactive. Please contact your administrator.')
	const token = await openSession(context.db, found.id, {
		remember: attempt.remember === true,
		userAgent: attempt.userAgent,
		ip: attempt.ip,
	})
	return { token, member: found, balancePaise: await queries.getBalance(context.db, found.ownerId) }
}

export async function logout(sql: Sql, session: Session): Promise<void> {
	await queries.deleteSession(sql, session.tokenHash)
}

/** Creates a person with an account of their own and all that belongs to a new account, or nothing. */
export async function createUser(context: AccountContext, person: NewUser): Promise<Member> {
	const passwordHash = await hashPassword(person.password)
	return transaction(context.db, (sql) => addMember(sql, context, { ...person, passwordHash })).catch(explain)
}

/** Creates the admin whom the configuration names, when there is no active admin yet, however many processes start at once. */
export async function ensureFirstAdmin(
	context: AccountContext & { env: { ADMIN_EMAIL?: string | undefined; ADMIN_PASSWORD?: string | undefined } },
): Promise<void> {
	const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = context.env
	if (!email || !password || (await queries.hasActiveAdmin(context.db))) return
	const passwordHash = await hashPassword(password)
	await transaction(context.db, async (sql) => {
		await queries.lockFirstAdmin(sql)
		if (await queries.hasActiveAdmin(sql)) return
		await addMember(sql, context, { name: 'Admin', email, role: 'admin', isActive: true, passwordHash })
	}).catch(explain)
}

async function addMember(
	sql: Sql,
	context: AccountContext,
	person: Omit<NewUser, 'password'> & { passwordHash: string },
): Promise<Member> {
	const member = await queries.insertMember(sql, person)
	await context.onAccountCreated(sql, member.ownerId, { role: member.role })
	return member
}

function explain(error: unknown): never {
	if (violates(error, 'users_email')) throw new AppError(409, 'A user with this email already exists')
	throw error
}

/** The person with this id; deleted ones are not found. */
export async function getMember(sql: Sql, userId: string): Promise<Member> {
	const member = await queries.findMember(sql, Number(userId))
	if (!member) throw notFound('User')
	return member
}

/** The account of the person with this id, also of a deleted one: their money records stay. */
export async function getOwner(sql: Sql, userId: string): Promise<OwnerId> {
	const owner = await queries.findOwner(sql, Number(userId))
	if (!owner) throw notFound('User')
	return owner
}
