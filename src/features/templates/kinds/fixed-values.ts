import { countCharacters } from '#lib/text/characters.ts'
import { MAX_PLACE_LENGTH } from '../limits.ts'
import { offerEndFault } from './offer-end.ts'
import type { Slot } from './slots.ts'

/** Degrees with at most 15 decimals. */
const DEGREES = /^-?\d{1,3}(?:\.\d{1,15})?$/
const MOST_DEGREES = { latitude: 90, longitude: 180 }

/**
 * Returns the reason why a trimmed value cannot fill a slot that is the same for all recipients; null when it can, and
 * for other slots. `at` is the time of sending in milliseconds.
 */
export function fixedFault({ fills }: Slot, value: string, at: number): string | null {
	if (fills === 'ends') return offerEndFault(value, at)
	if (fills === 'name' || fills === 'address')
		return countCharacters(value) > MAX_PLACE_LENGTH ? `has more than ${MAX_PLACE_LENGTH} characters` : null
	if (fills !== 'latitude' && fills !== 'longitude') return null
	const most = MOST_DEGREES[fills]
	if (DEGREES.test(value) && Math.abs(Number(value)) <= most) return null
	return `must be a number of degrees from -${most} to ${most}, such as ${fills === 'latitude' ? '19.0760' : '72.8777'}`
}
