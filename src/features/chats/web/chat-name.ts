import { displayNumber } from '#lib/phone.ts'
import { isUserId } from '../rules.ts'

/** How a chat's key is read: people who hide their number have an id instead, which tells nobody anything. */
export function numberLabel(key: string): string {
	return isUserId(key) ? 'Number hidden by WhatsApp' : displayNumber(key)
}

/** The first letter of a name, or # for a number. */
export function initialOf(name: string): string {
	const letter = /\p{L}/u.exec(name)?.[0]
	return letter ? letter.toUpperCase() : '#'
}
