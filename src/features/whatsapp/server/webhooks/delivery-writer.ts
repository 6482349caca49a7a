import { problem } from '#features/whatsapp/problems.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { publish, publishProgress } from '#lib/server/db/channels/channels.ts'
import { createSignal } from '#lib/server/signal.ts'
import { deleteExcessDeadLetters, insertDeliveriesAllAccounts, type NewDelivery } from './queries.ts'
import { webhooksChannel } from './webhooks-channel.ts'

/** Milliseconds during which arriving webhooks are collected into one statement. */
const GATHER_MS = 10
/**
 * Minimum milliseconds between two statements under load; well below the 250 ms that Meta waits at least.
 */
const WRITE_INTERVAL_MS = 100
/** Rows and characters from which a batch is written without waiting longer. */
const URGENT_ROWS = 48
const URGENT_CHARACTERS = 64 * 1024
/** Maximum rows and characters of one statement. */
const MAX_ROWS = 500
const MAX_CHARACTERS = 16 * 1024 * 1024
/** Maximum characters of all waiting webhooks in this process. Beyond, Meta gets a 503 and delivers again later. */
const MAX_WAITING_CHARACTERS = 128 * 1024 * 1024
/**
 * Maximum accounts written separately at the same time, so that an unreachable database node cannot occupy all
 * connections.
 */
const MAX_APART_AT_ONCE = 4

interface Waiting {
	delivery: NewDelivery
	resolve: () => void
	reject: (error: unknown) => void
}

/**
 * Webhooks with messages are notified immediately, because a person waits for them; statuses may be notified up to a
 * second later.
 */
const HAS_MESSAGES = /"messages"\s*:\s*\[/

/**
 * Stores webhooks in batches of one statement. After a failure, each account is written separately until it succeeds
 * again, so that one account's failure (such as an unreachable node of a distributed database) affects no other
 * account.
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

	/**
	 * Stores a webhook. Resolves when it is committed, after which Meta may get its 200. Throws a 503 when too many are
	 * waiting.
	 */
	async write(delivery: NewDelivery): Promise<void> {
		if (this.#waitingCharacters > MAX_WAITING_CHARACTERS) throw problem('webhooks_waiting')
		this.#waitingCharacters += delivery.body.length
		try {
			await new Promise<void>((resolve, reject) => this.#add({ delivery, resolve, reject }))
		} finally {
			this.#waitingCharacters -= delivery.body.length
		}
		const notify = HAS_MESSAGES.test(delivery.body) ? publish : publishProgress
		if (delivery.deadLetterReason) await deleteExcessDeadLetters(this.#db, delivery.accountId)
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

/** Collects webhooks that arrive within a moment, or while the previous batch is being written. */
class Gatherer {
	readonly #write: (batch: Waiting[]) => Promise<void>
	#waiting: Waiting[] = []
	#characters = 0
	#isRunning = false
	#writtenAtMs = Number.NEGATIVE_INFINITY
	readonly #urgent = createSignal()

	/** `write` must handle its own errors. */
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
		const count = this.#waiting.findIndex(({ delivery }, index) => {
			characters += delivery.body.length
			return index > 0 && (index >= MAX_ROWS || characters > MAX_CHARACTERS)
		})
		const taken = this.#waiting.splice(0, count < 0 ? this.#waiting.length : count)
		for (const { delivery } of taken) this.#characters -= delivery.body.length
		return taken
	}
}
