import type { Component } from '#features/templates/contract.ts'
import { buttonsOf, countedTarget, placeOfButton } from '#features/templates/counted-link.ts'
import { linkBase, linkEnd } from '#features/templates/filled.ts'
import { isMediaHeader } from '#features/templates/limits.ts'
import {
	fillValue,
	findComponent,
	isLocationHeader,
	parseValue,
	partsOf,
	readOfferEnd,
	slotsOf,
	type Slot,
	type TemplatePart,
	type Variables,
} from '#features/templates/values.ts'
import { FILE_TAG, readMessageFile, type MessageFile } from '../message-file.ts'

/** A campaign's template and values, from which the components of its messages are made. */
export interface MessagePlan {
	components: readonly Component[]
	variables: Variables
	/** Meta's ids of the uploaded files: of the header, and of each card's header. */
	mediaId: string | null
	cardMediaIds?: readonly (string | null)[] | null
	headerFilename: string | null
	/** True when the value of `FILE_TAG` names the file of each recipient. */
	hasOwnFiles?: boolean
}

/** The facts of one message. */
export interface MessageFacts {
	/** Returns the recipient's value of a merge tag; null without one. */
	find: (tag: string) => string | null
	/** Returns the token at the end of the counted link of the button at this place (`placeOfButton`). */
	tokenOf: (place: number) => string
}

/** Error of a message that is not sent because the limited-time offer has ended. */
export class OfferEnded extends Error {}

/** A component that is the same for all messages, or how to make it for each of them. */
type Made = { same: object } | { each: (facts: MessageFacts) => object }

/**
 * Returns a function that makes the `components` of a template message as Meta's send call takes them. What is the same for
 * all messages is made once. The function throws `OfferEnded` once the offer has ended.
 */
export function createMessageComponents(plan: MessagePlan): (facts: MessageFacts) => object[] {
	const [own, ...cards] = partsOf(plan.components).map((part) => partComponents(plan, part))
	const all = cards.length > 0 ? [...(own ?? []), carouselOf(cards)] : (own ?? [])
	return (facts) => all.map((component) => madeFor(component, facts))
}

function madeFor(component: Made, facts: MessageFacts): object {
	return 'same' in component ? component.same : component.each(facts)
}

function carouselOf(cards: readonly Made[][]): Made {
	const each = (facts: MessageFacts) => ({
		type: 'carousel',
		cards: cards.map((card, card_index) => ({
			card_index,
			components: card.map((component) => madeFor(component, facts)),
		})),
	})
	return { each }
}

/** Returns the components of the template itself, or of one card. Buttons whose links are counted come last. */
function partComponents(plan: MessagePlan, { card, components }: TemplatePart): Made[] {
	const slots = slotsOf(plan.components).filter((slot) => (slot.card ?? null) === card)
	const inPart = (place: Slot['place']) => slots.filter((slot) => slot.place === place)
	return [
		...headerComponent(plan, { card, components, slots: inPart('header') }),
		...inPart('offer').map((slot) => offerComponent(plan, slot)),
		...textComponent(plan, 'body', inPart('body')),
		...inPart('button').map((slot) => buttonComponent(plan, slot)),
		...buttonsOf(plan.components)
			.filter((button) => button.card === card)
			.flatMap((placed) => countedButton(placed) ?? actionButton(placed)),
	]
}

function headerComponent(
	plan: MessagePlan,
	{ card, components, slots }: TemplatePart & { slots: readonly Slot[] },
): Made[] {
	if (isLocationHeader(components)) return [locationComponent(plan, slots)]
	const format = findComponent(components, 'HEADER')?.format?.toUpperCase() ?? ''
	const id = card === null ? plan.mediaId : plan.cardMediaIds?.[card]
	if (!isMediaHeader(format)) return textComponent(plan, 'header', slots)
	if (!id) return []
	const type = format.toLowerCase()
	const headerOf = ({ mediaId, name }: MessageFile) => {
		const media = { id: mediaId, ...(format === 'DOCUMENT' && { filename: name ?? 'document.pdf' }) }
		return { type: 'header', parameters: [{ type, [type]: media }] }
	}
	const shared = headerOf({ mediaId: id, name: plan.headerFilename })
	if (card !== null || !plan.hasOwnFiles) return [{ same: shared }]
	const each = ({ find }: MessageFacts) => {
		const own = find(FILE_TAG)
		return own === null ? shared : headerOf(readMessageFile(own))
	}
	return [{ each }]
}

