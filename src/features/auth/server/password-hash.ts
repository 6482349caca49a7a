import { hash, verify } from '@node-rs/argon2'
import { randomToken } from '#lib/server/secrets.ts'
import { refusePassword, type PasswordRules } from './password-policy.ts'

/** Cost of a hash: OWASP's first choice for argon2id, 19 MiB and two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hash that is verified for an unknown address, so that the refusal takes as long as the refusal of a wrong password.
 */
const DUMMY_HASH = hashNothing()

/** Returns the hash of a new password. Throws when the policy refuses the password. */
export async function hashPassword(password: string, rules: PasswordRules): Promise<string> {
	await refusePassword(password, rules)
	return hash(password, cost)
}

/** Returns a hash that no password matches, for a user without a password. */
export function hashNothing(): Promise<string> {
	return hash(randomToken(), cost)
}

/** Returns true when the password matches the hash. Without a hash, returns false after the same time. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
	const matches = await verify(passwordHash ?? (await DUMMY_HASH), password)
	return matches && passwordHash !== undefined
}
