import { hash, verify } from '@node-rs/argon2'
import { randomToken } from '#lib/server/secrets.ts'
import { refusePassword, type PasswordRules } from './password-policy.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Stands in for the hash of an unknown address, so that its refusal takes as long as that of a wrong password. */
const DUMMY_HASH = hashNothing()

/** The hash of a new password, or a refusal: none is stored that the policy does not allow. */
export async function hashPassword(password: string, rules: PasswordRules): Promise<string> {
	await refusePassword(password, rules)
	return hash(password, cost)
}

/** A hash that no password matches, for a person who has none yet. */
export function hashNothing(): Promise<string> {
	return hash(randomToken(), cost)
}

/** Whether the password matches. Without a hash it returns false after the same time. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
	const matches = await verify(passwordHash ?? (await DUMMY_HASH), password)
	return matches && passwordHash !== undefined
}
