import type { SendEdge } from '../graph/messages/endpoints.ts'
import type { JournalRecord } from '../state/journal.ts'

const CHUNK_SIZE = 1_000
const MAX_RECENT_MESSAGES = 5_000

export interface ReceivedMessage {
	id: string
	to: string
	type: string
	endpoint: SendEdge
	phone_number_id: string
	callback_data: string | null
	accepted_at: number
	/** Body of the request. */
	payload: unknown
}

export interface Totals {
	accepted: number
	recipients: number
	/** The first thousand values of biz_opaque_callback_data that were accepted more than once. */
	duplicates: { callback_data: string; times: number }[]
	by_phone_number: Record<string, number>
}

/** Counts what each recipient received. Retains only the last few thousand messages themselves. */
export class Counters {
	readonly #byRecipient = new Map<string, number>()
	readonly #byCallback = new Map<string, number>()
	readonly #byPhone = new Map<string, number>()
	readonly #repeated = new Set<string>()
	#recent: ReceivedMessage[] = []
	#cursor = 0
	#accepted = 0

	count(message: { to: string; callback: string | null; phoneNumberId: string }): void {
		this.#accepted++
		add(this.#byRecipient, message.to, 1)
		add(this.#byPhone, message.phoneNumberId, 1)
		if (message.callback === null) return
		if (add(this.#byCallback, message.callback, 1) > 1) this.#repeated.add(message.callback)
	}

	remember(message: ReceivedMessage): void {
		this.#recent[this.#cursor] = message
		this.#cursor = (this.#cursor + 1) % MAX_RECENT_MESSAGES
	}

	totals(): Totals {
		const duplicates = [...this.#repeated].slice(0, 1_000).map((callback_data) => ({
			callback_data,
			times: this.#byCallback.get(callback_data) ?? 0,
		}))
		const by_phone_number = Object.fromEntries(this.#byPhone)
		return { accepted: this.#accepted, recipients: this.#byRecipient.size, duplicates, by_phone_number }
	}

	receivedBy(number: string): number {
		return this.#byRecipient.get(number) ?? 0
	}

	acceptedWith(callbackData: string): number {
		return this.#byCallback.get(callbackData) ?? 0
	}

	recentOf(number: string): ReceivedMessage[] {
		return this.#inOrder().filter((message) => message.to === number)
	}

	/** Returns the recipients of the last messages, most recent first. */
	lastRecipients(limit: number): string[] {
		const numbers = this.#inOrder().map(({ to }) => to)
		return [...new Set(numbers.toReversed())].slice(0, limit)
	}

	#inOrder(): ReceivedMessage[] {
		return [...this.#recent.slice(this.#cursor), ...this.#recent.slice(0, this.#cursor)]
	}

	counts(): Record<string, number> {
		return Object.fromEntries(this.#byRecipient)
	}

	clear(): void {
		for (const map of [this.#byRecipient, this.#byCallback, this.#byPhone]) map.clear()
		this.#repeated.clear()
		this.#recent = []
		this.#cursor = 0
		this.#accepted = 0
	}

	restore([kind, name, entries]: JournalRecord): void {
		if (kind !== 'counts') return
		for (const [key, times] of entries as [string, number][]) {
			if (name === 'recipient') add(this.#byRecipient, key, times)
			if (name === 'phone') this.#accepted += add(this.#byPhone, key, times) && times
			if (name === 'callback' && add(this.#byCallback, key, times) > 1) this.#repeated.add(key)
		}
	}

	*snapshot(): Generator<JournalRecord> {
		yield* chunks('recipient', this.#byRecipient)
		yield* chunks('phone', this.#byPhone)
		yield* chunks('callback', this.#byCallback)
	}
}

function add(map: Map<string, number>, key: string, by: number): number {
	const times = (map.get(key) ?? 0) + by
	map.set(key, times)
	return times
}

function* chunks(name: string, map: Map<string, number>): Generator<JournalRecord> {
	let chunk: [string, number][] = []
	for (const entry of map) {
		if (chunk.push(entry) < CHUNK_SIZE) continue
		yield ['counts', name, chunk]
		chunk = []
	}
	if (chunk.length > 0) yield ['counts', name, chunk]
}
