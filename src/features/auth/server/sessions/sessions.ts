import { authPaths } from '#features/auth/paths.ts'
import { problem } from '#features/auth/problems.ts'
import { AppError } from '#lib/app-error.ts'
import { tooManyAttempts } from '#lib/problems.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { retryDeadlocks } from '#lib/server/db/deadlocks.ts'
import type { Backoff } from '#lib/server/http/backoff.ts'
import { CredentialLookups } from '#lib/server/http/credential-lookups.ts'
import type { Session } from '#lib/server/http/http.ts'
import { networkOf } from '#lib/server/http/network.ts'
import { randomToken, sha256, type Vault } from '#lib/server/secrets.ts'
import { isPassword } from '../password-hash.ts'
import * as queries from '../queries.ts'
import type { Member } from '../queries.ts'
import { findSecondFactor } from '../second-factor-queries.ts'
import { recordFailedSignIn, recordSignIn } from './activity.ts'
import { makeChallenge } from './challenge.ts'
import type { FailureLimit } from './failure-limit.ts'
import * as sessionQueries from './session-queries.ts'
import type { FoundSession } from './session-queries.ts'

const HOUR_SECONDS = 3600
const REMEMBERED_SECONDS = 30 * 24 * HOUR_SECONDS
const STANDARD_SECONDS = 12 * HOUR_SECONDS

const TOKEN = /^[\w-]{43}$/

/**
 * Function that returns the session of a token sent from `network`; null when the token is unknown or expired or its
 * user may not sign in.
 */
export type SessionGate = (token: string, network: string) => Promise<Session | null>

export function createSessionGate({
	db,
	env,
}: {
	db: Db
	env: { REQUIRE_ADMIN_TOTP: boolean; SESSION_IDLE_HOURS: number }
}): SessionGate {
	const lookups = new CredentialLookups<Buffer, FoundSession>({
		async look(tokenHashes) {
			const rows = await sessionQueries.findSessions(db, { tokenHashes, idleHours: env.SESSION_IDLE_HOURS })
			const found = new Map(rows.map((row) => [row.tokenHash.toString('base64'), row.isUsable ? row : null]))
			return tokenHashes.map((hash) => found.get(hash.toString('base64')))
		},
		async onFound({ isStale }, tokenHash) {
			// Ignores a failed write: on Citus, every node holds the sessions, so they can be read but not written while one
			// node is down.
			if (isStale) await sessionQueries.updateLastSeen(db, tokenHash).catch(() => {})
		},
	})
	return async (token, network) => {
		if (!TOKEN.test(token)) return null
		const hash = sha256(token)
		const found = await lookups.find(hash.toString('base64'), hash, network)
		if (!found) return null
		const { userId, role, seat, accountId, tokenHash, hasSecondFactor } = found
		const lacksFactor = env.REQUIRE_ADMIN_TOTP && role === 'admin' && !hasSecondFactor
		return { userId, role, seat, accountId, tokenHash, mustSetUp: lacksFactor ? authPaths.secondFactor : undefined }
	}
}

/** Opens a session. Returns the token, which is stored only as a hash. */
export async function openSession(
	sql: Sql,
	userId: number,
	session: { remember: boolean; userAgent: string; ip: string },
): Promise<string> {
	const token = randomToken()
	const accountId = await queries.findAccount(sql, userId)
	if (accountId !== undefined) await recordSignIn(sql, accountId, session)
	await sessionQueries.insertSession(sql, {
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

interface LoginGuard {
	/** Limits the failures of one network address, for any accounts. */
	failures: FailureLimit
	/** Counts the attempts of one network address for one account. */
	byAddress: Backoff
	/** Counts the attempts of all network addresses for one account. */
	byAccount: Backoff
}

/** Log entry of a failed attempt: the user of the typed address, or the address when no user has it. */
export interface FailedSignIn {
	userId?: number
	account?: AccountId
	email?: string
	reason: string
}

export interface OpenedSession {
	token: string
	member: Member
}

interface LoginContext {
	db: Db
	vault: Vault
	guard: LoginGuard
	onFailed(failed: FailedSignIn): void
}

/** Signs a user in. Counts a failed attempt against the network address. */
export async function login(context: LoginContext, attempt: Login): Promise<OpenedSession> {
	const { failures } = context.guard
	refuseUntil(failures.begin(networkOf(attempt.ip)))
	let hasFailed = false
	try {
		return await signIn(context, attempt)
	} catch (error) {
		// A right password is not a guess, and a failure of the database is not the caller's fault.
		hasFailed = error instanceof AppError && error.status !== 403 && error.code !== 'second_step_needed'
		throw error
	} finally {
		failures.end(networkOf(attempt.ip), hasFailed)
	}
}

/**
 * Checks the password and opens a session. Throws 401 for a wrong password, an unknown address (after the same time) or
 * a second factor, and 403 for an inactive account.
 */
async function signIn(context: LoginContext, attempt: Login): Promise<OpenedSession> {
	const { db, vault, guard, onFailed } = context
	await slowDown(db, guard, attempt)
	const found = await queries.findByEmail(db, attempt.email)
	const { remember = false, userAgent, ip } = attempt
	const noteFailure = (outcome: 'wrong-password' | 'inactive') => {
		if (!found) return onFailed({ email: attempt.email, reason: 'unknown-address' })
		recordFailedSignIn(db, found.accountId, { outcome, userAgent, ip })
		onFailed({ userId: found.id, account: found.accountId, reason: outcome })
	}
	if (!(await isPassword(attempt.password, found?.passwordHash)) || !found) {
		noteFailure('wrong-password')
		throw problem('sign_in_refused')
	}
	guard.byAddress.clear(addressKey(attempt))
	guard.byAccount.clear(attempt.email.toLowerCase())
	if (!found.isActive) {
		noteFailure('inactive')
		throw problem('account_inactive')
	}
	const factor = await findSecondFactor(db, found.id)
	if (factor?.isConfirmed) throw problem('second_step_needed', { challenge: makeChallenge(vault, found, remember) })
	const token = await retryDeadlocks(() => openSession(db, found.id, { remember, userAgent, ip }))
	return { token, member: found }
}

/**
 * Throws 429 while an attempt has to wait. Guesses from one address delay only that address; guesses from many delay all
 * addresses from which the user has not signed in before.
 */
async function slowDown(db: Db, { byAddress, byAccount }: LoginGuard, attempt: Login): Promise<void> {
	const here = byAddress.attempt(addressKey(attempt))
	const all = here > 0 ? 0 : byAccount.attempt(attempt.email.toLowerCase())
	const wait = all > 0 && (await sessionQueries.hasSignedInFrom(db, attempt.email, attempt.ip)) ? 0 : here + all
	refuseUntil(wait)
}

function refuseUntil(waitSeconds: number): void {
	if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
}

function addressKey({ email, ip }: Login): string {
	return `${networkOf(ip)} ${email.toLowerCase()}`
}

export async function logout(sql: Sql, session: Session): Promise<void> {
	await sessionQueries.deleteSession(sql, session.tokenHash)
}

/** Ends a user's sessions, except `keep`. Closes the live streams of these sessions when the transaction commits. */
export async function endSessions(sql: Sql, userId: number, keep: Buffer | null): Promise<void> {
	await sessionQueries.deleteSessions(sql, userId, keep)
	const accountId = await queries.findWorkplace(sql, userId)
	if (accountId !== undefined) announceLive(sql, accountId, { kind: 'session' })
}
