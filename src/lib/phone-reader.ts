import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { splitNumber } from './phone-formats.ts'
import { bareNumber, countDigits, isAmountOrDate, MIN_DIGITS, repairNumber, splitNumbers } from './phone-text.ts'
import { dialledForm } from './phone.ts'

// The one reader of phone numbers. In the browser, import this file lazily: the numbering plans are 40 kB.

/** The specified form of a number without its plus. */
const SPECIFIED = /^[1-9]\d{1,14}$/
/** Nine of ten numbers here, and India opens new ranges faster than libphonenumber is updated. */
const INDIAN = /^(?:\+?91|0)?[6-9]\d{9}$/
const INDIAN_MOBILE = /^91[6-9]\d{9}$/
export const MOBILE_TYPES: ReadonlySet<string> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE'])
/** The shortest numbers have five digits with their code; looking longer at what is shorter takes files of it minutes. */
const MIN_LENGTH = 4
/** As many digits as a number has with a repeated calling code and the zeros that are dialled before both. */
const MAX_DIGITS = 25

/** The first number of a text in the canonical form, and the others: canonical, or as typed where they cannot be read. */
export interface ReadNumbers {
	number: string
	others: string[]
}

/**
 * Returns the canonical form of a typed number: digits with country code and no plus ("919876543210"), in the form that
 * libphonenumber gives it. Null when the text holds no number that can exist, or several.
 *
 * Understood are: digits of every script, marks and labels around them, links to WhatsApp, what spreadsheets do to numbers,
 * zeros that are dialled before the national number, a repeated calling code, and WhatsApp's own forms of Mexican, Argentine
 * and Brazilian numbers. Ten digits that begin with 6 to 9 are Indian, unless a plus precedes them, or 00 and they are a
 * number of the country that they then name. After one zero, ten digits are Indian, and others need their country code.
 */
export function readNumber(typed: string): string | null {
	const read = readNumbers(typed)
	return read && read.others.length === 0 ? read.number : null
}

/** Reads a text with one number or several, as files have in one cell; otherwise like `readNumber`. */
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
		// What stands before the number is a part of one, such as a code that is written twice, or an unreadable one.
		const before = parts.slice(0, at).filter((one) => countDigits(one) >= MIN_DIGITS)
		const others = [...before, ...parts.slice(at + (alone === null ? 2 : 1))]
		const read = others.map((other) => readOne(other) ?? other.slice(0, 40))
		return { number, others: [...new Set(read)].filter((other) => other !== number) }
	}
	return null
}

function readOne(text: string): string | null {
	// A zero in brackets is not dialled from abroad; only Italians write their landlines' own zero so.
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
	// Toll-free in India, and dialled without a country code; no country has people with +1 800.
	if (!hasPrefix && /^1800\d{6,9}$/.test(digits)) return `91${digits}`
	return settle(digits)
}

/**
 * Returns the number that the digits, which begin with a calling code, are meant to be: as they stand where they are a number
 * of a numbering plan; else without the zeros or the second calling code that stand after the code, where that is one. Ranges
 * that the plans do not know are accepted where the length is right, unless `least` asks for more: countries open new ones
 * faster than libphonenumber is updated.
 */
function settle(digits: string, least: 'possible' | 'valid' = 'possible'): string | null {
	const [direct, ...others] = [digits, ...respellings(digits)].map(parse)
	// A landline's number may begin with the calling code's digits; a mobile number after a second code is the likelier one.
	const repeated = direct?.isMobile ? null : parse(splitNumber(digits)?.national ?? '')
	const isRepeated = repeated?.isMobile && splitNumber(digits)?.code === splitNumber(repeated.number)?.code
	const readings = isRepeated ? [repeated] : [direct, ...others]
	const valid = readings.find((one) => one?.isValid)
	const found = valid ?? (least === 'possible' ? readings.find((one) => one?.isPossible) : undefined)
	return found && SPECIFIED.test(found.number) ? found.number : null
}

/** The same digits without zeros and a repeated calling code after the calling code, one after the other. */
function respellings(digits: string): string[] {
	const all: string[] = []
	for (let from = digits; all.length < 3;) {
		const parts = splitNumber(from)
		if (!parts) break
		const { code, national } = parts
		const rest = national.replace(/^0+/, '')
		const next = rest.startsWith(code) ? rest : rest === national ? null : code + rest
		if (next === null) break
		// Zeros may be all that is too much, as in +65 0 6512 3456.
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
	// Mexico dialled 01, 044 and 045 before its numbers, which libphonenumber has forgotten.
	const current = dialledForm(digits).replace(/^520(?:1|44|45)(\d{10})$/, '52$1')
	const parsed = parsePhoneNumberFromString(`+${current}`)
	if (!parsed) return null
	const number = dialledForm(parsed.number.slice(1))
	// WhatsApp's forms are numbers of people: 54 11… may stand in the plan as a landline's, and 55 11 8… no longer.
	if (`+${number}` !== parsed.number) return { number, isPossible: true, isValid: true, isMobile: true }
	const isValid = parsed.isValid()
	const type = isValid ? parsed.getType() : undefined
	return { number, isPossible: parsed.isPossible(), isValid, isMobile: type !== undefined && MOBILE_TYPES.has(type) }
}

/**
 * Returns the digits to look for when a number or a part of it is typed in whatever spelling: +91 98765-43210, 098765 43210,
 * 43210. Null when the text is no part of a number.
 */
export function readNumberPart(typed: string): string | null {
	const digits = bareNumber(typed).replaceAll('+', '')
	if (!/^\d+$/.test(digits)) return null
	const part = digits.replace(/^0+/, '') || '0'
	const whole = readNumber(typed)
	return whole === null || whole.includes(part) ? part : whole
}
