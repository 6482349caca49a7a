import { formatCount } from '#lib/numbers.ts'
import { countCharacters } from '#lib/text/characters.ts'
import type { Component } from './contract.ts'
import { hasOfferEnd, OFFER_END_KEY, readOfferEnd } from './kinds/offer-end.ts'
import { findComponent, mapParts, mediaPlacesOf, partsOf } from './kinds/parts.ts'
import { isLocationHeader, keyOf, locationKey, type LocationField, type TextPlace } from './kinds/slots.ts'
import { MAX_BODY_LENGTH, MAX_CARD_BODY_LENGTH, MAX_HEADER_LENGTH, MAX_OFFER_BODY_LENGTH } from './limits.ts'
import { fillVariables, variablesIn } from './placeholders.ts'

export { OFFER_END_KEY, readOfferEnd } from './kinds/offer-end.ts'
export { fixedFault } from './kinds/fixed-values.ts'
export {
	cardsOf,
	componentsIn,
	findComponent,
	mediaPlacesOf,
	partsOf,
	type MediaPlace,
	type TemplatePart,
} from './kinds/parts.ts'
export {
	isFixed,
	isLocationHeader,
	keyOf,
	labelInPart,
	slotLabel,
	slotsOf,
	unsendablePart,
	type Slot,
	type TextPlace,
} from './kinds/slots.ts'
export { splitVariables } from './placeholders.ts'

/**
 * Values of a campaign by key: var1, var2, … for the body's {{1}}, {{2}}; header1 for the header's; a named variable's
 * own name for the body, header_first_name for the header; url1 and code1 for the first button. Keys of the first card's
 * values begin with card1_, such as card1_var1 and card1_url1. offer_ends is the end of a limited-time offer; location_name,
 * location_address, location_latitude and location_longitude fill a location header.
 */
export type Variables = Record<string, string>

/** The files of a template's header and of its cards' headers, as keys of the storage. */
export interface MediaFiles {
	/** Null without a copy of the header's file. */
	headerFile: string | null
	/** One per card, null for a card without a copy; null for a template without cards. */
	cardFiles?: readonly (string | null)[] | null
}

/** Returns the stored files of a template's media headers, in the order of `mediaPlacesOf`; null for a missing copy. */
export function mediaFilesOf({
	components,
	headerFile,
	cardFiles,
}: { components: readonly Component[] } & MediaFiles): (string | null)[] {
	return mediaPlacesOf(components).map(({ card }) => (card === null ? headerFile : (cardFiles?.[card] ?? null)))
}

/** Returns true when a header is a file without a copy here, so that the template cannot be sent. */
export function needsHeaderFile(template: { components: readonly Component[] } & MediaFiles): boolean {
	return mediaFilesOf(template).some((file) => !file)
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

/** Returns the reason why Meta would refuse a value, as in "is empty"; null when Meta would accept it. */
export function valueError(value: string): string | null {
	if (value.trim() === '') return 'is empty'
	if (/[\n\r]/.test(value)) return 'has a line break'
	if (value.includes('\t')) return 'has a tab'
	if (/ {5,}/.test(value)) return 'has more than four spaces in a row'
	return null
}

/** Returns the maximum characters of the filled header or body of one part of a template. */
export function maxFilled(place: TextPlace, components: readonly Component[], card: number | null): number {
	if (place === 'header') return MAX_HEADER_LENGTH
	if (card !== null) return MAX_CARD_BODY_LENGTH
	return findComponent(components, 'LIMITED_TIME_OFFER') ? MAX_OFFER_BODY_LENGTH : MAX_BODY_LENGTH
}

/**
 * Returns an error with the key of its first value when a header or body is too long for every recipient; null
 * otherwise.
 */
export function lengthError(
	components: readonly Component[],
	variables: Variables,
): { key: string; message: string } | null {
	const shortest = fillValues(variables, () => ' ')
	const places = partsOf(components).flatMap((part) => [
		{ ...part, place: 'header' as const },
		{ ...part, place: 'body' as const },
	])
	for (const { card, place, components: part } of places) {
		const limit = maxFilled(place, components, card)
		const text = findComponent(part, place.toUpperCase())?.text ?? ''
		const [first] = variablesIn(text)
		const length = countCharacters(fillVariables(text, (variable) => shortest[keyOf(place, variable, card)]))
		if (first !== undefined && length > limit) {
			const where = card === null ? place : `${place} of card ${card + 1}`
			const message = `With these values the ${where} is ${formatCount(length)} characters long. WhatsApp takes ${formatCount(limit)}.`
			return { key: keyOf(place, first, card), message }
		}
	}
	return null
}

/** Fills in the variables of a template's components for previews. A placeholder without a value remains. */
export function previewComponents(components: readonly Component[], variables: Variables): Component[] {
	return mapParts(components, (component, card) => {
		const place = component.type.toLowerCase()
		const { text } = component
		if (place === 'limited_time_offer') return withOfferEnd(component, variables)
		if (place === 'header' && isLocationHeader([component])) return { ...component, location: locationIn(variables) }
		return text && (place === 'header' || place === 'body')
			? { ...component, text: fillVariables(text, (variable) => variables[keyOf(place, variable, card)]) }
			: component
	})
}

/** Adds the end of the offer in milliseconds since 1970, as `expiration_time_ms`. */
function withOfferEnd(component: Component, variables: Variables): Component {
	const ends = readOfferEnd(variables[OFFER_END_KEY] ?? '')
	const offer = component.limited_time_offer
	return ends === null || !offer
		? component
		: { ...component, limited_time_offer: { ...offer, expiration_time_ms: ends } }
}

/** Returns true when the limited-time offer of a campaign has ended. Returns false when each message has its own end. */
export function hasOfferEnded({
	components,
	variables,
}: {
	components: readonly Component[]
	variables: Variables
}): boolean {
	const ends = hasOfferEnd(components) ? readOfferEnd(variables[OFFER_END_KEY] ?? '') : null
	return ends !== null && ends <= Date.now()
}

/** Returns the values of the location header, as texts; a field without a value is empty. */
export function locationIn(variables: Variables): Record<LocationField, string> {
	const valueOf = (field: LocationField) => (variables[locationKey(field)] ?? '').trim()
	return {
		name: valueOf('name'),
		address: valueOf('address'),
		latitude: valueOf('latitude'),
		longitude: valueOf('longitude'),
	}
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
