import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import { splitNumber } from './phone-formats.ts'
import { bareNumber, countDigits, MIN_DIGITS, repairNumber, splitNumbers } from './phone-text.ts'

/** Adds the calling code of a neighbouring cell to a number; a number with a plus or 00 is unchanged. */
export function withCallingCode(cell: string, callingCode: string): string {
	const parts = splitNumbers(cell)
	const numbers = parts.every((part) => countDigits(part) >= MIN_DIGITS) ? parts : [parts.join('')]
	return numbers
		.map(bareNumber)
		.map((bare) => (/^(?:\+|00)/.test(bare) ? bare : `+${callingCode} ${bare}`))
		.join(' / ')
}

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Calling codes by lower-case English country name; built on first use. */
let codesByName: ReadonlyMap<string, string> | undefined

/**
 * Reads the calling code in a cell next to a number: +91, 0091, 91.0, IN, India, "+1 (US)", 1-868. Returns null when
 * there is none.
 */
export function readCallingCode(cell: string): string | null {
	const text = repairNumber(cell.slice(0, 60))
	const digits = text.replace(/\D/g, '').replace(/^0+/, '')
	if (digits !== '') return digits.length <= 4 && hasCallingCode(digits) ? digits : null
	const region = text.trim().toUpperCase()
	if (isSupportedCountry(region)) return getCountryCallingCode(region)
	codesByName ??= new Map([
		...getCountries().map(
			(country) => [(names.of(country) ?? country).toLowerCase(), getCountryCallingCode(country)] as const,
		),
		...([
			['usa', '1'],
			['uk', '44'],
			['uae', '971'],
			['bharat', '91'],
			['भारत', '91'],
		] as const),
	])
	return codesByName.get(text.trim().toLowerCase()) ?? null
}

/** Returns true for the calling code of a country, or +1 with an area code. */
function hasCallingCode(digits: string): boolean {
	const parts = splitNumber(digits)
	return parts !== null && (parts.national === '' || (parts.code === '1' && parts.national.length === 3))
}
