import { groupNational, splitNumber } from './phone-formats.ts'

/** Prefix of an erased recipient's number; a hash of the number follows. */
export const ERASED_PREFIX = 'erased:'

/** Person to erase. */
export interface ErasedPerson {
	/** All numbers and WhatsApp user ids of the person. */
	names: readonly string[]
	/** Returns the pseudonym that replaces a number, an id, or a text that contains one. */
	formOf: (text: string) => string
}

/** Formats a canonical number as its country does: +91 98765 43210, +1 415 555 2671, +44 7911 123456. */
export function displayNumber(number: string): string {
	if (number.startsWith(ERASED_PREFIX)) return 'Erased'
	const parts = splitNumber(number)
	return parts ? `+${parts.code} ${groupNational(parts.code, parts.national)}`.trimEnd() : `+${number}`
}

/** Returns true when a chat's key is a business-scoped user id, which Meta uses for people who hide their number. */
export function isUserId(key: string): boolean {
	return /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/.test(key)
}

/**
 * Converts WhatsApp's form of a number to the dialled form: Mexican mobiles lose the 1 after the code, Argentine ones
 * the 9, Brazilian ones gain the ninth digit. Returns other numbers and ids unchanged.
 */
export function dialledForm(number: string): string {
	if (number.startsWith('521')) return number.replace(/^521(\d{10})$/, '52$1')
	if (number.startsWith('54')) return number.replace(/^54([1-3]\d{9})$/, '549$1')
	if (number.startsWith('55')) return number.replace(/^55([1-9]\d)([6-9]\d{7})$/, '55$19$2')
	return number
}

/** Returns a number and its other form, which WhatsApp or an older row may use for the same person. */
export function formsOf(number: string): string[] {
	const dialled = dialledForm(number)
	const [, mexican] = /^52(\d{10})$/.exec(dialled) ?? []
	const [, argentine] = /^549([1-3]\d{9})$/.exec(dialled) ?? []
	const [, area = '', brazilian] = /^55([1-9]\d)9([6-9]\d{7})$/.exec(dialled) ?? []
	if (mexican) return [dialled, `521${mexican}`]
	if (argentine) return [dialled, `54${argentine}`]
	return brazilian ? [dialled, `55${area}${brazilian}`] : [number]
}

/** Fewest digits with which a text counts as a spelling of a number. */
const MIN_SPELLED = 7

/**
 * Returns true when the text is this number as people write it: with or without plus, country code, zeros in front, spaces,
 * dashes and brackets. Must agree with `isOwnNumber` in the merge columns.
 */
export function isSpellingOf(text: string, number: string): boolean {
	if (/[^0-9+ ().-]/.test(text)) return false
	const digits = text.replace(/\D/g, '').replace(/^0+/, '')
	return digits.length >= MIN_SPELLED && number.endsWith(digits)
}