function locationComponent(plan: MessagePlan, slots: readonly Slot[]): Made {
	return filled(plan, slots, (values) => {
		const location = Object.fromEntries(slots.map(({ fills = '' }, index) => [fills, values[index] ?? '']))
		return { type: 'header', parameters: [{ type: 'location', location }] }
	})
}

function offerComponent(plan: MessagePlan, slot: Slot): Made {
	const pieces = parseValue(plan.variables[slot.key] ?? '')
	const each = ({ find }: MessageFacts) => {
		const ends = readOfferEnd(fillValue(pieces, find))
		if (ends === null || ends <= Date.now()) throw new OfferEnded('the offer has ended')
		const limited_time_offer = { expiration_time_ms: ends }
		return { type: 'limited_time_offer', parameters: [{ type: 'limited_time_offer', limited_time_offer }] }
	}
	return { each }
}

function textComponent(plan: MessagePlan, type: 'header' | 'body', slots: readonly Slot[]): Made[] {
	if (slots.length === 0) return []
	const parametersOf = (values: readonly string[]) =>
		slots.map(({ name }, index) => ({
			type: 'text',
			...(name !== undefined && { parameter_name: name }),
			text: values[index],
		}))
	return [filled(plan, slots, (values) => ({ type, parameters: parametersOf(values) }))]
}

function buttonComponent(plan: MessagePlan, slot: Slot): Made {
	const base = slot.fills === 'url' ? linkBase(plan.components, slot) : null
	return filled(plan, [slot], ([value = '']) => {
		const button = { type: 'button', sub_type: slot.fills === 'code' ? 'copy_code' : 'url', index: String(slot.index) }
		if (slot.fills === 'code') return { ...button, parameters: [{ type: 'coupon_code', coupon_code: value }] }
		// A value with another base is sent unchanged, and WhatsApp refuses it.
		const text = base === null ? value : (linkEnd(base, value) ?? value)
		return { ...button, parameters: [{ type: 'text', text }] }
	})
}

type Placed = ReturnType<typeof buttonsOf>[number]

/** Returns the button of a counted link, whose ending is the token of the message; null for another button. */
function countedButton(placed: Placed): Made | null {
	if (countedTarget(placed.button) === null) return null
	const button = { type: 'button', sub_type: 'url', index: String(placed.index) }
	const place = placeOfButton(placed)
	return { each: ({ tokenOf }) => ({ ...button, parameters: [{ type: 'text', text: tokenOf(place) }] }) }
}

/** Returns the button that opens a form or the catalogue, with Meta's defaults; none for another button. */
function actionButton({ index, button }: Placed): Made[] {
	const type = button.type.toUpperCase()
	if (type !== 'FLOW' && type !== 'CATALOG') return []
	const [sub_type, action] = type === 'FLOW' ? ['flow', { flow_token: 'unused' }] : ['CATALOG', {}]
	return [{ same: { type: 'button', sub_type, index: String(index), parameters: [{ type: 'action', action }] } }]
}

/** Returns what `make` makes of the slots' values: once, unless a value holds a merge tag. */
function filled(plan: MessagePlan, slots: readonly Slot[], make: (values: readonly string[]) => object): Made {
	const values = slots.map(({ key }) => parseValue(plan.variables[key] ?? ''))
	const fill = (find: MessageFacts['find']) => make(values.map((pieces) => fillValue(pieces, find)))
	const isOpen = values.some((pieces) => pieces.some((piece) => 'tag' in piece))
	return isOpen ? { each: ({ find }) => fill(find) } : { same: fill(() => null) }
}
