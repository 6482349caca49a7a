import type { Journal, JournalRecord } from '#simulator/state/journal.ts'

const WINDOW_MS = 24 * 60 * 60 * 1_000

/** Customer service windows: free text may be sent for 24 hours after the customer's last message. */
export class Windows {
	readonly #lastInbound = new Map<string, number>()
	readonly #journal: Journal

	constructor(journal: Journal) {
		this.#journal = journal
	}

	touch(phoneNumberId: string, waId: string, at: number): void {
		const pair = `${phoneNumberId} ${waId}`
		this.#lastInbound.set(pair, at)
		this.#journal.write(['inbound', pair, at])
	}

	isOpen(phoneNumberId: string, waId: string): boolean {
		if (this.#lastInbound.size === 0) return false
		const at = this.#lastInbound.get(`${phoneNumberId} ${waId}`)
		return at !== undefined && Date.now() - at < WINDOW_MS
	}

	clear(): void {
		this.#lastInbound.clear()
	}

	restore([kind, pair, at]: JournalRecord): void {
		if (kind === 'inbound') this.#lastInbound.set(pair as string, at as number)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const [pair, at] of this.#lastInbound) {
			if (Date.now() - at < WINDOW_MS) yield ['inbound', pair, at]
		}
	}
}
