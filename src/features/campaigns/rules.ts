import type { Component } from '#features/templates/contract.ts'
import type { MessageStatus } from './contract.ts'

/**
 * A message's status only rises in this order, whatever order reports come in: `failed` replaces pending and sent,
 * while delivered and read replace a failure that was reported too soon. Taking the highest makes repeated, late and
 * shuffled reports give the same result.
 */
export const STATUS_ORDER: readonly MessageStatus[] = ['pending', 'sent', 'failed', 'delivered', 'read']

export function higherStatus(a: MessageStatus, b: MessageStatus): MessageStatus {
	return STATUS_ORDER.indexOf(a) >= STATUS_ORDER.indexOf(b) ? a : b
}

/** Our own reasons for a failure, beside Meta's error codes, which are positive. */
export const OWN_ERRORS = {
	/** No report confirmed it within UNKNOWN_AFTER. The only failure that a later `sent` undoes. */
	unconfirmed: { code: -1, text: 'Delivery could not be confirmed' },
	cancelled: { code: -2, text: 'Cancelled before it was sent' },
	expired: { code: -3, text: 'Not delivered within 30 days' },
	notRun: { code: -4, text: 'The campaign could not run' },
	optedOut: { code: -5, text: 'Opted out before it was sent' },
} as const

/** Failures that say that a message was never sent: they hold for pending messages alone, as a report may have come since. */
export const NEVER_SENT_CODES: readonly number[] = [
	OWN_ERRORS.cancelled.code,
	OWN_ERRORS.notRun.code,
	OWN_ERRORS.optedOut.code,
]

/** A message's status, and why it failed if it did. */
export interface MessageState {
	status: MessageStatus
	errorCode: number | null
}

/**
 * Whether a report or a decision of ours changes a message. One that would lower its status, or repeats it, changes nothing:
 * only an unconfirmed failure gives way to any word of the network. That a message is unconfirmed, or was never sent, counts
 * only while it is pending.
 */
export function advances(from: MessageState, to: MessageState): boolean {
	const { code: unconfirmed } = OWN_ERRORS.unconfirmed
	if (from.status === 'pending') return to.status !== 'pending'
	const toCode = to.status === 'failed' ? (to.errorCode ?? 0) : 0
	if (toCode === unconfirmed || NEVER_SENT_CODES.includes(toCode)) return false
	if (STATUS_ORDER.indexOf(to.status) > STATUS_ORDER.indexOf(from.status)) return true
	const isUnconfirmed = from.status === 'failed' && from.errorCode === unconfirmed
	return isUnconfirmed && (to.status === 'sent' || to.status === 'failed') && toCode >= 0
}

/** The values a campaign fills in are named var1, var2, … for the body, header1 and url1 for the other places. */
export type Variables = Record<string, string>

/** The placeholders of a template's text in order of their number, each once: "Hi {{2}}, {{1}}" gives 1, 2. */
export function placeholders(text: string): number[] {
	const found = [...text.matchAll(/\{\{\s*(\d+)\s*\}\}/g)].map((match) => Number(match[1]))
	return [...new Set(found)].toSorted((a, b) => a - b)
}

export function findComponent(components: readonly Component[], type: string): Component | undefined {
	return components.find((component) => component.type.toUpperCase() === type)
}

/** What has to be filled in before a template can be sent: the variable's key and where it stands. */
export interface Slot {
	key: string
	place: 'header' | 'body' | 'button'
	/** The placeholder's number in its text. */
	number: number
	/** For a button, its position in the list. */
	index?: number
}

export function slotsOf(components: readonly Component[]): Slot[] {
	const header = placeholders(findComponent(components, 'HEADER')?.text ?? '')
	const body = placeholders(findComponent(components, 'BODY')?.text ?? '')
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	return [
		...header.map((number): Slot => ({ key: `header${number}`, place: 'header', number })),
		...body.map((number): Slot => ({ key: `var${number}`, place: 'body', number })),
		...buttons.flatMap((button, index): Slot[] =>
			placeholders(button.url ?? '').map((number) => ({ key: `url${index + 1}`, place: 'button', number, index })),
		),
	]
}

/** How a form calls a slot. */
export function slotLabel(slot: Slot, components: readonly Component[]): string {
	if (slot.place === 'header') return `Header variable {{${slot.number}}}`
	if (slot.place === 'body') return `Variable {{${slot.number}}}`
	const button = findComponent(components, 'BUTTONS')?.buttons?.[slot.index ?? 0]
	return `End of the link behind “${button?.text ?? 'the button'}”`
}

/** A piece of a variable's value: plain text, or a merge tag with the text to use where a recipient has none. */
export type Piece = { text: string } | { tag: string; fallback: string | null }

/** "Hi {{firstName|friend}}" is the text "Hi " and the tag firstName with the fallback "friend". */
export function parseValue(value: string): Piece[] {
	const pieces: Piece[] = []
	let end = 0
	for (const match of value.matchAll(/\{\{\s*([^{}|]+?)\s*(?:\|([^{}]*))?\}\}/g)) {
		if (match.index > end) pieces.push({ text: value.slice(end, match.index) })
		pieces.push({ tag: match[1] ?? '', fallback: match[2]?.trim() || null })
		end = match.index + match[0].length
	}
	if (end < value.length) pieces.push({ text: value.slice(end) })
	return pieces
}

/** Merge tags that every contact has; an uploaded file adds its own columns. */
export const CONTACT_TAGS = ['firstName', 'lastName', 'number'] as const

/** The merge tags used in the variables, each once. */
export function mergeTags(variables: Variables): string[] {
	const tags = Object.values(variables)
		.flatMap(parseValue)
		.flatMap((piece) => ('tag' in piece ? [piece.tag] : []))
	return [...new Set(tags)]
}

/** The value with its merge tags replaced; `find` gives a recipient's value, or null where there is none. */
export function fillValue(pieces: readonly Piece[], find: (tag: string) => string | null): string {
	return pieces.map((piece) => ('text' in piece ? piece.text : (find(piece.tag) ?? piece.fallback ?? ''))).join('')
}

/** Why Meta would refuse a value, or null when it would not. */
export function valueError(value: string): string | null {
	if (value.trim() === '') return 'is empty'
	if (/[\n\r]/.test(value)) return 'has a line break'
	if (value.includes('\t')) return 'has a tab'
	if (/ {5,}/.test(value)) return 'has more than four spaces in a row'
	return null
}

/** The body with its placeholders replaced, for previews: a placeholder without value stays visible. */
export function previewText(text: string, prefix: string, variables: Variables): string {
	return text.replace(/\{\{\s*(\d+)\s*\}\}/g, (whole, number: string) => variables[`${prefix}${number}`] || whole)
}
