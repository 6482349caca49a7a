import { problem } from '#features/developer/problems.ts'
import { isProblem, AppError } from '#lib/app-error.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import type { TemplateRef } from './check-order.ts'
import { waitForKey } from './idempotency.ts'
import type { IdempotentRequest } from './request-queries.ts'
import { writeOrders, type Order, type Placed } from './write-orders.ts'

interface Waiting {
	order: Order
	resolve(placed: Placed): void
	reject(error: unknown): void
	/** True for an order that has waited for another request with its key. */
	hasWaited?: boolean
}

/** Maximum number of messages per transaction, unless a single order has more. */
const MAX_TOGETHER = 1000
/** Maximum number of waiting orders of one account with one template. Each waits for a few transactions. */
const MAX_WAITING = 2000

/**
 * Writes an account's orders with one template in consecutive transactions. Orders that arrive during a transaction are written
 * together by the next one, so a single order does not wait, and hundreds a second take a few dozen transactions.
 */
export class OrderQueue {
	readonly #db: Db
	readonly #queues = new Map<string, Waiting[]>()
	/** Waits for keys that other requests are using, by account and key. */
	readonly #waits = new Map<string, Promise<void>>()

	constructor(db: Db) {
		this.#db = db
	}

	/** Resolves when the order is stored and paid. Throws a 429 when too many orders wait. */
	place(accountId: AccountId, ref: TemplateRef, order: Order): Promise<Placed> {
		const key = queueOf(accountId, ref, order)
		const running = this.#queues.get(key)
		if (running && running.length >= MAX_WAITING) throw problem('too_many_orders', { waitSeconds: 1 })
		return new Promise((resolve, reject) => this.#add(accountId, ref, { order, resolve, reject }))
	}

	#add(accountId: AccountId, ref: TemplateRef, one: Waiting): void {
		const key = queueOf(accountId, ref, one.order)
		const running = this.#queues.get(key)
		const queue = running ?? []
		queue.push(one)
		if (running) return
		this.#queues.set(key, queue)
		void this.#run(accountId, ref, { key, queue })
	}

	/** Writes until the queue is empty, and removes it in the same turn, so that no order can be added to a removed queue. */
	async #run(accountId: AccountId, ref: TemplateRef, { key, queue }: { key: string; queue: Waiting[] }): Promise<void> {
		while (queue.length > 0) await this.#write(accountId, ref, takeTogether(queue))
		this.#queues.delete(key)
	}

	/**
	 * Writes orders together. When an AppError refuses the whole transaction, writes the orders in halves, until the
	 * error concerns a single order. An order whose key another request is using waits for it once; another error
	 * rejects the orders.
	 */
	async #write(accountId: AccountId, ref: TemplateRef, together: readonly Waiting[]): Promise<void> {
		try {
			const outcomes = await writeOrders(this.#db, accountId, { ref, orders: together.map(({ order }) => order) })
			for (const [index, { resolve, reject }] of together.entries()) {
				const outcome = outcomes[index]
				if (!outcome || outcome instanceof AppError) reject(outcome)
				else resolve(outcome)
			}
		} catch (error) {
			const [first] = together
			if (error instanceof AppError && together.length > 1) {
				const half = Math.ceil(together.length / 2)
				await this.#write(accountId, ref, together.slice(0, half))
				await this.#write(accountId, ref, together.slice(half))
			} else if (first && isKeyHeld(error) && !first.hasWaited) void this.#waitForKey(accountId, ref, first)
			else for (const { reject } of together) reject(error)
		}
	}

	/** Queues an order again after the request that uses its key has ended. The queue continues in the meantime. */
	async #waitForKey(accountId: AccountId, ref: TemplateRef, one: Waiting): Promise<void> {
		try {
			if (one.order.idempotency) await this.#keyFree(accountId, one.order.idempotency)
			this.#add(accountId, ref, { ...one, hasWaited: true })
		} catch (error) {
			one.reject(error)
		}
	}

	/** Waits for a key. Orders with the same key share one wait, because a wait uses a connection. */
	#keyFree(accountId: AccountId, asked: IdempotentRequest): Promise<void> {
		const key = `${accountId}:${asked.keyHash.toString('hex')}`
		const known = this.#waits.get(key)
		if (known) return known
		const wait = waitForKey(this.#db, accountId, asked).finally(() => this.#waits.delete(key))
		this.#waits.set(key, wait)
		return wait
	}
}

/** Returns the key of an order's queue. Messages with files of their own are in another campaign than those without. */
function queueOf(accountId: AccountId, { name, language }: TemplateRef, { file }: Order): string {
	return JSON.stringify([accountId, name, language, file !== undefined])
}

const isKeyHeld = (error: unknown) => isProblem(error, 'idempotency_in_progress')

/**
 * Removes the first orders from the queue: up to MAX_TOGETHER messages, and always one order. A second order with the
 * same key stays, and later returns the answer of the first.
 */
function takeTogether(queue: Waiting[]): Waiting[] {
	const keys = new Set<string>()
	let messages = 0
	const taken = queue.filter(({ order }) => {
		const key = order.idempotency?.keyHash.toString('hex')
		if (messages > 0 && messages + order.messages.length > MAX_TOGETHER) return false
		if (key !== undefined && keys.has(key)) return false
		if (key !== undefined) keys.add(key)
		messages += order.messages.length
		return true
	})
	const left = queue.filter((one) => !taken.includes(one))
	queue.splice(0, queue.length, ...left)
	return taken
}
