import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, AccountId } from '#lib/server/db.ts'
import { addDropped } from './queries.ts'

/**
 * Milliseconds between two writes. The counts are written apart from the webhooks, because the row of totals is locked
 * while the account's webhooks are processed.
 */
const WRITE_INTERVAL_MS = 1000

/**
 * Counts statuses that are not stored, and adds them to the account's totals every second. A crash loses up to a second
 * of counts.
 */
export class DroppedStatuses {
	readonly #db: Db
	readonly #counts = new Map<AccountId, number>()
	#isWriting = false

	constructor(db: Db) {
		this.#db = db
	}

	add(accountId: AccountId, count: number): void {
		this.#counts.set(accountId, (this.#counts.get(accountId) ?? 0) + count)
		if (!this.#isWriting) void this.#write()
	}

	async #write(): Promise<void> {
		this.#isWriting = true
		while (this.#counts.size > 0) {
			await sleep(WRITE_INTERVAL_MS, undefined, { ref: false })
			const counts = [...this.#counts]
			this.#counts.clear()
			for (const [accountId, count] of counts)
				await addDropped(this.#db, accountId, count).catch(() => this.add(accountId, count))
		}
		this.#isWriting = false
	}
}
