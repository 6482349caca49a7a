/** Whose password it is, or is to be. */
export interface NamedPerson {
	name: string
	email: string
}

/** Why a password is among the first that are tried. */
export type Guess = 'common' | 'named'

/** What everybody knows of an account here, whoever it belongs to. */
const PRODUCT_WORDS = ['whatsapp']
/** Shorter parts of a name stand in many words by chance. */
const MIN_PART_LENGTH = 4

/** Whether a password is one that is tried first: a common one, or one with a part of the person's own name or address in it. */
export function guessOf(password: string, person: NamedPerson, common: ReadonlySet<string>): Guess | null {
	const typed = password.toLowerCase()
	if (common.has(typed)) return 'common'
	return partsOf(person).some((part) => typed.includes(part)) ? 'named' : null
}

export type Strength = Guess | 'decorated' | 'monotonous' | 'short' | 'good'

const SHORT = 10
/** So many characters beside a common password are tried along with it. */
const FEW_ADDED = 6
const FEW_DIFFERENT = 3

/** What the line under a field says of a new password; no more than advice. */
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
