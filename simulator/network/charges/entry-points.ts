import { randomBytes } from 'node:crypto'
import type { Journal, JournalRecord } from '#simulator/state/journal.ts'
import type { Conversation } from './pricing.ts'

const ANSWER_WITHIN_MS = 24 * 60 * 60 * 1_000

interface EntryPoint {
	arrivedAt: number
	/** Length of the free time after the first answer, in milliseconds. */
	forMs: number
	conversation: Conversation | null
}

/**
 * Free entry points: a customer who comes by an ad opens one with the business's first answer within 24 hours. Every
 * message in it is free.
 */
export class EntryPoints {
	readonly #byPair = new Map<string, EntryPoint>()
	readonly #journal: Journal

	constructor(journal: Journal) {
		this.#journal = journal
	}

	/** Records that a customer came by an ad. */
	arrive(phoneNumberId: string, waId: string, forMs: number): void {
		this.#save(`${phoneNumberId} ${waId}`, { arrivedAt: Date.now(), forMs, conversation: null })
	}

	/** Returns the conversation of a message sent now, and opens it for the first answer; null outside of one. */
	take(phoneNumberId: string, waId: string): Conversation | null {
		if (this.#byPair.size === 0) return null
		const pair = `${phoneNumberId} ${waId}`
		const entry = this.#byPair.get(pair)
		if (!entry) return null
		const now = Date.now()
		if (entry.conversation) return entry.conversation.expiresAt > now ? entry.conversation : null
		if (now - entry.arrivedAt >= ANSWER_WITHIN_MS) return null
		const conversation = { id: randomBytes(16).toString('hex'), expiresAt: now + entry.forMs }
		this.#save(pair, { ...entry, conversation })
		return conversation
	}

	clear(): void {
		this.#byPair.clear()
	}

	restore([kind, pair, entry]: JournalRecord): void {
		if (kind === 'entry-point') this.#byPair.set(pair as string, entry as EntryPoint)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const [pair, entry] of this.#byPair) yield ['entry-point', pair, entry]
	}

	#save(pair: string, entry: EntryPoint): void {
		this.#byPair.set(pair, entry)
		this.#journal.write(['entry-point', pair, entry])
	}
}
