/** The user of a password, known by name and email. */
export interface NamedPerson {
	name: string
	email: string
}

/** Reason for which a password is among the first guesses. */
export type Guess = 'common' | 'named'

/** Words that an attacker tries for any account here. */
const PRODUCT_WORDS = ['whatsapp']
/** Minimum length of a name's part that counts. Shorter ones occur in many words by chance. */
const MIN_PART_LENGTH = 4

/** Returns `common` for a common password, `named` for one with a part of the person's name or address, otherwise null. */
export function guessOf(password: string, person: NamedPerson, common: ReadonlySet<string>): Guess | null {
	const typed = password.toLowerCase()
	if (common.has(typed)) return 'common'
	return partsOf(person).some((part) => typed.includes(part)) ? 'named' : null
}

export type Strength = Guess | 'decorated' | 'monotonous' | 'short' | 'good'

const SHORT = 10
/** Number of characters around a common password from which attackers no longer try the combination. */
const FEW_ADDED = 6
const FEW_DIFFERENT = 3

/** Returns the strength of a new password for the hint under its field. */
export function strengthOf(password: string, person: NamedPerson, common: ReadonlySet<string>): Strength {
	const guess = guessOf(password, person, common)
	if (guess) return guess
	const words = password.toLowerCase().match(/[a-z]+/g) ?? []
	if (words.some((word) => common.has(word) && password.length - word.length < FEW_ADDED)) return 'decorated'
	if (new Set(password).size <= FEW_DIFFERENT) return 'monotonous'
	return password.length < SHORT ? 'short' : 'good'
}

function partsOf({ name, email }: NamedPerson): string[] {
	const parts = `${name} ${email}`.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)
	return [...PRODUCT_WORDS, ...parts].filter((part) => part.length >= MIN_PART_LENGTH)
}
