import { randomBytes } from 'node:crypto'
import type { AccountId } from '#lib/server/db.ts'
import type { AccountEvent } from '#lib/server/db/channels/channels.ts'

/**
 * Number of the latest events that always stay stored, a few minutes of a busy installation. Fewer than twice as many
 * are stored.
 */
const MAX_EVENTS = 5000

/**
 * Stores the latest events of all accounts in the order in which PostgreSQL delivers them to every process, so that a
 * browser can reconnect to any process and name the last event that it received.
 */
export class EventHistory {
	#events: (AccountEvent & { atMs: number })[] = []
	/** Id of the position before the first event; unknown to other processes. */
	#start = newStart()
	#startedAtMs = performance.now()

	add(event: AccountEvent): void {
		this.#events.push({ ...event, atMs: performance.now() })
		if (this.#events.length < 2 * MAX_EVENTS) return
		const [last] = this.#events.splice(0, MAX_EVENTS).slice(-1)
		this.#begin(last?.atMs)
	}

	/** Clears the history after a gap, so that no earlier event can be resumed from. */
	clear(): void {
		this.#events = []
		this.#begin()
	}

	#begin(atMs = performance.now()): void {
		this.#start = newStart()
		this.#startedAtMs = atMs
	}

	/** Returns the id from which a browser that has just fetched everything can resume. */
	position(): string {
		return this.#events.at(-1)?.id ?? this.#start
	}

	/** Returns an account's events after the event `lastId`; null when that event is no longer stored. */
	since(accountId: AccountId, lastId: string): AccountEvent[] | null {
		// Takes the first of several events with one id: receiving an event twice is harmless.
		const index = this.#events.findIndex(({ id }) => id === lastId)
		if (index < 0 && lastId !== this.#start) return null
		return this.#events.slice(index + 1).filter((event) => event.accountId === accountId)
	}

	/** Returns an account's events of the last `ms` milliseconds; null when they are no longer stored. */
	ofLast(accountId: AccountId, ms: number): AccountEvent[] | null {
		const sinceMs = performance.now() - ms
		if (sinceMs <= this.#startedAtMs) return null
		return this.#events.filter((event) => event.accountId === accountId && event.atMs >= sinceMs)
	}
}

function newStart(): string {
	return `start-${randomBytes(9).toString('base64url')}`
}
