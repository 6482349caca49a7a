import type { Component } from '../contract.ts'
import { countedTarget } from '../counted-link.ts'
import { isNumber, variablesIn } from '../placeholders.ts'
import { hasOfferEnd, OFFER_END_KEY } from './offer-end.ts'
import { componentsIn, findComponent, partsOf, type TemplatePart } from './parts.ts'

export type TextPlace = 'header' | 'body'

/** Variable of a template that needs a value before sending: its key and place. */
export interface Slot {
	key: string
	place: 'header' | 'body' | 'button' | 'offer'
	/** Number of the placeholder; for a named variable, its position among the named ones, from 1. */
	number: number
	/** Name of a named variable. */
	name?: string
	/** Index of a button in the list. */
	index?: number
	/** Index of the card that has the variable; absent for the template itself. */
	card?: number
	/** The field that the value fills; absent for a placeholder of a text. */
	fills?: 'url' | 'code' | 'ends' | LocationField
}

const LOCATION_FIELDS = ['name', 'address', 'latitude', 'longitude'] as const
export type LocationField = (typeof LOCATION_FIELDS)[number]

/** Returns the key of a text variable's value. */
export function keyOf(place: TextPlace, variable: string, card: number | null = null): string {
	return cardPrefix(card) + (isNumber(variable) ? numberedKey(place, variable) : namedKey(place, variable))
}

function numberedKey(place: TextPlace, variable: string): string {
	return `${place === 'body' ? 'var' : 'header'}${variable}`
}

function namedKey(place: TextPlace, variable: string): string {
	return place === 'body' ? variable : `header_${variable}`
}

/** Returns the beginning of the keys of one part: `card1_` for the first card, empty for the template itself. */
function cardPrefix(card: number | null): string {
	return card === null ? '' : `card${card + 1}_`
}

/** Returns true for a value that is the same for all recipients of a campaign, and so may hold no merge tag. */
export function isFixed({ fills }: Slot): boolean {
	return fills === 'ends' || (fills !== undefined && isLocationField(fills))
}

function isLocationField(fills: string): fills is LocationField {
	return LOCATION_FIELDS.some((field) => field === fills)
}

/** Returns the key of a value of the location header. */
export function locationKey(field: LocationField): string {
	return `location_${field}`
}

/** Returns all variables of a template: of its header, offer, body and buttons, then those of each card. */
export function slotsOf(components: readonly Component[]): Slot[] {
	return partsOf(components).flatMap(slotsOfPart)
}

function slotsOfPart({ card, components }: TemplatePart): Slot[] {
	const of = card === null ? {} : { card }
	const textSlots = (place: TextPlace) =>
		variablesIn(findComponent(components, place.toUpperCase())?.text ?? '').map((variable, index): Slot => {
			const key = keyOf(place, variable, card)
			if (isNumber(variable)) return { key, place, number: Number(variable), ...of }
			return { key, place, number: index + 1, name: variable, ...of }
		})
	const buttons = findComponent(components, 'BUTTONS')?.buttons ?? []
	return [
		...textSlots('header'),
		...(isLocationHeader(components)
			? LOCATION_FIELDS.map((fills): Slot => ({ key: locationKey(fills), place: 'header', number: 1, fills }))
			: []),
		...(hasOfferEnd(components)
			? [{ key: OFFER_END_KEY, place: 'offer', number: 1, fills: 'ends' } satisfies Slot]
			: []),
		...textSlots('body'),
		...buttons.flatMap((button, index): Slot[] => {
			const at = { place: 'button', number: 1, index, ...of } as const
			if (button.type === 'COPY_CODE') return [{ ...at, key: `${cardPrefix(card)}code${index + 1}`, fills: 'code' }]
			const hasVariable = button.type === 'OTP' || variablesIn(button.url ?? '').length > 0
			// The ending of a counted link is set for each message.
			if (!hasVariable || countedTarget(button) !== null) return []
			return [{ ...at, key: `${cardPrefix(card)}url${index + 1}`, fills: 'url' }]
		}),
	]
}

export function isLocationHeader(components: readonly Component[]): boolean {
	return findComponent(components, 'HEADER')?.format?.toUpperCase() === 'LOCATION'
}

const LOCATION_LABELS: Record<LocationField, string> = {
	name: 'Name of the place',
	address: 'Address of the place',
	latitude: 'Latitude',
	longitude: 'Longitude',
}

/** Returns the label of a slot in a form. */
export function slotLabel(slot: Slot, components: readonly Component[]): string {
	const { card } = slot
	const label = labelInPart(slot, components)
	return card === undefined ? label : `Card ${card + 1}: ${label}`
}

/** Returns the label of a variable beneath the name of its card. */
export function labelInPart(slot: Slot, all: readonly Component[]): string {
	const components = componentsIn(all, slot)
	const { fills, name = slot.number } = slot
	if (fills === 'ends') return 'End of the offer'
	if (fills !== undefined && isLocationField(fills)) return LOCATION_LABELS[fills]
	if (slot.place === 'header') return `Header variable ${name}`
	if (slot.place === 'body') return `Variable ${name}`
	if (fills === 'code') return 'Offer code'
	const button = findComponent(components, 'BUTTONS')?.buttons?.[slot.index ?? 0]
	if (button?.type === 'OTP' || button?.url?.includes('/otp/')) return 'Code that the button copies'
	return `End of the link behind “${button?.text ?? 'the button'}”`
}

const SENT_COMPONENTS = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'LIMITED_TIME_OFFER', 'CAROUSEL'])
const SENT_CARD_COMPONENTS = new Set(['HEADER', 'BODY', 'BUTTONS'])
const SENT_HEADERS = new Set(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'])
const SENT_CARD_HEADERS = new Set(['IMAGE', 'VIDEO'])
const SENT_BUTTONS = new Set([
	'QUICK_REPLY',
	'URL',
	'PHONE_NUMBER',
	'COPY_CODE',
	'OTP',
	'REQUEST_CONTACT_INFO',
	'FLOW',
	'CATALOG',
])
const SENT_CARD_BUTTONS = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER'])

/**
 * Returns the part of a template that needs a value which campaigns cannot provide; null when the template can be sent.
 */
export function unsendablePart(components: readonly Component[]): string | null {
	for (const { card, components: part } of partsOf(components)) {
		const found = unsendableIn(part, card !== null)
		if (found) return card === null ? found : `cards with ${found}`
	}
	return null
}

function unsendableIn(components: readonly Component[], isCard: boolean): string | null {
	const [parts, headers, sentButtons] = isCard
		? [SENT_CARD_COMPONENTS, SENT_CARD_HEADERS, SENT_CARD_BUTTONS]
		: [SENT_COMPONENTS, SENT_HEADERS, SENT_BUTTONS]
	for (const { type, format = 'TEXT', buttons = [], cards = [] } of components) {
		const kind = type.toUpperCase()
		if (!parts.has(kind) || (kind === 'CAROUSEL' && cards.length === 0)) return `a part of the kind ${kind}`
		if (kind === 'HEADER' && !headers.has(format.toUpperCase())) return `a header of the kind ${format.toUpperCase()}`
		const button = buttons.find((each) => !sentButtons.has(each.type.toUpperCase()))
		if (button) return `a button of the kind ${button.type.toUpperCase()}`
	}
	return null
}
