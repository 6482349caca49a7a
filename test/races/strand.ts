import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Db } from '#lib/server/db.ts'

const current = new AsyncLocalStorage<Strand>()

/** Statements of the pool itself. They belong to no operation, so they are not paused. */
const OF_POOL = /^(select pg_backend_pid\(\)|set statement_timeout|select pg_notify)/

/** Interval at which a strand is checked for waiting on a lock. */
const POLL_MS = 2
/** Maximum time of a race in milliseconds. An operation that waits longer is in a deadlock. */
const MAX_RACE_MS = 9000

let clock = 0

/** Returns a number higher than all numbers before, to order events. */
export function tick(): number {
	return ++clock
}

/** One operation as the sequence of its statements. It pauses before one of them until `continue` is called. */
export class Strand {
	/** Texts of the statements that it has sent or is about to send. */
	readonly statements: string[] = []
	/** Process ids of the connections that run one of its statements. */
	readonly #running = new Set<number>()
	readonly #pauseAt: number
	readonly #paused = Promise.withResolvers<void>()
	readonly #continued = Promise.withResolvers<void>()

	/** Pauses before the statement of this number, counted from 1; 0 never pauses. */
	constructor(pauseAt: number) {
		this.#pauseAt = pauseAt
		if (pauseAt === 0) this.continue()
	}

	/** Runs an operation. All statements that it sends belong to this strand. */
	run<T>(work: () => Promise<T>): Promise<T> {
		return current.run(this, work)
	}

	/** Resolves when the strand has paused and none of its statements is running. */
	async paused(): Promise<void> {
		await this.#paused.promise
		while (this.#running.size > 0) await sleep(1)
	}

	continue(): void {
		this.#continued.resolve()
	}

	/** Sends a statement. Waits for `continue` first if it is the statement to pause at or a later one. */
	async send<T>(processId: number, text: string, query: () => Promise<T>): Promise<T> {
		this.statements.push(text)
		if (this.#pauseAt > 0 && this.statements.length >= this.#pauseAt) {
			this.#paused.resolve()
			await this.#continued.promise
		}
		tick()
		this.#running.add(processId)
		try {
			return await query()
		} finally {
			this.#running.delete(processId)
		}
	}

	/** Resolves when a statement of the strand waits for a lock, when `signal` aborts, or after MAX_RACE_MS. */
	async blocked(watch: Db, { signal }: { signal: AbortSignal }): Promise<void> {
		const end = performance.now() + MAX_RACE_MS
		while (!signal.aborted && performance.now() < end) {
			await sleep(POLL_MS)
			const processes = [...this.#running]
			if (processes.length === 0) continue
			const waiting = await watch`
				select from pg_stat_activity where pid = any(${processes}::int[]) and wait_event_type = 'Lock'
			`
			if (waiting.length > 0) return
		}
	}
}

type Query = (this: Client, ...given: unknown[]) => unknown

/** Makes every connection of this process pass its statements through the strand that they belong to, if any. */
export function interceptStatements(): void {
	const prototype = Client.prototype as unknown as { query: Query }
	const { query } = prototype
	prototype.query = function intercepted(...given) {
		const strand = current.getStore()
		const [asked] = given
		const text = typeof asked === 'string' ? asked : ((asked as { text?: string } | undefined)?.text ?? '')
		const send = () => Reflect.apply(query, this, given)
		if (!strand || OF_POOL.test(text)) return send()
		const { processID } = this as unknown as { processID: number }
		return strand.send(processID, text, send as () => Promise<unknown>)
	}
}
