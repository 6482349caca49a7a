import { displayNumber } from '#lib/phone.ts'

/** How a chat's key is read: people who hide their number have an id instead, which tells nobody anything. */
export function numberLabel(number: string): string {
	return /^\d{5,15}$/.test(number) ? displayNumber(number) : 'Number hidden by WhatsApp'
}

/** A name that is only the number is shown as numbers are. */
export function nameLabel({ name, number }: { name: string; number: string }): string {
	return name === number || !name ? numberLabel(number) : name
}

/** The first letter of a name, or # for a number. */
export function initialOf(name: string): string {
	const letter = /\p{L}/u.exec(name)?.[0]
	return letter ? letter.toUpperCase() : '#'
}
