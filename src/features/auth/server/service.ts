import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import { addressOf } from '#lib/server/http/http.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import type { Log } from '#lib/server/log.ts'
import type { AdminActionKind, PasswordOrigin, Role } from '../contract.ts'
import { insertAdminAction } from './audit-queries.ts'
import { lockUsers } from './email-change-queries.ts'
import { inviteMailJob } from './mails.ts'
import { hashNothing, hashPassword } from './password-hash.ts'
import type { PasswordPolicy } from './password-policy.ts'
import { refuseTakenEmail } from './passwords/email-change-service.ts'
import type { AccountPrograms } from './programs.ts'
import * as queries from './queries.ts'
import type { Member } from './queries.ts'

/** The admin who does something, and the network address they do it from. */
export interface Actor {
	adminId: number
	ip: string
}

/** Who a call of an admin is to be written down as. */
export function actorOf(call: { session: { userId: number }; request: Parameters<typeof addressOf>[0] }): Actor {
	return { adminId: call.session.userId, ip: addressOf(call.request) }
}

/** Adds a line to the audit trail in the transaction of what it records. `details` never holds a password, token or secret. */
export function recordAdminAction(
	sql: Sql,
	actor: Actor,
	entry: { action: AdminActionKind; subjectId: number; details?: string },
): Promise<void> {
	return insertAdminAction(sql, { actorId: actor.adminId, ip: actor.ip, ...entry })
}

/** Adds to the audit trail what a person changes of their own account, in the transaction that does. */
export function recordOwnChange(
	sql: Sql,
	person: { userId: number; ip: string },
	change: { action: AdminActionKind; details?: string },
): Promise<void> {
	const { userId, ip } = person
	return insertAdminAction(sql, { actorId: userId, subjectId: userId, ip, ...change })
}

/** Gives a new account what other features keep for it, in the transaction that creates it. Composed by the app. */
export type OnAccountCreated = (sql: Sql, accountId: AccountId, account: { role: Role }) => Promise<void>

export interface AccountContext {
	db: Db
	programs: AccountPrograms
	env: { PASSWORD_POLICY: PasswordPolicy }
	onAccountCreated: OnAccountCreated
}

export interface NewUser {
	name: string
	email: string
	password: string
	role: Role
	isActive: boolean
}

/** Creates a person with an account of their own and all that belongs to a new account, or nothing. */
export async function createUser(context: AccountContext, person: NewUser, actor?: Actor): Promise<Member> {
	const passwordHash = await hashPassword(person.password, { policy: context.env.PASSWORD_POLICY, person })
	return retriedTransaction(context.db, async (sql) => {
		const from = actor ? 'admin' : 'self'
		const member = await addMember(sql, context, { ...person, passwordHash, from })
		if (actor) {
			const details = `as ${member.role}${member.isActive ? '' : ', inactive'}`
			await recordAdminAction(sql, actor, { action: 'user-created', subjectId: member.id, details })
		}
		return member
	})
}

/** Creates an active person whose password nobody knows, and has a link mailed by which they choose one. */
export async function inviteUser(
	context: AccountContext,
	person: Pick<NewUser, 'name' | 'email' | 'role'>,
	actor: Actor,
): Promise<Member> {
	const passwordHash = await hashNothing()
	return retriedTransaction(context.db, async (sql) => {
		const member = await addMember(sql, context, { ...person, isActive: true, passwordHash, from: 'nobody' })
		const details = `as ${member.role}, with a link to choose the password`
		await recordAdminAction(sql, actor, { action: 'user-created', subjectId: member.id, details })
		await addJobs(sql, inviteMailJob, [{ userId: member.id }])
		return member
	})
}

/** Has the link mailed once more, as when the first mail was lost or its three days have passed. */
export async function inviteAgain(db: Db, userId: number, actor: Actor): Promise<void> {
	await transaction(db, async (sql) => {
		if (!(await queries.findMember(sql, userId))) throw notFound('User')
		if (!(await queries.waitsForPassword(sql, userId)))
			throw new AppError(409, 'This user is inactive or has a password already')
		await recordAdminAction(sql, actor, { action: 'password-link-mailed', subjectId: userId })
		await addJobs(sql, inviteMailJob, [{ userId }])
	})
}

interface FirstAdminContext extends AccountContext {
	env: AccountContext['env'] & {
		NODE_ENV: string
		ADMIN_EMAIL?: string | undefined
		ADMIN_PASSWORD?: string | undefined
	}
	log: Pick<Log, 'warn'>
}

/** Creates the admin whom the configuration names, when there is no active admin yet, however many processes start at once. */
export async function ensureFirstAdmin(context: FirstAdminContext): Promise<void> {
	const { db, env, log } = context
	const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env
	if (await queries.hasActiveAdmin(db)) return warnOfOtherAdmin(context)
	if (!email || !password) {
		// The demo brings an admin of its own.
		if (email || password || env.NODE_ENV === 'production')
			log.warn('there is no active admin: set both ADMIN_EMAIL and ADMIN_PASSWORD and start again to create one')
		return
	}
	const admin = { name: 'Admin', email, role: 'admin', isActive: true } as const
	const rules = { policy: env.PASSWORD_POLICY, person: admin }
	const passwordHash = await hashPassword(password, rules).catch((error: unknown) => {
		throw error instanceof AppError ? new Error(`ADMIN_PASSWORD cannot be used: ${error.message}`) : error
	})
	await transaction(db, async (sql) => {
		await queries.lockFirstAdmin(sql)
		if (await queries.hasActiveAdmin(sql)) return
		await addMember(sql, context, { ...admin, passwordHash, from: 'self' })
	}).catch((error: unknown) => {
		if (!(error instanceof AppError)) throw error
		throw new Error(
			'ADMIN_EMAIL is the address of a user who is no active admin, so the first admin cannot be created with it: set another address',
		)
	})
}

/** Whoever sets ADMIN_EMAIL expects to sign in with it: the log says why they cannot. */
async function warnOfOtherAdmin({ db, env, log }: FirstAdminContext): Promise<void> {
	if (!env.ADMIN_EMAIL) return
	const named = await queries.findByEmail(db, env.ADMIN_EMAIL)
	if (named?.role === 'admin' && named.isActive) return
	log.warn(
		'ADMIN_EMAIL was not made an admin: it only names the first one, and there is an active admin already. ' +
			'That admin can create others in User Create.',
	)
}

async function addMember(
	sql: Sql,
	context: AccountContext,
	person: Omit<NewUser, 'password'> & { passwordHash: string; from: PasswordOrigin },
): Promise<Member> {
	await lockUsers(sql)
	await refuseTakenEmail(sql, person.email, null)
	const member = await queries.insertMember(sql, person)
	await context.onAccountCreated(sql, member.accountId, { role: member.role })
	return member
}

/** The person with this id; deleted ones are not found. */
export async function getMember(sql: Sql, userId: string): Promise<Member> {
	const member = await queries.findMember(sql, Number(userId))
	if (!member) throw notFound('User')
	return member
}

/** The account of the person with this id, also of a deleted one: their money records stay. */
export async function getAccount(sql: Sql, userId: string): Promise<AccountId> {
	const accountId = await queries.findAccount(sql, Number(userId))
	if (!accountId) throw notFound('User')
	return accountId
}
