import { problem } from '#features/auth/problems.ts'
import { AppError } from '#lib/app-error.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { addressOf } from '#lib/server/http/http.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import type { Log } from '#lib/server/log.ts'
import {
	MAX_COLLEAGUES,
	type AdminActionKind,
	type ColleagueSeat,
	type PasswordOrigin,
	type Role,
} from '../contract.ts'
import { SEAT_NAMES } from '../seat-names.ts'
import type { WorkKind } from '../work-contract.ts'
import { insertAdminAction } from './audit-queries.ts'
import { inviteMailJob } from './mails.ts'
import { hashNothing, hashPassword } from './password-hash.ts'
import type { PasswordPolicy } from './password-policy.ts'
import { endAccess, refuseTakenEmail } from './passwords/sign-in-changes.ts'
import type { AccountPrograms } from './programs.ts'
import { lockUsers, type Member } from './queries.ts'
import * as queries from './queries.ts'
import { deleteSecondFactor } from './second-factor-queries.ts'
import { mailPerson, queueMail, type SecurityMail } from './security-mails.ts'
import { findSessions } from './sessions/session-queries.ts'
import { insertWork } from './work-queries.ts'

/** The acting admin, or the owner who changes colleagues, with the network address of the call. */
export interface Actor {
	adminId: number
	ip: string
}

/** Returns the actor of an admin's call for the audit trail. */
export function actorOf(call: { session: { userId: number }; request: Parameters<typeof addressOf>[0] }): Actor {
	return { adminId: call.session.userId, ip: addressOf(call.request) }
}

/**
 * Adds an entry to the audit trail in the transaction of the recorded action. `details` never holds a password, token or
 * secret.
 */
export function recordAdminAction(
	sql: Sql,
	actor: Actor,
	entry: { action: AdminActionKind; subjectId?: number; details?: string },
): Promise<void> {
	return insertAdminAction(sql, { actorId: actor.adminId, ip: actor.ip, ...entry })
}

/**
 * Records what a person did in their account, in the transaction of the action. `details` names what it concerned, such as a
 * campaign, and never a customer.
 */
export function recordWork(
	sql: Sql,
	accountId: AccountId,
	done: { by: number; action: WorkKind; details?: string },
): Promise<void> {
	return insertWork(sql, accountId, done)
}

/** Records what the product did on its own for a user's account, in the transaction of the change. */
export function recordSystemAction(
	sql: Sql,
	{ userId, action, details }: { userId: number; action: AdminActionKind; details: string },
): Promise<void> {
	return insertAdminAction(sql, { actorId: userId, subjectId: userId, action, details, ip: null })
}

/** A change of an own account. `isMailed` queues the mail about the change to the user's proved address. */
type OwnChange =
	| { action: AdminActionKind; details?: string; isMailed?: false }
	| { action: AdminActionKind & SecurityMail; details?: string; isMailed: true }

/** Records a user's change of their own account in the audit trail, in the transaction of the change. */
export async function recordOwnChange(
	sql: Sql,
	{ userId, ip }: { userId: number; ip: string },
	change: OwnChange,
): Promise<void> {
	const { isMailed: _, ...entry } = change
	await insertAdminAction(sql, { actorId: userId, subjectId: userId, ip, ...entry })
	if (change.isMailed) await mailPerson(sql, userId, change.action)
}

/** Records that an admin downloaded a deleted user's data, and queues the mail to the user's former address. */
export async function recordDownload(sql: Sql, actor: Actor, deleted: Pick<Member, 'id' | 'email'>): Promise<void> {
	await recordAdminAction(sql, actor, { action: 'data-downloaded', subjectId: deleted.id })
	await queueMail(sql, deleted.email, 'data-downloaded')
}

/**
 * Deletes a lost second factor for an admin and ends the user's sessions; the user then signs in by password. Throws 409 when
 * the user has none.
 */
export async function takeSecondFactorAway(sql: Sql, actor: Actor, userId: number): Promise<void> {
	if (!(await deleteSecondFactor(sql, userId))) throw problem('second_factor_missing')
	await endAccess(sql, userId)
	await recordAdminAction(sql, actor, { action: 'second-factor-reset', subjectId: userId })
	await mailPerson(sql, userId, 'second-factor-reset')
}

/** Returns true for the token of an open session whose user may sign in. */
export async function isSessionUsable(
	sql: Sql,
	{ tokenHash, idleHours }: { tokenHash: Buffer; idleHours: number },
): Promise<boolean> {
	const [session] = await findSessions(sql, { tokenHashes: [tokenHash], idleHours })
	return session?.isUsable ?? false
}

