import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { mobileLengths, splitNumber } from './phone-formats.ts'
import { MOBILE_TYPES } from './phone-reader.ts'

// Nine of ten numbers here are these, and India opens new ranges faster than the library is updated.
const INDIAN_MOBILE = /^91[6-9]\d{9}$/
const INDIA = 'India'
/** 1800 in India, and 800 with its later siblings in the countries of +1: libphonenumber knows some of their ranges only. */
const TOLL_FREE = /^(?:91180[03]\d{4,9}|18(?:00|33|44|55|66|77|88)\d{7})$/

/** What the national numbering plans say about a number. */
export interface PlannedNumber {
	/** Its country's name; null where several countries share the code, or none has it. */
	country: string | null
	/** Why it is probably no mobile number, or null. For warnings only: plans lag behind, so no number is refused for it. */
	doubt: string | null
}

const names = new Intl.DisplayNames('en', { type: 'region' })

/**
 * Looks a canonical number up in the numbering plans. In the browser, import this file lazily: the plans are 40 kB.
 */
export function lookUpNumber(number: string): PlannedNumber {
	if (INDIAN_MOBILE.test(number)) return { country: INDIA, doubt: null }
	if (TOLL_FREE.test(number)) return { country: number.startsWith('91') ? INDIA : null, doubt: 'A toll-free number' }
	const parts = splitNumber(number)
	// Most of what is doubtful is a landline here, and the library takes fifty microseconds to say so.
	if (parts?.code === '91' && parts.national) return { country: INDIA, doubt: doubtAbout(parts) }
	const parsed = parsePhoneNumberFromString(`+${number}`)
	if (!parts || !parsed) return { country: null, doubt: 'No country has numbers that begin like this' }
	// Where several share a code, the first is the one whose name stands for it; +1 has no such one.
	const region = parsed.country ?? (parts.code === '1' ? undefined : parsed.getPossibleCountries()[0])
	const country = region ? (names.of(region) ?? null) : null
	const type = parsed.isValid() ? parsed.getType() : undefined
	if (type === 'TOLL_FREE') return { country, doubt: 'A toll-free number' }
	return { country, doubt: type && MOBILE_TYPES.has(type) ? null : doubtAbout(parts) }
}

/** Returns true for the calling code of a country, such as 91. */
export function isCallingCode(code: string): boolean {
	return getCountries().some((region) => getCountryCallingCode(region) === code)
}

const MAX_SHARING = 3

/** Each calling code with the countries that have it, by name: "India", "Russia, Kazakhstan". */
export function listCallingCodes(): { code: string; countries: string }[] {
	const byCode = new Map<string, string[]>()
	for (const region of getCountries()) {
		const code = getCountryCallingCode(region)
		byCode.set(code, [...(byCode.get(code) ?? []), names.of(region) ?? region])
	}
	// Of the twenty-five countries that share +1, these are looked for.
	byCode.set('1', ['United States', 'Canada', 'Caribbean'])
	return Array.from(byCode, ([code, all]) => ({
		code,
		countries: all.toSorted().slice(0, MAX_SHARING).join(', '),
	})).toSorted((a, b) => (a.countries < b.countries ? -1 : 1))
}

function doubtAbout({ code, national }: { code: string; national: string }): string {
	const lengths = mobileLengths(code)
	if (national.length < Math.min(...lengths)) return 'Too short for a mobile number'
	if (national.length > Math.max(...lengths)) return 'Too long for a mobile number'
	return 'Does not look like a mobile number'
}

/** The doubt about a number with its country, "Too short for a mobile number (Iran)", or null. */
export function doubtIn(number: string): string | null {
	const { country, doubt } = lookUpNumber(number)
	return doubt && country ? `${doubt} (${country})` : doubt
}
