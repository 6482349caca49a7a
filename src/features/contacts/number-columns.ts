import { readCallingCode } from '#lib/phone/calling-code.ts'
import { doubtIn } from '#lib/phone/phone-plan.ts'
import { readNumbers } from '#lib/phone/phone-reader.ts'
import type { Columns } from './columns.ts'

type NumberColumns = Pick<Columns, 'number' | 'otherNumbers' | 'countryCode'>

/** Headers that name a number column whatever its cells hold. Compared in lower case without spaces and signs. */
const STRICT = [
	/^number$/,
	/^(phone|mobile|whatsapp|contact|cell|telephone|wa|mob)(number|no|num)?$/,
	/^(mobile|whatsapp|cell)(phone|number|no|num|\d)/,
	/^ph(number|no|num)?$/,
	/^landline/,
	/^(phone|mobile|whatsapp|tel|cell)|(phone|mobile|whatsapp)(number|no)?1?$|^मोबाइल|^फ\u093c?ोन/,
]

const WHATSAPP = /whats?app|^wa(no|num|number)?$|व्हाट्स|व्हॉट्स|वॉट्स|হোয়াটস|হোয়াটস|વોટ્સ|વ્હોટ્સ|ਵਟਸ|வாட்ஸ்|వాట్సా|ವಾಟ್ಸ|വാട്സ|ହ୍ଵାଟ୍ସ/
const MOBILE = /mob|cell|handphone|मोब|मोबा|भ्रमण|মোবা|મોબા|ਮੋਬਾ|மொபை|கைபேசி|அலைபேசி|செல்|మొబై|సెల్|ಮೊಬೈ|മൊബൈ|ମୋବା|موبائل/
const LANDLINE = /landline|telephone|^tel(no|number)?$|office|residence|fax|दूरभाष|லேண்ட்|தொலைபேசி|ದೂರವಾಣಿ/
const OTHER =
	/phone|contact|number|^ph|(^|cust|customer|parent|guardian)(no|num)$|फोन|फ\u093c?ोन|संपर्क|नंबर|क्रमांक|ফোন|নম্বর|ફોન|નંબર|ਫੋਨ|ਨੰਬਰ|எண்|ఫోన్|నంబర్|నెంబర్|ಫೋನ್|ಸಂಖ್ಯೆ|ഫോൺ|നമ്പർ|ଫୋନ|ନମ୍ବର|فون|نمبر/
/** Headers that accompany number columns in phone books and forms: "Phone 1 - Label", "Mobile Country Code". */
const NO_NUMBER =
	/(label|type|model|brand|bill|plan|name)$|^(phone|mobile|whatsapp)(number)?(country)?code$|^(phonetic|telegram)/
/** Headers of columns whose digits may look like phone numbers. */
const OTHER_DIGITS =
	/aadh?aar|adhar|gst|^pan|account|acct|order|invoice|bill|amount|price|balance|date|serial|roll|barcode|imei|ref|txn|utr|pin(code)?$|(^|customer|client|member|student|patient|emp|employee|user|lead)id$/
const CODE =
	/^(phone|mobile|whatsapp|contact)?(number)?(country|dial|dialing|dialling|calling|isd|intl)?(calling|dial|dialing|phone)?(code|prefix|cc)$|^isd$|^देशकोड$/
const MAYBE_CODE = /^(country|code|cc|prefix)$/

/**
 * Finds the number columns, in the order WhatsApp, mobile, phone, landline; of two columns of a kind, the left one
 * first. Headers that may name numbers count only if the cells hold numbers. Without a matching header, a column that
 * plainly holds phone numbers is chosen; `number` is null without such a column. `header` is in lower case without
 * spaces and signs; `samples` are the rows below the header.
 */
export function findNumberColumns(header: readonly string[], samples: readonly string[][]): NumberColumns {
	const columns = header.map((name, at) => ({
		at,
		name,
		rank: rankOf(name, header),
		share: shareOfNumbers(samples, at, isStrict(name) ? isNumber : isLikelyNumber),
	}))
	const named = columns.filter(({ name, rank, share }) => rank !== null && (isStrict(name) || isPlain(share)))
	// Columns without numbers in their cells, such as "Mobile Brand", count only when no column has numbers.
	const holding = named.filter(({ share }) => share !== 0)
	const ranked = (holding.length > 0 ? holding : named).toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.at - b.at)
	const found =
		ranked.length > 0 ? ranked : columns.filter(({ name, share }) => isPlain(share) && !OTHER_DIGITS.test(name))
	const [first, ...others] = found.map(({ at }) => at)
	if (first === undefined) return { number: null }
	const countryCode = findCodes(
		header,
		samples,
		found.map(({ at }) => at),
	)
	const rest = ranked.length > 0 ? others.slice(0, MAX_OTHERS) : []
	return { number: first, ...(rest.length > 0 && { otherNumbers: rest }), ...(countryCode !== null && { countryCode }) }
}

const MAX_OTHERS = 20
/** Minimum share (0 to 1) of numbers among the cells of a column that plainly holds phone numbers. */
const PLAIN_SHARE = 0.8

function isStrict(name: string): boolean {
	return STRICT.some((pattern) => pattern.test(name))
}

function isPlain(share: number | null): boolean {
	return share !== null && share >= PLAIN_SHARE
}

/** Returns the priority of a header, 0 first; null for a header that does not name numbers. */
function rankOf(name: string, header: readonly string[]): number | null {
	if (NO_NUMBER.test(name)) return null
	// Header of the product's own sample and export.
	if (name === 'number') return header.includes('firstname') ? 0 : 3
	if (WHATSAPP.test(name)) return 1
	if (LANDLINE.test(name) && !MOBILE.test(name)) return 5
	if (MOBILE.test(name)) return 2
	if (isStrict(name)) return 3
	return OTHER.test(name) && !OTHER_DIGITS.test(name) ? 4 : null
}

/**
 * Returns the share (0 to 1) of numbers among a column's cells with digits: 0 when no cell has digits, null when all
 * cells are empty.
 */
function shareOfNumbers(
	samples: readonly string[][],
	at: number,
	holdsNumber: (cell: string) => boolean,
): number | null {
	const cells = samples.map((row) => (row[at] ?? '').trim()).filter((cell) => /\p{Nd}/u.test(cell))
	if (cells.length === 0) return samples.some((row) => (row[at] ?? '').trim() !== '') ? 0 : null
	return cells.filter(holdsNumber).length / cells.length
}

function isNumber(cell: string): boolean {
	return cell.length <= MAX_CELL && readNumbers(cell) !== null
}

/** Returns true for a likely phone number: a mobile number, or any number with a plus. */
function isLikelyNumber(cell: string): boolean {
	const read = cell.length <= MAX_CELL ? readNumbers(cell) : null
	return read !== null && (doubtIn(read.number) === null || cell.trim().startsWith('+'))
}

const MAX_CELL = 300

function findCodes(header: readonly string[], samples: readonly string[][], numbers: readonly number[]): number | null {
	const at = header.findIndex((name, place) => {
		if (numbers.includes(place) || !(CODE.test(name) || MAYBE_CODE.test(name))) return false
		const cells = samples.map((row) => (row[place] ?? '').trim()).filter((cell) => cell !== '')
		const codes = cells.filter((cell) => readCallingCode(cell) !== null)
		const isCertain = CODE.test(name) || codes.every((cell) => cell.startsWith('+'))
		return codes.length > 0 && isCertain && codes.length >= cells.length * PLAIN_SHARE
	})
	return at < 0 ? null : at
}
