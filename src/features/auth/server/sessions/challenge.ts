import { problem } from '#features/auth/problems.ts'
import { AppError } from '#lib/app-error.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import type { AccountId } from '#lib/server/db.ts'
import { sha256, type Vault } from '#lib/server/secrets.ts'

const CHALLENGE_MS = 5 * MINUTE_MS
const PURPOSE = 'second-step'

/**
 * Content of a challenge: the token that a browser holds between the password and the code of the second factor. The
 * content is encrypted with the account's key and not stored.
 */
interface Challenge {
	purpose: typeof PURPOSE
	userId: number
	remember: boolean
	until: number
	/** Fingerprint of the password hash, so that a change of the password ends the challenge. */
	password: string
}

export function makeChallenge(
	vault: Vault,
	person: { id: number; accountId: AccountId; passwordHash: string },
	remember: boolean,
): string {
	const challenge: Challenge = {
		purpose: PURPOSE,
		userId: person.id,
		remember,
		until: Date.now() + CHALLENGE_MS,
		password: fingerprintOf(person.passwordHash),
	}
	return `${person.accountId}.${vault.encrypt(person.accountId, JSON.stringify(challenge)).toString('base64url')}`
}

/** Decrypts a challenge. Throws 401 for one older than five minutes or not made here. */
export function decryptChallenge(vault: Vault, encrypted: string): Challenge {
	try {
		const [account = '', rest = ''] = encrypted.split('.', 2)
		const challenge = JSON.parse(
			vault.decrypt(Number(account) as AccountId, Buffer.from(rest, 'base64url')),
		) as Challenge
		if (challenge.purpose === PURPOSE && challenge.until > Date.now()) return challenge
	} catch {
		// The challenge is forged or was encrypted with another key.
	}
	throw tooLate()
}

export function tooLate(): AppError {
	return problem('second_step_expired', { expired: true })
}

export function fingerprintOf(passwordHash: string): string {
	return sha256(passwordHash).toString('base64url').slice(0, 16)
}
