import { displayNumber, isUserId } from '#lib/phone/phone.ts'

/** Returns a chat's number for display, or a note when the customer hides it and the key is a user id. */
export function numberLabel(key: string): string {
	return isUserId(key) ? 'Number hidden by WhatsApp' : displayNumber(key)
}

/** Returns the first letter of a name, or # for a number. */
export function avatarLetter(name: string): string {
	const letter = /\p{L}/u.exec(name)?.[0]
	return letter ? letter.toUpperCase() : '#'
}
