import { AppError } from '#lib/server/errors.ts'
import type { Role } from '../contract.ts'
import { guessOf, type NamedPerson } from '../guessable.ts'

/** `specified` asks six characters, as every form does; `strict` asks more of them, and refuses what is guessed first. */
export type PasswordPolicy = 'specified' | 'strict'

/** What decides about a new password, and the field that an answer names. */
export interface PasswordRules {
	policy: PasswordPolicy
	person: NamedPerson & { role: Role }
	field?: 'password' | 'newPassword'
}

const COMMON_PASSWORDS = 10_000
const MIN_LENGTH = 6
const MIN_STRICT_LENGTH: Record<Role, number> = { user: 8, admin: 12 }

let common: Promise<ReadonlySet<string>> | undefined

/** The most common passwords of six characters or more, the most common first. Read when first asked for, as most never do. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
	common ??= readCommonPasswords()
	return common
}

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
	const { dictionary } = await import('@zxcvbn-ts/language-common')
	const usable = dictionary['passwords-common'].filter((password) => password.length >= MIN_LENGTH)
	return new Set(usable.slice(0, COMMON_PASSWORDS))
}

/** Throws 400 where the policy of this installation refuses the password for this person. */
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
