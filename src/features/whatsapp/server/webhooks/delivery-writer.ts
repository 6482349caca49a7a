import type { Db, AccountId } from '#lib/server/db.ts'
import { publish, publishProgress } from '#lib/server/db/channels.ts'
import { AppError } from '#lib/server/errors.ts'
import { createSignal } from '#lib/server/signal.ts'
import { deleteOldKept, insertDeliveriesAllAccounts, type NewDelivery } from './queries.ts'
import { webhooksChannel } from './webhooks-channel.ts'

/** Deliveries that arrive within so long are written together. */
const GATHER_MS = 10
/** While they stream in, one statement after the other is at least so far apart; Meta waits for 250 ms and more. */
const WRITE_INTERVAL_MS = 100
/** As soon as this much waits, it is written without waiting longer. */
const URGENT_ROWS = 48
const URGENT_CHARACTERS = 64 * 1024
/** In one statement. */
const MAX_ROWS = 500
const MAX_CHARACTERS = 16 * 1024 * 1024
/** Of all deliveries that wait in this process. Beyond it Meta gets a 503, and delivers again later. */
const MAX_WAITING_CHARACTERS = 128 * 1024 * 1024
/** Accounts written apart at once: a database machine that does not answer must not take all connections. */
const MAX_APART_AT_ONCE = 4

interface Waiting {
	delivery: NewDelivery
	resolve: () => void
	reject: (error: unknown) => void
}

/** Messages are awaited by a person, so they are notified at once; statuses may be notified up to a second later. */
const HAS_MESSAGES = /"messages"\s*:\s*\[/

/**
 * Stores deliveries, many in one statement. When that fails, each account is written apart, and stays apart until it
 * succeeds: one account's failure, as on a distributed database a machine that is down, stops no other account.
 */
export class DeliveryWriter {
	readonly #db: Db
	readonly #together = new Gatherer((batch) => this.#writeTogether(batch))
	readonly #apart = new Map<AccountId, Gatherer>()
	#waitingCharacters = 0
	#slots = MAX_APART_AT_ONCE
	readonly #queue: (() => void)[] = []

	constructor(db: Db) {
		this.#db = db
	}

	/** Resolves when the delivery is committed: then Meta may get its 200. */
	async write(delivery: NewDelivery): Promise<void> {
		if (this.#waitingCharacters > MAX_WAITING_CHARACTERS) throw new AppError(503, 'Too many deliveries are waiting')
		this.#waitingCharacters += delivery.body.length
		try {
			await new Promise<void>((resolve, reject) => this.#add({ delivery, resolve, reject }))
		} finally {
			this.#waitingCharacters -= delivery.body.length
		}
		const notify = HAS_MESSAGES.test(delivery.body) ? publish : publishProgress
		if (delivery.keptBecause) await deleteOldKept(this.#db, delivery.accountId)
		else notify(this.#db, webhooksChannel, delivery.accountId)
	}

	#add(waiting: Waiting): void {
		const gatherer = this.#apart.get(waiting.delivery.accountId) ?? this.#together
		gatherer.add(waiting)
	}

	async #writeTogether(batch: Waiting[]): Promise<void> {
		try {
			await this.#insert(batch)
		} catch {
			for (const waiting of batch) {
				const { accountId } = waiting.delivery
				if (!this.#apart.has(accountId)) {
					this.#apart.set(accountId, new Gatherer((own) => this.#writeApart(accountId, own)))
				}
				this.#add(waiting)
			}
		}
	}

	async #writeApart(accountId: AccountId, batch: Waiting[]): Promise<void> {
		await this.#takeSlot()
		try {
			await this.#insert(batch)
			this.#apart.delete(accountId)
		} catch (error) {
			for (const { reject } of batch) reject(error)
		} finally {
			this.#giveSlot()
		}
	}

	async #insert(batch: Waiting[]): Promise<void> {
		await insertDeliveriesAllAccounts(
			this.#db,
			batch.map(({ delivery }) => delivery),
		)
		for (const { resolve } of batch) resolve()
	}

	async #takeSlot(): Promise<void> {
		if (this.#slots > 0) this.#slots--
		else await new Promise<void>((resolve) => this.#queue.push(resolve))
	}

	#giveSlot(): void {
		const next = this.#queue.shift()
		if (next) next()
		else this.#slots++
	}
}

/** Batches deliveries that arrive within a moment, or while the previous batch is being written. */
class Gatherer {
	readonly #write: (batch: Waiting[]) => Promise<void>
	#waiting: Waiting[] = []
	#characters = 0
	#isRunning = false
	#writtenAtMs = Number.NEGATIVE_INFINITY
	readonly #urgent = createSignal()

	/** `write` handles its own failures. */
	constructor(write: (batch: Waiting[]) => Promise<void>) {
		this.#write = write
	}

	add(waiting: Waiting): void {
		this.#waiting.push(waiting)
		this.#characters += waiting.delivery.body.length
		if (!this.#isRunning) void this.#run()
		else if (this.#isUrgent()) this.#urgent.wake()
	}

	#isUrgent(): boolean {
		return this.#waiting.length >= URGENT_ROWS || this.#characters >= URGENT_CHARACTERS
	}

	async #run(): Promise<void> {
		this.#isRunning = true
		while (this.#waiting.length > 0) {
			const restMs = Math.max(GATHER_MS, this.#writtenAtMs + WRITE_INTERVAL_MS - performance.now())
			if (!this.#isUrgent()) await this.#urgent.wait(restMs)
			this.#writtenAtMs = performance.now()
			await this.#write(this.#take())
		}
		this.#isRunning = false
	}

	#take(): Waiting[] {
		let characters = 0
		const isOver = this.#waiting.findIndex(({ delivery }, index) => {
			characters += delivery.body.length
			return index > 0 && (index >= MAX_ROWS || characters > MAX_CHARACTERS)
		})
		const taken = this.#waiting.splice(0, isOver < 0 ? this.#waiting.length : isOver)
		for (const { delivery } of taken) this.#characters -= delivery.body.length
		return taken
	}
}
