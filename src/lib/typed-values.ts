import { withAsciiDigits } from './text/native-digits.ts'

/** Longest text that is read as a date, amount or answer. */
const MAX_LENGTH = 60
const MONTHS = [
	['january', 'जनवरी'],
	['february', 'फरवरी', 'फ़रवरी'],
	['march', 'मार्च'],
	['april', 'अप्रैल'],
	['may', 'मई'],
	['june', 'जून'],
	['july', 'जुलाई'],
	['august', 'अगस्त'],
	['september', 'sept', 'सितंबर', 'सितम्बर'],
	['october', 'अक्टूबर', 'अक्तूबर'],
	['november', 'नवंबर', 'नवम्बर'],
	['december', 'दिसंबर', 'दिसम्बर'],
].map((names) => names.map((name) => name.normalize('NFKC')))

const WEEKDAY = /^(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?\.?,? +/
const TIME = /[ ,t]{1,3}\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:[ap]\.?m\.?)?(?:z|[+-]\d\d:?\d\d)?$/

/**
 * Reads an Indian date: day before month, the month in digits or by name, a year of two or four digits, an optional
 * weekday and time. Returns a day such as 2026-12-05; null for other texts, days that do not exist, and years outside
 * 1900 to 2100.
 */
export function readDay(typed: string): string | null {
	if (typed.length > MAX_LENGTH) return null
	const text = plain(typed).replace(WEEKDAY, '').replace(TIME, '')
	const parts = text
		.replace(/(\d)(?:st|nd|rd|th)\b(?: of\b)?/g, '$1')
		.split(/ ?[/.,-] ?| /)
		.filter((part) => part !== '')
	const [first = '', second = '', third = ''] = parts
	if (parts.length !== 3) return null
	if (/^\d{4}$/.test(first)) return dayOf(first, second, third)
	// A month's name may precede the day, as in "Dec 5, 2026".
	return /^\p{L}/u.test(first) ? dayOf(third, first, second) : dayOf(third, second, first)
}

function dayOf(typedYear: string, typedMonth: string, typedDay: string): string | null {
	const year = yearOf(typedYear)
	const month = monthOf(typedMonth)
	if (year === null || month === null || !/^\d{1,2}$/.test(typedDay)) return null
	const at = new Date(Date.UTC(year, month - 1, Number(typedDay)))
	const isSame = at.getUTCMonth() === month - 1 && at.getUTCDate() === Number(typedDay)
	return isSame ? at.toISOString().slice(0, 10) : null
}

/**
 * Returns a year from 1900 to 2100; null for other texts. Two digits from 00 to 49 are in this century, as in
 * spreadsheets.
 */
function yearOf(typed: string): number | null {
	if (!/^(?:\d{2}|\d{4})$/.test(typed)) return null
	const year = Number(typed)
	const full = typed.length === 4 ? year : year < 50 ? 2000 + year : 1900 + year
	return full >= 1900 && full <= 2100 ? full : null
}

/** Returns a month, counted from 1, by its number, name or at least three Latin letters; null for other texts. */
function monthOf(typed: string): number | null {
	if (/^\d{1,2}$/.test(typed)) return Number(typed) >= 1 && Number(typed) <= 12 ? Number(typed) : null
	if (typed.length < 2) return null
	const isShort = /^[a-z]{3,}$/.test(typed)
	const at = MONTHS.findIndex((names) => names.some((name) => (isShort ? name.startsWith(typed) : name === typed)))
	return at < 0 ? null : at + 1
}

/** Amounts with no more digits than a double can store. */
const NUMBER = /^(?:\d{1,12}(?:\.\d{1,3})?|\d{1,9}\.\d{4,6}|\.\d{1,6})$/
const BEFORE = /^([+-]?) ?(?:(?:₹|rs\.?|inr|रु\.?|रुपये) ?)?([+-]?) ?/
const AFTER = / ?(?:\/-{1,2}|%|dr\.?|rupees|only|₹|rs\.?|inr|रु\.?|रुपये)$/
const ENCLOSED = /^(?:(?:₹|rs\.?|inr|रु\.?|रुपये) ?)?\(([^-]{1,50})\)$/
/** Comma groups of two or three digits, the last with three. */
const GROUPS = /^\d{1,3}(?:,\d{2,3}){0,8},\d{3}$/

/**
 * Reads an Indian amount: ₹1,25,000/-, 1250 Dr, (500.00), 12.5%, १२५०. Parentheses and a minus at either end mean
 * negative; a percent sign is dropped. Returns plain digits such as -500; null for other texts.
 */
export function readAmount(typed: string): string | null {
	if (typed.length > MAX_LENGTH) return null
	const text = plain(typed)
	const inner = ENCLOSED.exec(withoutAfter(text))?.[1]
	const bare = withoutAfter((inner ?? text).trim())
	const [before = '', first = '', second = ''] = BEFORE.exec(bare) ?? []
	const rest = bare.slice(before.length)
	const hasMinusAfter = inner === undefined && first + second === '' && /\d-$/.test(rest)
	const digits = withoutGroups(hasMinusAfter ? rest.slice(0, -1) : rest)
	if (digits === null || !NUMBER.test(digits) || (first !== '' && second !== '')) return null
	const isNegative = inner !== undefined || hasMinusAfter || first + second === '-'
	return String(isNegative && Number(digits) !== 0 ? -Number(digits) : Number(digits))
}

/** Removes every sign and word that may follow an amount, from the last to the first. */
function withoutAfter(text: string): string {
	let rest = text
	while (AFTER.test(rest)) rest = rest.replace(AFTER, '')
	return rest
}

/** Removes group commas; null when they do not separate groups, as in 1.250,00. */
function withoutGroups(text: string): string | null {
	const [whole = '', ...rest] = text.split('.')
	if (!text.includes(',')) return text
	return GROUPS.test(whole) && !rest.join('').includes(',') ? text.replaceAll(',', '') : null
}

const YES = wordsOf('yes y true 1 ok हाँ हां हा जी haan han haa ha ji होय हो હા হ্যাঁ হাঁ ஆம் అవును ಹೌದು അതെ ਹਾਂ ହଁ ہاں ✓ ✔ ☑')
const NO = wordsOf('no n false 0 नहीं नही ना nahi nahin naa na नाही ના ના না இல்லை కాదు లేదు ಇಲ್ಲ ഇല്ല അല്ല ਨਹੀਂ ନା نہیں ✗ ✘ ☐')

function wordsOf(text: string): ReadonlySet<string> {
	return new Set(text.split(' ').map(plain))
}

/** Reads an answer in English or a language of India; null for other texts. */
export function readYesNo(typed: string): 'yes' | 'no' | null {
	if (typed.length > MAX_LENGTH) return null
	const text = plain(typed).replace(/[.!]$/, '')
	return YES.has(text) ? 'yes' : NO.has(text) ? 'no' : null
}

/** Returns the text in lower case on one line, with ASCII digits, spaces and signs. */
function plain(text: string): string {
	return withAsciiDigits(text.normalize('NFKC'))
		.toLowerCase()
		.replace(/\p{Cf}/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/[\u2010-\u2015\u2212]/g, '-')
		.trim()
}
