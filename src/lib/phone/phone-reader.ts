import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { splitNumber } from './phone-formats.ts'
import { bareNumber, countDigits, isAmountOrDate, MIN_DIGITS, repairNumber, splitNumbers } from './phone-text.ts'
import { dialledForm } from './phone.ts'

// Reads phone numbers, for all of the product. In the browser, import this file lazily: the numbering plans are 40 kB.

/** The specified form of a number, without its plus. */
const SPECIFIED = /^[1-9]\d{1,14}$/
/**
 * An Indian mobile number as it is usually typed. Matched here, because nine of ten numbers are of this form and India opens
 * ranges faster than libphonenumber is updated.
 */
const INDIAN = /^(?:\+?91|0)?[6-9]\d{9}$/
const INDIAN_MOBILE = /^91[6-9]\d{9}$/
export const MOBILE_TYPES: ReadonlySet<string> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE'])
/**
 * Minimum characters of a text that is looked up. Every number with its code is longer, and looking up shorter texts
 * would take minutes per file.
 */
const MIN_LENGTH = 4
/** Maximum digits of a number: with a repeated calling code, and dialled zeros before both. */
const MAX_DIGITS = 25

/** The first number of a text in canonical form, and the others: canonical, or as typed when unreadable. */
export interface ReadNumbers {
	number: string
	others: string[]
}

/**
 * Returns the canonical form of a typed number: digits with country code and no plus ("919876543210"), as
 * libphonenumber formats it. Returns null when the text has no possible number, or several.
 *
 * Accepts digits of every script, marks and labels around them, WhatsApp links, spreadsheet damage, dialled zeros
 * before the national number, a repeated calling code, and WhatsApp's own forms of Mexican, Argentine and Brazilian
 * numbers. Ten digits that begin with 6 to 9 are Indian, unless a plus precedes them, or 00 precedes them and they are
 * valid with a calling code of their own. After one zero, ten digits are Indian, and numbers of other lengths need their
 * country code.
 */
export function readNumber(typed: string): string | null {
	const read = readNumbers(typed)
	return read && read.others.length === 0 ? read.number : null
}

/**
 * Returns the first number of a text, such as a cell of a file, and the other numbers in it; null when it contains
 * none. Reads each number as `readNumber` does.
 */
export function readNumbers(text: string): ReadNumbers | null {
	const quick = text.replace(/[ ()-]/g, '')
	if (INDIAN.test(quick)) return { number: `91${quick.slice(-10)}`, others: [] }
	if (text.length < MIN_LENGTH || isAmountOrDate(repairNumber(text))) return null
	const parts = splitNumbers(text)
	for (let at = 0; at < parts.length; at++) {
		const [part = '', next = ''] = parts.slice(at)
		const alone = countDigits(part) < MIN_DIGITS && next !== '' ? null : readOne(part)
		const number = alone ?? (next === '' ? null : readOne(part + next))
		if (number === null) continue
		// Text before the number is part of another, such as a repeated code or an unreadable number.
		const before = parts.slice(0, at).filter((one) => countDigits(one) >= MIN_DIGITS)
		const others = [...before, ...parts.slice(at + (alone === null ? 2 : 1))]
		const read = others.map((other) => readOne(other) ?? other.slice(0, 40))
		return { number, others: [...new Set(read)].filter((other) => other !== number) }
	}
	return null
}

function readOne(text: string): string | null {
	// A zero in brackets is not dialled from abroad; only Italian landlines include it.
	const abroad = text.replace(BRACKETED_ZERO, '$1')
	const number = abroad === text ? null : readPart(abroad)
	return number !== null && parse(number)?.isValid ? number : readPart(text)
}

const BRACKETED_ZERO = /^([^\d]{0,40}\d{1,5}[\s).-]{0,5})\(0\)/

