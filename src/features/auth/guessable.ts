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

function partsOf({ name, email }: NamedPerson): string[] {
	const parts = `${name} ${email}`.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)
	return [...PRODUCT_WORDS, ...parts].filter((part) => part.length >= MIN_PART_LENGTH)
}
