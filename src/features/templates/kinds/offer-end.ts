import { INDIAN_UTC_OFFSET, LATEST_TIME } from '#lib/dates.ts'
import type { Component } from '../contract.ts'
import { findComponent } from './parts.ts'

/** Key of the value that gives the end of a limited-time offer. */
export const OFFER_END_KEY = 'offer_ends'

/** A date and a time: 2026-12-31T18:30, with seconds and an offset where given. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/

/** Returns the end of an offer in milliseconds since 1970; null for another text. A time without an offset is in India. */
export function readOfferEnd(value: string): number | null {
	const match = TIME.exec(value.trim())
	const at = match ? Date.parse(match[1] ? match[0] : `${match[0]}${INDIAN_UTC_OFFSET}`) : NaN
	return Number.isNaN(at) ? null : at
}

/** Returns true for a template whose messages show the end of an offer. */
export function hasOfferEnd(components: readonly Component[]): boolean {
	return findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer?.has_expiration === true
}

/** Returns the reason why an offer cannot end at this time, for messages sent at `at` (milliseconds); null when it can. */
export function offerEndFault(value: string, at: number): string | null {
	const ends = readOfferEnd(value)
	if (ends === null && /^T|T$/.test(value)) return 'needs a date and a time'
	if (ends === null) return 'is no date and time. Write it as 2026-12-31T18:30, in Indian time'
	if (ends >= LATEST_TIME) return 'lies after 2099'
	return ends > at ? null : 'has already passed. Choose a later end'
}
