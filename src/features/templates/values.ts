import { countCharacters } from '#lib/characters.ts'
import { formatCount } from '#lib/numbers.ts'
import type { Component } from './contract.ts'
import { countedTarget } from './counted-link.ts'
import { MAX_BODY_LENGTH, MAX_HEADER_LENGTH } from './limits.ts'
import { fillVariables, isNumber, variablesIn } from './placeholders.ts'

/**
 * The values a campaign fills in: var1, var2, … for the body's {{1}}, {{2}}, header1 for the header's; a named variable's own
 * name for the body's {{first_name}}, header_first_name for the header's; url1 and code1 for what the first button needs.
 */
export type Variables = Record<string, string>

export type TextPlace = 'header' | 'body'

/** Returns the key of a variable's value. */
export function keyOf(place: TextPlace, variable: string): string {
	if (isNumber(variable)) return `${place === 'body' ? 'var' : 'header'}${variable}`
	return place === 'body' ? variable : `header_${variable}`
}

export function findComponent(components: readonly Component[], type: string): Component | undefined {
	return components.find((component) => component.type.toUpperCase() === type)
}

/** A value to fill in before a template can be sent: the variable's key and its place. */
export interface Slot {
	key: string
	place: 'header' | 'body' | 'button'
	/** The placeholder's number in its text; of a named one, its place among them, from 1. */
	number: number
	/** Of a named variable. */
	name?: string
	/** For a button, its position in the list, and what of it is filled in. */
	index?: number
	fills?: 'url' | 'code'
}

export function slotsOf(components: readonly Component[]): Slot[] {
	const textSlots = (place: TextPlace) =>
		variablesIn(findComponent(components, place.toUpperCase())?.text ?? '').map((variable, index): Slot => {
			const key = keyOf(place, variable)
			if (isNumber(variable)) return { key, place, number: Number(variable) }
			return { key, place, number: index + 1, name: variable }
		})
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	return [
		...textSlots('header'),
		...textSlots('body'),
		...buttons.flatMap((button, index): Slot[] => {
			const at = { place: 'button', number: 1, index } as const
			if (button.type === 'COPY_CODE') return [{ ...at, key: `code${index + 1}`, fills: 'code' }]
			const hasVariable = button.type === 'OTP' || variablesIn(button.url ?? '').length > 0
			// The end of a counted link is filled in for each message by itself.
			return hasVariable && countedTarget(button) === null ? [{ ...at, key: `url${index + 1}`, fills: 'url' }] : []
		}),
	]
}

const SENT_COMPONENTS = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'])
const SENT_HEADERS = new Set(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'])
const SENT_BUTTONS = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP'])

/** What of a template needs something at sending that a campaign has no place for; null when it can be sent. */
export function unsendablePart(components: readonly Component[]): string | null {
	for (const { type, format = 'TEXT', buttons = [] } of components) {
		const kind = type.toUpperCase()
		if (!SENT_COMPONENTS.has(kind)) return `a part of the kind ${kind}`
		if (kind === 'HEADER' && !SENT_HEADERS.has(format.toUpperCase()))
			return `a header of the kind ${format.toUpperCase()}`
		const button = buttons.find((each) => !SENT_BUTTONS.has(each.type.toUpperCase()))
		if (button) return `a button of the kind ${button.type.toUpperCase()}`
	}
	return null
}

/** How a form calls a slot. */
export function slotLabel(slot: Slot, components: readonly Component[]): string {
	const written = `{{${slot.name ?? slot.number}}}`
	if (slot.place === 'header') return `Header variable ${written}`
	if (slot.place === 'body') return `Variable ${written}`
	if (slot.fills === 'code') return 'Offer code'
	const button = findComponent(components, 'BUTTONS')?.buttons?.[slot.index ?? 0]
	if (button?.type === 'OTP' || button?.url?.includes('/otp/')) return 'Code that the button copies'
	return `End of the link behind “${button?.text ?? 'the button'}”`
}

/** A piece of a variable's value: plain text, or a merge tag with the text to use where a recipient has none. */
export type Piece = { text: string } | TagPiece

interface TagPiece {
	tag: string
	fallback: string | null
}

const TAG = /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g

/**
 * Tells whether a value has braces that form no merge tag: an unclosed {{, an empty {{}}, a tag within a tag, or a third brace
 * around one. They would be sent as they stand.
 */
export function hasStrayTagBraces(value: string): boolean {
	return /\{\{|\}\}|\{\0|\0\}/.test(value.replaceAll('\0', '').replace(TAG, '\0'))
}

/** Returns the form in which names of merge tags and of custom fields are compared: without case and surrounding spaces. */
export function tagKey(name: string): string {
	return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Returns the tag that a name means among those that exist: the same name, else one that differs in case or spaces. */
export function findTag(name: string, tags: readonly string[]): string | undefined {
	if (tags.includes(name)) return name
	const key = tagKey(name)
	return tags.find((tag) => tagKey(tag) === key)
}

/** Returns the variables with their merge tags named as they exist: {{city}} is {{City}}. Unknown tags stay as typed. */
export function withKnownTags(variables: Variables, tags: readonly string[]): Variables {
	const rename = (whole: string, name: string, fallback?: string) => {
		const known = findTag(name.trim(), tags)
		if (known === undefined || known === name) return whole
		return `{{${known}${fallback === undefined ? '' : `|${fallback}`}}}`
	}
	return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value.replace(TAG, rename)]))
}

