import { readNumber } from '#lib/phone/phone-reader.ts'
import { bareNumber, splitNumbers } from '#lib/phone/phone-text.ts'
import { NUMBER_INVALID, NUMBER_REQUIRED } from './rules.ts'

/** Pattern of a new chat's number, as specified. */
const SPECIFIED = /^\+?(\d{1,3})?(\d{10}|\d{12})$/

/**
 * Returns the canonical form of a number typed for a new chat, or the specified error. Ten digits are an Indian number,
 * also behind a plus unless they are a number of another country. Import this file lazily in the browser, because it loads
 * the number parser.
 */
export function readNewNumber(typed: string): { number: string } | { error: string } {
	const [part = '', ...others] = splitNumbers(typed)
	const bare = bareNumber(part)
	if (bare === '') return { error: NUMBER_REQUIRED }
	if (others.length > 0 || !SPECIFIED.test(bare)) return { error: NUMBER_INVALID }
	const read = bare.length === 10 ? null : readNumber(typed)
	const number = read ?? (/^\+?[1-9]\d{9}$/.test(bare) ? readNumber(`+91${bare.slice(-10)}`) : null)
	return number === null ? { error: NUMBER_INVALID } : { number }
}
