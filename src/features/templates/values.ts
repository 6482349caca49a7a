import { formatCount } from '#lib/numbers.ts'
import { countCharacters } from '#lib/text/characters.ts'
import type { Component } from './contract.ts'
import { countedTarget } from './counted-link.ts'
import { isMediaHeader, MAX_BODY_LENGTH, MAX_HEADER_LENGTH, type MediaHeader } from './limits.ts'
import { fillVariables, isNumber, variablesIn } from './placeholders.ts'

export { splitVariables } from './placeholders.ts'

/**
 * Values of a campaign by key: var1, var2, … for the body's {{1}}, {{2}}; header1 for the header's; a named variable's
 * own name for the body, header_first_name for the header; url1 and code1 for the first button.
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

/** Returns the kind of file in a template's header; null for a text header, or none. */
export function mediaHeaderOf({ components }: { components: readonly Component[] }): MediaHeader | null {
	const format = findComponent(components, 'HEADER')?.format?.toUpperCase() ?? ''
	return isMediaHeader(format) ? format : null
}

/** Returns true when the header is a file without a copy here, so that the template cannot be sent. */
export function needsHeaderFile(template: { components: readonly Component[]; headerFile: string | null }): boolean {
	return mediaHeaderOf(template) !== null && !template.headerFile
}

/** Variable of a template that needs a value before sending: its key and place. */
export interface Slot {
	key: string
	place: 'header' | 'body' | 'button'
	/** Number of the placeholder; for a named variable, its position among the named ones, from 1. */
	number: number
	/** Name of a named variable. */
	name?: string
	/** Index of a button in the list, and the field that is filled in. */
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
			// The ending of a counted link is set for each message.
			return hasVariable && countedTarget(button) === null ? [{ ...at, key: `url${index + 1}`, fills: 'url' }] : []
		}),
	]
}

const SENT_COMPONENTS = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'])
const SENT_HEADERS = new Set(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'])
const SENT_BUTTONS = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP', 'REQUEST_CONTACT_INFO'])

/**
 * Returns the part of a template that needs a value which campaigns cannot provide; null when the template can be sent.
 */
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

/** Returns the label of a slot in a form. */
export function slotLabel(slot: Slot, components: readonly Component[]): string {
	const name = slot.name ?? slot.number
	if (slot.place === 'header') return `Header variable ${name}`
	if (slot.place === 'body') return `Variable ${name}`
	if (slot.fills === 'code') return 'Offer code'
	const button = findComponent(components, 'BUTTONS')?.buttons?.[slot.index ?? 0]
	if (button?.type === 'OTP' || button?.url?.includes('/otp/')) return 'Code that the button copies'
	return `End of the link behind “${button?.text ?? 'the button'}”`
}

/** Piece of a variable's value: plain text, or a merge tag with its fallback. */
export type Piece = { text: string } | TagPiece

interface TagPiece {
	tag: string
	fallback: string | null
}

const TAG = /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g

/**
 * Returns true when a value has braces that form no merge tag: an unclosed {{, an empty {{}}, a nested tag, or a third
 * brace. They would be sent literally.
 */
export function hasStrayTagBraces(value: string): boolean {
	return /\{\{|\}\}|\{\0|\0\}/.test(value.replaceAll('\0', '').replace(TAG, '\0'))
}

/**
 * Returns the form in which names of merge tags and custom fields are compared: without case and surrounding spaces.
 */
export function tagKey(name: string): string {
	return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/**
 * Returns the existing tag that a name refers to: the same name, else one that differs in case or spaces; undefined
 * without one.
 */
export function findTag(name: string, tags: readonly string[]): string | undefined {
	if (tags.includes(name)) return name
	const key = tagKey(name)
	return tags.find((tag) => tagKey(tag) === key)
}

/**
 * Returns the variables with merge tags spelled as they exist: {{city}} becomes {{City}}. Unknown tags remain as typed.
 */
export function withKnownTags(variables: Variables, tags: readonly string[]): Variables {
	const rename = (whole: string, name: string, fallback?: string) => {
		const known = findTag(name.trim(), tags)
		if (known === undefined || known === name) return whole
		return `{{${known}${fallback === undefined ? '' : `|${fallback}`}}}`
	}
	return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value.replace(TAG, rename)]))
}

