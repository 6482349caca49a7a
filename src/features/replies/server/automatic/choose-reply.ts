import type { AutomaticKind, BusinessHours } from '#features/replies/contract.ts'
import { indianDay, INDIAN_UTC_OFFSET } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/durations.ts'

/** Age in milliseconds above which an incoming message gets no automatic reply. */
export const MAX_AGE_MS = 5 * MINUTE_MS
/** Maximum number of automatic replies in a chat within 24 hours, so that two products that answer each other fall silent. */
export const MAX_IN_A_DAY = 3
/**
 * Milliseconds after a keyword reply in which a customer's message counts as automatic itself, because no person reads that
 * fast. After a greeting or away message, only a keyword is answered in this time.
 */
const MACHINE_MS = 3000
/** Milliseconds in which a chat gets each keyword reply at most once. */
const REPEAT_MS = HOUR_MS
/** Days before a message for which the last opening of the business is searched. */
const MAX_DAYS_BACK = 60

/**
 * Returns the time in milliseconds at which the business last closed before `at`; null when it is open at `at`. Returns 0 for a
 * business that has not been open for MAX_DAYS_BACK days, so that a person gets one away message in all.
 */
export function closedSince(hours: BusinessHours, at: number): number | null {
	const days = Array.from({ length: MAX_DAYS_BACK + 1 }, (_, back) => indianDay(at - back * DAY_MS))
	const begun = days.flatMap((day) => openingOn(hours, day) ?? []).filter(({ from }) => from <= at)
	if (begun.some(({ until }) => at < until)) return null
	return Math.max(0, ...begun.map(({ until }) => until))
}

/** Returns the opening of a day such as 2026-11-27, in milliseconds; null for a closed day. */
function openingOn({ week, closedDays }: BusinessHours, day: string): { from: number; until: number } | null {
	const midnight = Date.parse(`${day}T00:00:00${INDIAN_UTC_OFFSET}`)
	// The week of getUTCDay begins on Sunday.
	const open = week[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]
	if (!open || closedDays.includes(day)) return null
	const [from, until] = [midnight + millisecondsOf(open.from), midnight + millisecondsOf(open.until)]
	return { from, until: until > from ? until : until + DAY_MS }
}

function millisecondsOf(clock: string): number {
	const [hours = 0, minutes = 0] = clock.split(':').map(Number)
	return hours * HOUR_MS + minutes * MINUTE_MS
}

/** An automatic reply that may still be sent this month. */
export interface Choice {
	id: number
	kind: AutomaticKind
	/** Phrases of a keyword reply, as lists of words that `wordsOf` returns; empty for the other kinds. */
	phrases: readonly (readonly string[])[]
}

/** A customer's message, and the automatic replies in its chat. */
export interface Asked {
	/** Words of the message, as `wordsOf` returns them. */
	words: readonly string[]
	/** Time of the message in milliseconds. */
	at: number
	/** True for the first message that the customer has written. */
	isFirst: boolean
	/** Earlier automatic replies in the chat, by id and time in milliseconds. */
	earlier: readonly { id: number; at: number }[]
}

const KINDS = ['keyword', 'away', 'greeting'] as const

/**
 * Returns the automatic reply to a message; null without one. A keyword reply is preferred to the away message, and the away
 * message to the greeting. Of several keyword replies, the first in the list counts. The away message is sent once per closing.
 * A message that was written before an automatic reply does not count as an answer to it.
 */
export function chooseReply<T extends Choice>(
	replies: readonly T[],
	hours: BusinessHours | null,
	{ words, at, isFirst, earlier }: Asked,
): T | null {
	if (earlier.filter((reply) => at - reply.at < DAY_MS).length >= MAX_IN_A_DAY) return null
	const isSentSince = (id: number, from: number) => earlier.some((reply) => reply.id === id && reply.at >= from)
	const justSent = earlier.filter((reply) => at >= reply.at && at - reply.at < MACHINE_MS)
	// A reply that is no longer in the list may have been a keyword reply.
	const mayBeMachine = justSent.some(({ id }) => !replies.some((one) => one.id === id && one.kind !== 'keyword'))
	if (mayBeMachine) return null
	const hasPhrase = phraseFinder(words)
	const fits = ({ id, kind, phrases }: T) => {
		if (kind === 'keyword') return phrases.some(hasPhrase) && !isSentSince(id, at - REPEAT_MS)
		if (justSent.length > 0) return false
		if (kind === 'greeting') return isFirst
		const closedAt = hours && closedSince(hours, at)
		return closedAt !== null && !isSentSince(id, closedAt)
	}
	const chosen = KINDS.map((kind) => replies.find((reply) => reply.kind === kind && fits(reply)))
	return chosen.find((reply) => reply !== undefined) ?? null
}

/**
 * Returns a function that finds a phrase in the words. It collects all phrases of one length at the first search for that
 * length, so that the time is linear in the words for each length.
 */
function phraseFinder(words: readonly string[]): (phrase: readonly string[]) => boolean {
	const known = new Map<number, Set<string>>()
	return (phrase) => {
		let found = known.get(phrase.length)
		if (!found) {
			found = new Set(words.map((_, at) => words.slice(at, at + phrase.length).join(' ')))
			known.set(phrase.length, found)
		}
		return found.has(phrase.join(' '))
	}
}
