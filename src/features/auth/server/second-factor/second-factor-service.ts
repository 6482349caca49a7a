import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODES, type SecondFactorState } from '#features/auth/contract.ts'
import { problem } from '#features/auth/problems.ts'
import { AppError } from '#lib/app-error.ts'
import { unauthenticated } from '#lib/problems.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import type { Backoff } from '#lib/server/http/backoff.ts'
import type { Session } from '#lib/server/http/http.ts'
import { reencrypt, type Reencrypted } from '#lib/server/reencrypt.ts'
import { sha256, type Vault } from '#lib/server/secrets.ts'
import { insertAdminAction } from '../audit-queries.ts'
import { provePassword, slowDown } from '../passwords/sign-in-changes.ts'
import * as queries from '../queries.ts'
import * as factors from '../second-factor-queries.ts'
import { mailPerson } from '../security-mails.ts'
import { endSessions } from '../sessions/sessions.ts'

const ISSUER = 'WhatsApp Bulk Message'
const PERIOD_SECONDS = 30
/** Number of time steps before and after the current one whose codes are accepted, because phone clocks differ. */
const WINDOW = 1
/** Length of a secret in bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/**
 * Letters of a recovery code, five bits each, without letters that look alike. A code has 120 bits, so a plain hash protects
 * it.
 */
const RECOVERY_LETTERS = 'abcdefghjkmnpqrstuvwxyz123456789'
const RECOVERY_LENGTH = 24

export interface SecondFactorContext {
	db: Db
	vault: Vault
	/** Slows down guesses at passwords. */
	passwordBackoff: Backoff
	/** Slows down guesses at codes. */
	codeBackoff: Backoff
	env: { REQUIRE_ADMIN_TOTP: boolean }
}

type Caller = Session & { ip: string }

export async function readSecondFactor(
	{ db, env }: SecondFactorContext,
	{ userId, role }: Session,
): Promise<SecondFactorState> {
	const factor = await factors.findSecondFactor(db, userId)
	const isOn = factor?.isConfirmed ?? false
	const recoveryCodesLeft = isOn ? await factors.countRecoveryCodes(db, userId) : 0
	return { isOn, isRequired: env.REQUIRE_ADMIN_TOTP && role === 'admin', recoveryCodesLeft }
}

/**
 * Creates a secret for the user's authenticator app; throws 400 for a wrong password and 409 when the factor is on.
 * Sign-in asks for codes only after `confirmSecondFactor` has proved that the app has the secret.
 */
export async function startSecondFactor(
	{ db, vault, passwordBackoff }: SecondFactorContext,
	{ userId }: Session,
	currentPassword: string,
): Promise<{ secret: string; uri: string }> {
	await provePassword({ db, backoff: passwordBackoff }, userId, currentPassword)
	const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer })
	const member = await queries.findMember(db, userId)
	if (!member) throw unauthenticated()
	// Encrypted for the user's own account: the account that a colleague works in is another.
	const encrypted = vault.encrypt(member.accountId, secret.base32)
	if (!(await factors.offerSecondFactor(db, userId, encrypted))) throw problem('second_factor_on')
	const label = member.email
	return { secret: secret.base32, uri: new TOTP({ issuer: ISSUER, label, secret, period: PERIOD_SECONDS }).toString() }
}

/**
 * Activates the second factor with its first code, and ends the user's other sessions; throws 400 for a wrong code and
 * 409 when the factor is on. Returns the recovery codes, which are stored only as hashes.
 */
export async function confirmSecondFactor(
	context: SecondFactorContext,
	{ userId, tokenHash, ip }: Caller,
	code: string,
): Promise<string[]> {
	slowDown(context.codeBackoff, String(userId))
	const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode)
	await retriedTransaction(context.db, async (sql) => {
		const factor = await factors.findSecondFactor(sql, userId)
		if (factor?.isConfirmed) throw problem('second_factor_on')
		if (!factor || !(await isAppCode(sql, context.vault, { userId, factor, code }))) throw wrongCode()
		if (!(await factors.confirmSecondFactor(sql, userId))) throw wrongCode()
		await factors.insertRecoveryCodes(sql, userId, codes.map(hashOf))
		await recordChange(sql, { change: 'added', userId, ip })
		await endSessions(sql, userId, tokenHash)
	})
	context.codeBackoff.clear(String(userId))
	return codes
}

