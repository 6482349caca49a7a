import { randomBytes } from 'node:crypto'
import type { AccountId } from '#lib/server/db.ts'
import type { AccountEvent } from '#lib/server/db/channels.ts'

/** A few minutes of a busy installation. */
const MAX_EVENTS = 5000

/**
 * The latest events of all accounts, in the order in which PostgreSQL delivers them to every process, so that a browser may
 * come back to any of them and name the last event that it has seen.
 */
export class EventHistory {
	#events: (AccountEvent & { atMs: number })[] = []
	/** Where this history begins; known to no other process. */
	#start = newStart()
	#startedAtMs = performance.now()

	add(event: AccountEvent): void {
		this.#events.push({ ...event, atMs: performance.now() })
		if (this.#events.length < 2 * MAX_EVENTS) return
		const [last] = this.#events.splice(0, MAX_EVENTS).slice(-1)
		this.#begin(last?.atMs)
	}

	/** After a gap: no earlier event can be resumed from. */
	clear(): void {
		this.#events = []
		this.#begin()
	}

	#begin(atMs = performance.now()): void {
		this.#start = newStart()
		this.#startedAtMs = atMs
	}

	/** The id that a browser which has just fetched everything may come back with. */
	position(): string {
		return this.#events.at(-1)?.id ?? this.#start
	}

	/** What an account's browser has missed since this event; null when that is not known here any more. */
	since(accountId: AccountId, lastId: string): AccountEvent[] | null {
		// The first of several with one id: receiving an event twice is harmless.
		const index = this.#events.findIndex(({ id }) => id === lastId)
		if (index < 0 && lastId !== this.#start) return null
		return this.#events.slice(index + 1).filter((event) => event.accountId === accountId)
	}

	/** What has happened to an account in these milliseconds until now; null when that is not known here any more. */
	ofLast(accountId: AccountId, ms: number): AccountEvent[] | null {
		const sinceMs = performance.now() - ms
		if (sinceMs <= this.#startedAtMs) return null
		return this.#events.filter((event) => event.accountId === accountId && event.atMs >= sinceMs)
	}
}

function newStart(): string {
	return `start-${randomBytes(9).toString('base64url')}`
}
