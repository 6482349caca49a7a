import type { Db, AccountId } from '#lib/server/db.ts'
import { AppError, RetryLater } from '#lib/server/errors.ts'
import type { TemplateRef } from './check-order.ts'
import { writeOrders, type Order, type Placed } from './write-orders.ts'

interface Waiting {
	order: Order
	resolve(placed: Placed): void
	reject(error: unknown): void
}

/** Messages that one transaction writes at most, unless one order has more. */
const MAX_TOGETHER = 1000
/** Orders of one account with one template; each waits for a few transactions. */
const MAX_WAITING = 2000

/**
 * Orders of an account with one template are written one transaction after the other; what comes while one is under way is
 * written together by the next. So a single order waits for nobody, and hundreds a second take a few dozen transactions.
 */
export class OrderQueue {
	readonly #db: Db
	readonly #queues = new Map<string, Waiting[]>()

	constructor(db: Db) {
		this.#db = db
	}

	/** Resolves once the order is kept and paid. */
	place(accountId: AccountId, ref: TemplateRef, order: Order): Promise<Placed> {
		const key = JSON.stringify([accountId, ref.name, ref.language])
		const running = this.#queues.get(key)
		if (running && running.length >= MAX_WAITING)
			throw new RetryLater(1, 'Too many messages are being ordered at once. Send this again in a second.')
		return new Promise((resolve, reject) => {
			const queue = running ?? []
			queue.push({ order, resolve, reject })
			if (running) return
			this.#queues.set(key, queue)
			void this.#run(accountId, ref, { key, queue })
		})
	}

	/** Removes the queue in the turn in which it finds it empty: an order that came in between would never be written. */
	async #run(accountId: AccountId, ref: TemplateRef, { key, queue }: { key: string; queue: Waiting[] }): Promise<void> {
		while (queue.length > 0) await this.#write(accountId, ref, takeTogether(queue))
		this.#queues.delete(key)
	}

	/** Where a key that another request holds for long refuses all of them, each is written by itself. */
	async #write(accountId: AccountId, ref: TemplateRef, together: readonly Waiting[]): Promise<void> {
		try {
			const outcomes = await writeOrders(this.#db, accountId, { ref, orders: together.map(({ order }) => order) })
			for (const [index, { resolve, reject }] of together.entries()) {
				const outcome = outcomes[index]
				if (!outcome || outcome instanceof AppError) reject(outcome)
				else resolve(outcome)
			}
		} catch (error) {
			if (error instanceof AppError && together.length > 1)
				for (const one of together) await this.#write(accountId, ref, [one])
			else for (const { reject } of together) reject(error)
		}
	}
}

/** Takes the first ones out of the queue. Of two with the same key the second stays: it is answered as the first was. */
function takeTogether(queue: Waiting[]): Waiting[] {
	const keys = new Set<string>()
	let messages = 0
	const taken = queue.filter(({ order }) => {
		const key = order.repeatable?.keyHash.toString('hex')
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