/**
 * Splits a value into pieces: "Hi {{firstName|friend}}" is the text "Hi " and the tag firstName with the fallback
 * "friend".
 */
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

/** Returns the fallback of a tag while it is typed, including spaces; empty without one. */
export function fallbackOf(value: string, tag: string): string {
	return Array.from(value.matchAll(TAG)).find(([, name]) => name?.trim() === tag)?.[2] ?? ''
}

/** Sets the fallback of a tag wherever the value uses it; an empty fallback removes it. */
export function withFallback(value: string, tag: string, fallback: string): string {
	const text = fallback.replace(/[{}]/g, '')
	return value.replace(TAG, (whole, name: string) => (name.trim() === tag ? `{{${tag}${text && `|${text}`}}}` : whole))
}

/** Merge tags that every contact has; an uploaded file adds its columns. */
export const CONTACT_TAGS = ['firstName', 'lastName', 'number'] as const

/** Returns the distinct merge tags of the variables, in the order of their first use. */
export function mergeTags(variables: Variables): string[] {
	return tagsWhere(variables, () => true)
}

/** Returns the tags that need a value for every recipient, because some use has no fallback. */
export function tagsWithoutFallback(variables: Variables): string[] {
	return tagsWhere(variables, ({ fallback }) => fallback === null)
}

function tagsWhere(variables: Variables, isMeant: (piece: TagPiece) => boolean): string[] {
	const pieces = Object.values(variables).flatMap(parseValue)
	return [...new Set(pieces.flatMap((piece) => ('tag' in piece && isMeant(piece) ? [piece.tag] : [])))]
}

/** Replaces the merge tags of a value. `find` returns a recipient's value, or null. */
export function fillValue(pieces: readonly Piece[], find: (tag: string) => string | null): string {
	return pieces.map((piece) => ('text' in piece ? piece.text : (find(piece.tag) ?? piece.fallback ?? ''))).join('')
}

/** Replaces the merge tags of all values of a campaign. */
export function fillValues(variables: Variables, find: (tag: string) => string | null): Variables {
	return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, fillValue(parseValue(value), find)]))
}

/** Returns the reason why Meta would refuse a value; null when Meta would accept it. */
export function valueError(value: string): string | null {
	if (value.trim() === '') return 'is empty'
	if (/[\n\r]/.test(value)) return 'has a line break'
	if (value.includes('\t')) return 'has a tab'
	if (/ {5,}/.test(value)) return 'has more than four spaces in a row'
	return null
}

/** Maximum characters of the filled header and body. */
export const MAX_FILLED: Record<TextPlace, number> = { header: MAX_HEADER_LENGTH, body: MAX_BODY_LENGTH }

/**
 * Returns an error with the key of its first value when the header or body is too long for every recipient; null
 * otherwise.
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

/** Replaces the placeholders of a text for previews. A placeholder without a value remains. */
export function previewText(text: string, place: TextPlace, variables: Variables): string {
	return fillVariables(text, (variable) => variables[keyOf(place, variable)])
}

/** Fills in the variables of a template's components for previews. */
export function previewComponents(components: readonly Component[], variables: Variables): Component[] {
	return components.map((component) => {
		const place = component.type.toLowerCase()
		const { text } = component
		return text && (place === 'header' || place === 'body')
			? { ...component, text: previewText(text, place, variables) }
			: component
	})
}

/** The template and values of one recipient's message. */
export interface RecipientMessage {
	components: Component[]
	variables: Variables
	mergeTags: string[]
	/** The values, in the order of the tags. */
	mergeValues: (string | null)[] | null
}

/** Returns the components of a template with the recipient's values filled in. */
export function componentsAsRead({ components, variables, ...message }: RecipientMessage): Component[] {
	const find = (tag: string) => message.mergeValues?.[message.mergeTags.indexOf(tag)] ?? null
	return previewComponents(components, fillValues(variables, find))
}
