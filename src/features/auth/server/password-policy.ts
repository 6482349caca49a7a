import { AppError } from '#lib/server/errors.ts'
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
	const message = problemOf(password, person, await commonPasswords())
	if (message) throw new AppError(400, message, { fields: { [field]: message } })
}

function problemOf(password: string, person: PasswordRules['person'], words: ReadonlySet<string>): string | null {
	const least = MIN_STRICT_LENGTH[person.role]
	if (password.length < least)
		return `${person.role === 'admin' ? 'The password of an admin' : 'Password'} must be at least ${least} characters`
	const guess = guessOf(password, person, words)
	if (guess === 'common') return 'This password is among the most common ones. Choose another one.'
	if (guess === 'named')
		return 'This password contains a part of the name, the email or the product’s name. Choose another one.'
	return null
}