export async function removeSecondFactor(
	context: SecondFactorContext,
	{ userId, ip }: Caller,
	{ currentPassword, code }: { currentPassword: string; code: string },
): Promise<void> {
	const { db, passwordBackoff } = context
	await provePassword({ db, backoff: passwordBackoff }, userId, currentPassword)
	slowDown(context.codeBackoff, String(userId))
	await retriedTransaction(db, async (sql) => {
		if (!(await takeCode(sql, context.vault, { userId, code }))) throw wrongCode()
		await factors.deleteSecondFactor(sql, userId)
		await recordChange(sql, { change: 'removed', userId, ip })
	})
	context.codeBackoff.clear(String(userId))
}

/** Records a change of the factor in the audit trail, and notifies the user by mail. */
async function recordChange(
	sql: Sql,
	{ change, userId, ip }: { change: 'added' | 'removed'; userId: number; ip: string },
): Promise<void> {
	await insertAdminAction(sql, { actorId: userId, subjectId: userId, action: `second-factor-${change}`, ip })
	await mailPerson(sql, userId, `second-factor-${change}`)
}

/** Uses up a code of the user's app or a recovery code. Returns the kind of the code; null for a wrong or used code. */
export async function takeCode(
	sql: Sql,
	vault: Vault,
	{ userId, code }: { userId: number; code: string },
): Promise<'app' | 'recovery' | null> {
	const factor = await factors.findSecondFactor(sql, userId)
	if (!factor?.isConfirmed) return null
	const plain = plainCode(code)
	if (plain.length === RECOVERY_LENGTH)
		return (await factors.takeRecoveryCode(sql, userId, sha256(plain))) ? 'recovery' : null
	return (await isAppCode(sql, vault, { userId, factor, code })) ? 'app' : null
}

async function isAppCode(
	sql: Sql,
	vault: Vault,
	{ userId, factor, code }: { userId: number; factor: factors.SecondFactor; code: string },
): Promise<boolean> {
	const timestamp = Date.now()
	const totp = new TOTP({
		secret: Secret.fromBase32(vault.decrypt(factor.accountId, factor.secret)),
		period: PERIOD_SECONDS,
	})
	const offset = totp.validate({ token: plainCode(code), timestamp, window: WINDOW })
	if (offset === null) return false
	return factors.takeStep(sql, userId, Math.floor(timestamp / 1000 / PERIOD_SECONDS) + offset)
}

/** Re-encrypts the secrets of all second factors with the vault's current key. */
export function reencryptSecondFactors(sql: Sql, vault: Vault): Promise<Reencrypted> {
	return reencrypt<{ accountId: AccountId; userId: number; encrypted: Buffer }>(vault, {
		async list(last) {
			const rows = await factors.listSecondFactors(sql, last?.userId ?? 0)
			return rows.map(({ userId, accountId, secret: encrypted }) => ({ userId, accountId, encrypted }))
		},
		update: ({ userId, encrypted }, after) => factors.updateSecret(sql, userId, { before: encrypted, after }),
	})
}

function makeRecoveryCode(): string {
	// 256 is a multiple of 32, so every letter is equally likely.
	const letters = [...randomBytes(RECOVERY_LENGTH)].map((byte) => RECOVERY_LETTERS[byte % RECOVERY_LETTERS.length])
	return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** Returns a typed or pasted code without spaces and dashes, in lower case. */
function plainCode(code: string): string {
	return code.replace(/[\s-]/g, '').toLowerCase()
}

function hashOf(recoveryCode: string): Buffer {
	return sha256(plainCode(recoveryCode))
}

export function wrongCode(): AppError {
	return problem('second_factor_code_wrong')
}