/** "Hi {{firstName|friend}}" is the text "Hi " and the tag firstName with the fallback "friend". */
export function parseValue(value: string): Piece[] {
	const pieces: Piece[] = []
	let end = 0
	for (const match of value.matchAll(TAG)) {
		if (match.index > end) pieces.push({ text: value.slice(end, match.index) })
		pieces.push({ tag: match[1]?.trim() ?? '', fallback: match[2]?.trim() || null })
		end = match.index + match[0].length
	}
	if (end < value.length) pieces.push({ text: value.slice(end) })
	return pieces
}

/** The fallback of a tag as it is being typed, spaces included; empty without one. */
export function fallbackOf(value: string, tag: string): string {
	return Array.from(value.matchAll(TAG)).find(([, name]) => name?.trim() === tag)?.[2] ?? ''
}

/** The value with this fallback wherever it uses the tag; an empty one is none. */
export function withFallback(value: string, tag: string, fallback: string): string {
	const text = fallback.replace(/[{}]/g, '')
	return value.replace(TAG, (whole, name: string) => (name.trim() === tag ? `{{${tag}${text && `|${text}`}}}` : whole))
}

/** Merge tags that every contact has; an uploaded file adds its own columns. */
export const CONTACT_TAGS = ['firstName', 'lastName', 'number'] as const

/** The merge tags used in the variables, each once, in the order of use. */
export function mergeTags(variables: Variables): string[] {
	return tagsWhere(variables, () => true)
}

/** Those that need a value for every recipient, as they are used without a fallback somewhere. */
export function tagsWithoutFallback(variables: Variables): string[] {
	return tagsWhere(variables, ({ fallback }) => fallback === null)
}

function tagsWhere(variables: Variables, isMeant: (piece: TagPiece) => boolean): string[] {
	const pieces = Object.values(variables).flatMap(parseValue)
	return [...new Set(pieces.flatMap((piece) => ('tag' in piece && isMeant(piece) ? [piece.tag] : [])))]
}

/** The value with its merge tags replaced; `find` gives a recipient's value, or null where there is none. */
export function fillValue(pieces: readonly Piece[], find: (tag: string) => string | null): string {
	return pieces.map((piece) => ('text' in piece ? piece.text : (find(piece.tag) ?? piece.fallback ?? ''))).join('')
}

/** The same of each of a campaign's values. */
export function fillValues(variables: Variables, find: (tag: string) => string | null): Variables {
	return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, fillValue(parseValue(value), find)]))
}

/** Why Meta would refuse a value, or null when it would not. */
export function valueError(value: string): string | null {
	if (value.trim() === '') return 'is empty'
	if (/[\n\r]/.test(value)) return 'has a line break'
	if (value.includes('\t')) return 'has a tab'
	if (/ {5,}/.test(value)) return 'has more than four spaces in a row'
	return null
}

/** How many characters the filled header and body may have. */
export const MAX_FILLED: Record<TextPlace, number> = { header: MAX_HEADER_LENGTH, body: MAX_BODY_LENGTH }

/**
 * What becomes too long by the values whatever the recipients' own are, with the key of its first value; null when nothing
 * does. Meta would refuse such a message for everyone.
 */
export function lengthError(
	components: readonly Component[],
	variables: Variables,
): { key: string; message: string } | null {
	const shortest = fillValues(variables, () => ' ')
	for (const place of ['header', 'body'] as const) {
		const limit = MAX_FILLED[place]
		const text = previewText(findComponent(components, place.toUpperCase())?.text ?? '', place, shortest)
		const slot = slotsOf(components).find((each) => each.place === place)
		const length = countCharacters(text)
		if (slot && length > limit) {
			const message = `With these values the ${place} is ${formatCount(length)} characters long. WhatsApp takes ${formatCount(limit)}.`
			return { key: slot.key, message }
		}
	}
	return null
}

/** A text with its placeholders replaced, for previews: a placeholder without value stays visible. */
export function previewText(text: string, place: TextPlace, variables: Variables): string {
	return fillVariables(text, (variable) => variables[keyOf(place, variable)])
}

/** A template's components with their variables filled in, for previews. */
export function previewComponents(components: readonly Component[], variables: Variables): Component[] {
	return components.map((component) => {
		const place = component.type.toLowerCase()
		const { text } = component
		return text && (place === 'header' || place === 'body')
			? { ...component, text: previewText(text, place, variables) }
			: component
	})
}