/** Creates the rows of other features for a new account, in the same transaction. The app supplies it. */
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

/** Creates a user with an account and the rows of other features for it, in one transaction. */
export async function createUser(context: AccountContext, person: NewUser, actor?: Actor): Promise<Member> {
	const passwordHash = await hashPassword(person.password, { policy: context.env.PASSWORD_POLICY, person })
	return retriedTransaction(context.db, async (sql) => {
		const from = actor ? 'admin' : 'self'
		const member = await addMember(sql, context, { ...person, passwordHash, from })
		if (actor) {
			const details = `role: ${member.role}${member.isActive ? '' : ', inactive'}`
			await recordAdminAction(sql, actor, { action: 'user-created', subjectId: member.id, details })
		}
		return member
	})
}

/** Creates an active user without a password, and queues the mail with the link to choose one. */
export async function inviteUser(
	context: AccountContext,
	person: Pick<NewUser, 'name' | 'email' | 'role'>,
	actor: Actor,
): Promise<Member> {
	const passwordHash = await hashNothing()
	return retriedTransaction(context.db, async (sql) => {
		const member = await addMember(sql, context, { ...person, isActive: true, passwordHash, from: 'nobody' })
		const details = `role: ${member.role}, link to set the password emailed`
		await recordAdminAction(sql, actor, { action: 'user-created', subjectId: member.id, details })
		await addJobs(sql, inviteMailJob, [{ userId: member.id }])
		return member
	})
}

/**
 * Creates a colleague without a password, and queues the mails: to the colleague with the link to choose one, and to the owner,
 * who is `actor`. Throws 409 for a taken address or a full account.
 */
export async function inviteColleague(
	db: Db,
	accountId: AccountId,
	{ actor, person }: { actor: Actor; person: { name: string; email: string; seat: ColleagueSeat } },
): Promise<void> {
	const { name, email, seat } = person
	const unset = { passwordHash: await hashNothing(), from: 'nobody', isActive: true } as const
	await retriedTransaction(db, async (sql) => {
		await lockUsers(sql)
		const colleagues = await queries.countColleagues(sql, accountId)
		if (colleagues >= MAX_COLLEAGUES) throw problem('colleagues_full', { most: MAX_COLLEAGUES })
		await refuseTakenEmail(sql, email, null)
		const { id } = await queries.insertMember(sql, { name, email, role: seat, worksIn: accountId, ...unset })
		await recordAdminAction(sql, actor, { action: 'colleague-invited', subjectId: id, details: SEAT_NAMES[seat] })
		await addJobs(sql, inviteMailJob, [{ userId: id }])
		await mailPerson(sql, actor.adminId, 'colleague-invited')
	})
}

/** Queues the invitation again. Throws 404 for an unknown user, 409 for an inactive one or one with a password. */
export async function inviteAgain(db: Db, userId: number, actor: Actor): Promise<void> {
	await transaction(db, async (sql) => {
		if (!(await queries.findMember(sql, userId))) throw notFound('User')
		if (!(await queries.waitsForPassword(sql, userId))) throw problem('password_set_already')
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

/**
 * Creates the admin of ADMIN_EMAIL and ADMIN_PASSWORD unless an active admin exists or one of the two is missing; of
 * several processes, one creates it. Throws when the address or the password cannot be used.
 */
export async function ensureFirstAdmin(context: FirstAdminContext): Promise<void> {
	const { db, env, log } = context
	const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env
	if (await queries.hasActiveAdmin(db)) return warnOfOtherAdmin(context)
	if (!email || !password) {
		// The demo creates an admin of its own.
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

/**
 * Logs a warning when ADMIN_EMAIL does not name an active admin, because the administrator expects to sign in with it.
 */
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
	const member = await queries.insertMember(sql, { ...person, worksIn: null })
	await context.onAccountCreated(sql, member.accountId, { role: member.role })
	return member
}

/** Returns an owner or admin by id. Throws 404 for an unknown or deleted user, and for a colleague, whose account is empty. */
export async function getMember(sql: Sql, userId: string): Promise<Member> {
	const member = await queries.findMember(sql, Number(userId))
	if (!member || member.worksIn !== null) throw notFound('User')
	return member
}

/** Returns a user's account, also a deleted user's, because money records remain. Throws 404 for an unknown user. */
export async function getAccount(sql: Sql, userId: string): Promise<AccountId> {
	const accountId = await queries.findAccount(sql, Number(userId))
	if (!accountId) throw notFound('User')
	return accountId
}
