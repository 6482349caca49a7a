import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { mobileLengths, splitNumber } from './phone-formats.ts'
import { MOBILE_TYPES } from './phone-reader.ts'

// Nine of ten numbers are Indian mobiles. India opens ranges faster than the library is updated, so this pattern decides.
const INDIAN_MOBILE = /^91[6-9]\d{9}$/
const INDIA = 'India'
/**
 * Toll-free numbers: 1800 in India, 800 and its later siblings in the countries of +1. libphonenumber knows only some
 * of these ranges.
 */
const TOLL_FREE = /^(?:91180[03]\d{4,9}|18(?:00|33|44|55|66|77|88)\d{7})$/

/** A number's entry in the national numbering plans. */
export interface PlannedNumber {
	/** Country name; null when several countries share the code, or none has it. */
	country: string | null
	/**
	 * Reason why the number is probably not a mobile number, or null. For warnings only: plans are outdated at times, so
	 * no number is refused for it.
	 */
	doubt: string | null
}

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Looks up a canonical number in the numbering plans. In the browser, import this file lazily: the plans are 40 kB. */
export function lookUpNumber(number: string): PlannedNumber {
	if (INDIAN_MOBILE.test(number)) return { country: INDIA, doubt: null }
	if (TOLL_FREE.test(number)) return { country: number.startsWith('91') ? INDIA : null, doubt: 'A toll-free number' }
	const parts = splitNumber(number)
	// Most doubtful numbers are Indian landlines, for which the library would take fifty microseconds.
	if (parts?.code === '91' && parts.national) return { country: INDIA, doubt: doubtAbout(parts) }
	const parsed = parsePhoneNumberFromString(`+${number}`)
	if (!parts || !parsed) return { country: null, doubt: 'No country has numbers that begin like this' }
	// The first of several countries with a code is its main one; +1 has no main country.
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

/** Returns each calling code with the names of up to MAX_SHARING of its countries: "India", "Russia, Kazakhstan". */
export function listCallingCodes(): { code: string; countries: string }[] {
	const byCode = new Map<string, string[]>()
	for (const region of getCountries()) {
		const code = getCountryCallingCode(region)
		byCode.set(code, [...(byCode.get(code) ?? []), names.of(region) ?? region])
	}
	// The commonly searched of the twenty-five countries that share +1.
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

/** Returns the doubt about a number with its country, "Too short for a mobile number (Iran)", or null. */
export function doubtIn(number: string): string | null {
	const { country, doubt } = lookUpNumber(number)
	return doubt && country ? `${doubt} (${country})` : doubt
}
