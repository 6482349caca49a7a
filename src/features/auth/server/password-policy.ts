import { problem } from '#features/auth/problems.ts'
import type { Role } from '../contract.ts'
import { guessOf, type NamedPerson } from '../guessable.ts'

/** `specified` requires six characters, as every form does. `strict` requires more and refuses easy guesses. */
export type PasswordPolicy = 'specified' | 'strict'

/** Rules for a new password, and the field that a refusal names. */
export interface PasswordRules {
	policy: PasswordPolicy
	person: NamedPerson & { role: Role }
	field?: 'password' | 'newPassword'
}

const COMMON_PASSWORDS = 10_000
const MIN_LENGTH = 6
const MIN_STRICT_LENGTH: Record<Role, number> = { user: 8, admin: 12 }

let common: Promise<ReadonlySet<string>> | undefined

/**
 * Returns the most common passwords of six characters or more, most common first. Reads the file on the first call, since most
 * processes never need it.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
	common ??= readCommonPasswords()
	return common
}

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
	const { dictionary } = await import('@zxcvbn-ts/language-common')
	const usable = dictionary['passwords-common'].filter((password) => password.length >= MIN_LENGTH)
	return new Set(usable.slice(0, COMMON_PASSWORDS))
}

/** Throws 400 when the installation's policy refuses the password for this person. */
export async function refusePassword(
	password: string,
	{ policy, person, field = 'password' }: PasswordRules,
): Promise<void> {
	if (policy === 'specified') return
	const { role } = person
	const least = MIN_STRICT_LENGTH[role]
	if (password.length < least) throw problem('password_too_short', { role, least, field })
	const guess = guessOf(password, person, await commonPasswords())
	if (guess === 'common') throw problem('password_common', { field })
	if (guess === 'named') throw problem('password_contains_name', { field })
}