function readPart(text: string): string | null {
	const bare = bareNumber(text).replace(/^\++/, '+')
	if (INDIAN.test(bare)) return `91${bare.slice(-10)}`
	if (!/^\+?\d+$/.test(bare) || bare.length > MAX_DIGITS) return null
	const plain = bare.replace(/^\+?0+/, '')
	const digits = plain.replace('+', '')
	const isDialled = /^0[1-9]/.test(bare)
	if (isDialled && digits.length === 10) return `91${digits}`
	if (isDialled) return settle(digits, 'valid')
	const hasPrefix = plain.startsWith('+') || /^\+?00/.test(bare)
	if (plain.startsWith('+')) return settle(digits)
	if (/^[6-9]\d{9}$/.test(digits)) return (hasPrefix && settle(digits, 'valid')) || `91${digits}`
	// Toll-free in India and dialled without a country code; 1800 as +1 800 is no personal number in any country.
	if (!hasPrefix && /^1800\d{6,9}$/.test(digits)) return `91${digits}`
	return settle(digits)
}

/**
 * Returns the number in digits that begin with a calling code; null when they contain none. Takes the digits unchanged
 * when the plans contain them, and otherwise without zeros or a second calling code after the code. A mobile number
 * after a repeated code has priority over a landline. Accepts unknown ranges of the right length unless `least` is
 * 'valid', since countries open ranges faster than libphonenumber is updated.
 */
function settle(digits: string, least: 'possible' | 'valid' = 'possible'): string | null {
	const [direct, ...others] = [digits, ...respellings(digits)].map(parse)
	// A landline may begin with the calling code's digits; a mobile number after a repeated code is more likely.
	const repeated = direct?.isMobile ? null : parse(splitNumber(digits)?.national ?? '')
	const isRepeated = repeated?.isMobile && splitNumber(digits)?.code === splitNumber(repeated.number)?.code
	const readings = isRepeated ? [repeated] : [direct, ...others]
	const valid = readings.find((one) => one?.isValid)
	const found = valid ?? (least === 'possible' ? readings.find((one) => one?.isPossible) : undefined)
	return found && SPECIFIED.test(found.number) ? found.number : null
}

/**
 * Returns at most four readings of the digits, without the zeros and repeated calling codes after the calling code,
 * removed one at a time.
 */
function respellings(digits: string): string[] {
	const all: string[] = []
	for (let from = digits; all.length < 3;) {
		const parts = splitNumber(from)
		if (!parts) break
		const { code, national } = parts
		const rest = national.replace(/^0+/, '')
		const next = rest.startsWith(code) ? rest : rest === national ? null : code + rest
		if (next === null) break
		// The zeros alone may be surplus, as in +65 0 6512 3456.
		if (rest !== national && next === rest) all.push(code + rest)
		all.push(next)
		from = next
	}
	return all
}

interface Reading {
	number: string
	isPossible: boolean
	isValid: boolean
	isMobile: boolean
}

function parse(digits: string): Reading | null {
	if (INDIAN_MOBILE.test(digits)) return { number: digits, isPossible: true, isValid: true, isMobile: true }
	// Mexico used to dial 01, 044 and 045 before its numbers, which libphonenumber no longer knows.
	const current = dialledForm(digits).replace(/^520(?:1|44|45)(\d{10})$/, '52$1')
	const parsed = parsePhoneNumberFromString(`+${current}`)
	if (!parsed) return null
	const number = dialledForm(parsed.number.slice(1))
	// WhatsApp's forms belong to mobile users, although the plans list 54 11… as a landline and 55 11 8… no longer.
	if (`+${number}` !== parsed.number) return { number, isPossible: true, isValid: true, isMobile: true }
	const isValid = parsed.isValid()
	const type = isValid ? parsed.getType() : undefined
	return { number, isPossible: parsed.isPossible(), isValid, isMobile: type !== undefined && MOBILE_TYPES.has(type) }
}

/**
 * Returns the search digits for a number or part of one in any spelling: +91 98765-43210, 098765 43210, 43210. Returns
 * null when the text is no part of a number.
 */
export function readNumberPart(typed: string): string | null {
	const digits = bareNumber(typed).replaceAll('+', '')
	if (!/^\d+$/.test(digits)) return null
	const part = digits.replace(/^0+/, '') || '0'
	const whole = readNumber(typed)
	return whole === null || whole.includes(part) ? part : whole
}
