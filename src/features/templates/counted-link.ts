import type { Component } from './contract.ts'
import { partsOf } from './kinds/parts.ts'

type Button = NonNullable<Component['buttons']>[number]

/** Path before the token of a counted link. */
export const COUNTED_PATH = '/l/'

/** Maximum characters of the target of a counted link. */
export const MAX_COUNTED_URL_LENGTH = 700

/**
 * Returns a counted link's target in the ASCII form in which it is stored and redirected to. Null for anything but an
 * https address without a user name, since a name before the host disguises the site to which a link leads.
 */
export function plainTarget(url: string): string | null {
	const target = URL.parse(url.trim())
	const isPlain = target?.protocol === 'https:' && target.username === '' && target.password === ''
	return isPlain ? target.href : null
}

/** Returns true for an unencrypted address, whose clicks cannot be counted. */
export function isHttp(url: string): boolean {
	return /^\s*http:\/\//i.test(url)
}

/** Returns the text if it is a counted link's target in its stored form; otherwise null. */
export function checkedTarget(text: unknown): string | null {
	return typeof text === 'string' && text.length <= MAX_COUNTED_URL_LENGTH && plainTarget(text) === text ? text : null
}

/**
 * Returns the target of a button's counted link; null for another button, and for a target that is not in its stored
 * form. `counted_target` is written when a template is stored; components that were stored before it existed hold the
 * target in their example.
 */
export function countedTarget(button: Button): string | null {
	const token = exampleToken(button)
	if (token === null) return null
	return 'counted_target' in button ? checkedTarget(button['counted_target']) : legacyTarget(token)
}

/**
 * Returns the token of a button that may have a counted link: the text after `COUNTED_PATH` in its example. Null for
 * other buttons.
 */
export function exampleToken({ type, url = '', example }: Button): string | null {
	if (type !== 'URL' || !url.endsWith(`${COUNTED_PATH}{{1}}`)) return null
	const [reviewed = ''] = [example].flat().map(String)
	return reviewed.split(COUNTED_PATH).at(-1) ?? ''
}

export function hasCountedLink(components: readonly Component[]): boolean {
	return buttonsOf(components).some(({ button }) => countedTarget(button) !== null)
}

/** A button of a template, with its index in its list and the index of its card; `card` is null for the template itself. */
export interface PlacedButton {
	card: number | null
	index: number
	button: Button
}

/** Returns the buttons of a template, then those of each card. */
export function buttonsOf(components: readonly Component[]): PlacedButton[] {
	return partsOf(components).flatMap(({ card, components: part }) =>
		part.flatMap(({ buttons = [] }) => buttons.map((button, index) => ({ card, index, button }))),
	)
}

/** Numbers for the buttons of one part: first those of the template itself, then those of each card. */
export const PLACES_PER_PART = 16

/** Returns the number of a button among all places of a template, as links and clicks name it: its index, plus 16 per card. */
export function placeOfButton({ card, index }: Pick<PlacedButton, 'card' | 'index'>): number {
	return (card === null ? 0 : (card + 1) * PLACES_PER_PART) + index
}

/** Returns the target of each counted link by `placeOfButton`. */
export function countedTargets(components: readonly Component[]): Map<number, string> {
	return new Map(
		buttonsOf(components).flatMap((placed) => {
			const target = countedTarget(placed.button)
			return target === null ? [] : [[placeOfButton(placed), target] as const]
		}),
	)
}

/** The first byte of a legacy example's token. The target and `SIGNATURE_BYTES` follow. */
const LEGACY_VERSION = 0x20
export const SIGNATURE_BYTES = 8

function legacyTarget(token: string): string | null {
	// No valid base64 has a length of a multiple of four plus one.
	if (!/^[\w-]{16,1000}$/.test(token) || token.length % 4 === 1) return null
	const bytes = atob(token.replaceAll('-', '+').replaceAll('_', '/'))
	return bytes.charCodeAt(0) === LEGACY_VERSION ? checkedTarget(bytes.slice(1, -SIGNATURE_BYTES)) : null
}
