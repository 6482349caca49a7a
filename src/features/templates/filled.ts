import { formatCount, plural } from '#lib/numbers.ts'
import { countCharacters } from '#lib/text/characters.ts'
import type { Component } from './contract.ts'
import { MAX_CODE_LENGTH, MAX_SAFE_CODE_LENGTH, MAX_URL_LENGTH } from './limits.ts'
import { splitVariables, variablesIn } from './placeholders.ts'
import {
	componentsIn,
	fillValue,
	findComponent,
	keyOf,
	maxFilled,
	parseValue,
	partsOf,
	slotsOf,
	type Piece,
	type Slot,
	type Variables,
} from './values.ts'

/**
 * Part of a message with a length limit and the merge tags that fill it: header, body, offer code, or ending of a link.
 * Each recipient's values decide whether it fits.
 */
export interface FilledPart {
	/** Key of the variable at which a problem is shown. */
	key: string
	place: 'header' | 'body' | 'code' | 'link'
	/** Pieces of the whole part, or of a link's ending. */
	pieces: Piece[]
	/** Maximum characters of the whole part, or of a link's ending. */
	max: number
	/** Address before a link's ending; empty for other parts. */
	base: string
}

/** Returns the parts of a template that its variables fill, cards included. Variables are trimmed, as they are when sent. */
export function filledParts(components: readonly Component[], variables: Variables): FilledPart[] {
	const valueOf = (key: string) => parseValue((variables[key] ?? '').trim())
	const texts = partsOf(components).flatMap(({ card, components: part }) =>
		(['header', 'body'] as const).flatMap((place): FilledPart[] => {
			const text = findComponent(part, place.toUpperCase())?.text ?? ''
			const [first] = variablesIn(text)
			if (first === undefined) return []
			const pieces = splitVariables(text).flatMap(({ text: plain, variable }) =>
				variable === undefined ? [{ text: plain }] : valueOf(keyOf(place, variable, card)),
			)
			return [{ key: keyOf(place, first, card), place, pieces, max: maxFilled(place, components, card), base: '' }]
		}),
	)
	const maxCode = findComponent(components, 'LIMITED_TIME_OFFER') ? MAX_SAFE_CODE_LENGTH : MAX_CODE_LENGTH
	const ends = slotsOf(components).flatMap((slot): FilledPart[] => {
		const pieces = valueOf(slot.key)
		if (slot.fills === 'code') return [{ key: slot.key, place: 'code', pieces, max: maxCode, base: '' }]
		const base = slot.fills === 'url' ? linkBase(components, slot) : null
		if (base === null) return []
		return [{ key: slot.key, place: 'link', pieces, max: MAX_URL_LENGTH - countCharacters(base), base }]
	})
	return [...texts, ...ends]
}

/**
 * Returns the address before the variable of a link button; null for a button without a variable, or one that copies a
 * code.
 */
export function linkBase(components: readonly Component[], slot: Pick<Slot, 'index' | 'card'>): string | null {
	const button = findComponent(componentsIn(components, slot), 'BUTTONS')?.buttons?.[slot.index ?? 0]
	const url = button?.url ?? ''
	if (button?.type === 'OTP' || url.includes('/otp/') || variablesIn(url).length === 0) return null
	return url.split('{{')[0] ?? ''
}

/** Returns the parts with merge tags, whose length depends on the recipient. */
export function openParts(components: readonly Component[], variables: Variables): FilledPart[] {
	return filledParts(components, variables).filter(({ pieces }) => pieces.some((piece) => 'tag' in piece))
}

/** Returns true when the part fits for one recipient. `find` returns the recipient's value of a tag, or null. */
export function fits(part: FilledPart, find: (tag: string) => string | null): boolean {
	const text = fillValue(part.pieces, find)
	const filled = part.place === 'link' ? linkEnd(part.base, text) : text
	return filled !== null && countCharacters(filled) <= part.max
}

/** Beginnings of an address: a scheme, two slashes, or www. */
export const ADDRESS_START = /^(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/|^www\./i
/** Optional beginning of an address, ignored when a value is compared with a link's base. */
export const OPTIONAL_START = /^(?:https?:\/\/)?(?:www\.)?/i

/**
 * Returns the ending that a value adds to a link's base: the value, or its remainder when it repeats the base. Null for
 * an empty value, white space, or an address elsewhere.
 */
export function linkEnd(base: string, value: string): string | null {
	const typed = value.trim()
	const bare = withoutStart(typed)
	const bareBase = withoutStart(base)
	const isWhole = bare.slice(0, bareBase.length).toLowerCase() === bareBase.toLowerCase()
	const end = isWhole ? bare.slice(bareBase.length) : typed
	if (end === '' || /\s/.test(end)) return null
	return !isWhole && ADDRESS_START.test(typed) ? null : end
}

function withoutStart(address: string): string {
	return address.replace(OPTIONAL_START, '')
}

/** Returns the error for a part that does not fit for this number of recipients. */
export function misfitText({ place, pieces, max, base }: FilledPart, recipients: number): string {
	const tags = [...new Set(pieces.flatMap((piece) => ('tag' in piece ? [`{{${piece.tag}}}`] : [])))].join(', ')
	if (place === 'link') {
		const who = plural(recipients, 'recipient has', 'recipients have')
		return `${who} a value in ${tags} that cannot end the link ${base}: nothing, one with a space, or the address of another page`
	}
	const what = place === 'code' ? 'an offer code' : `a ${place}`
	const who = plural(recipients, 'recipient would get', 'recipients would get')
	return `${who} ${what} of more than ${formatCount(max)} characters, which WhatsApp refuses. Shorten the text, or the values of ${tags}`
}

/** Returns a counter that counts for each part the recipients for whom it does not fit. */
export function createMisfitCounter(parts: readonly FilledPart[]) {
	const counts = parts.map(() => 0)
	return {
		add(find: (tag: string) => string | null): void {
			for (const [at, part] of parts.entries()) if (!fits(part, find)) counts[at] = (counts[at] ?? 0) + 1
		},
		errors: () => misfitErrors(parts, counts),
	}
}

/** Returns an error for each part that does not fit for some recipients. `counts` is in the order of the parts. */
export function misfitErrors(parts: readonly FilledPart[], counts: readonly number[]): string[] {
	return parts.flatMap((part, at) => ((counts[at] ?? 0) > 0 ? [misfitText(part, counts[at] ?? 0)] : []))
}
