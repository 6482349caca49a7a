import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppError } from '#lib/app-error.ts'
import { problem } from '#lib/problems.ts'
import type { AccountId } from './db.ts'

export interface SemaphoreLimits {
	/** Permits per account. */
	each: number
	/** Permits over all accounts; unlimited by default. */
	total?: number
	/** Maximum queue length per account, and longest wait in milliseconds. */
	maxWaiting?: number
	maxWaitMs?: number
	/**
	 * True to pause a permit after each turn while its account has a queue, which leaves most of the time to other
	 * accounts.
	 */
	rests?: boolean
	/** Returns the 429 for a call beyond the limits; its fact `waitSeconds` becomes `Retry-After`. */
	refusal?: () => AppError
}

/** Ends a turn and gives its permit to the next waiting call. Later calls do nothing. */
export type EndTurn = () => void

interface Waiting<Key> {
	accountId: Key
	begin(end: EndTurn): void
}

/** Pause after a turn, as a multiple of its duration: a queue uses the process and the database a fifth of the time. */
const REST_PER_TURN = 4
const MAX_REST_MS = 600
const RETRY_SECONDS = 5

/**
 * Limits concurrent work, per account and in all; further work waits. The next permit goes to the first waiting call
 * whose account is below its limit, so that an account with a long queue delays only itself. `Key` is the type of the
 * account, or of another party that has its own share.
 */
export class FairSemaphore<Key = AccountId> {
	readonly #limits: Required<SemaphoreLimits>
	readonly #running = new Map<Key, number>()
	readonly #waiting = new Set<Waiting<Key>>()
	#total = 0

	constructor(limits: SemaphoreLimits) {
		this.#limits = {
			total: Infinity,
			maxWaiting: 0,
			maxWaitMs: 60_000,
			rests: false,
			refusal: () => problem('account_busy', { waitSeconds: RETRY_SECONDS }),
			...limits,
		}
	}

	/** Takes a permit without waiting; null when the account's or the total limit is reached. */
	tryBegin(accountId: Key): EndTurn | null {
		const { each, total } = this.#limits
		const mine = this.#running.get(accountId) ?? 0
		if (mine >= each || this.#total >= total) return null
		this.#running.set(accountId, mine + 1)
		this.#total++
		const startedAt = performance.now()
		let hasEnded = false
		return () => {
			if (hasEnded) return
			hasEnded = true
			if (!this.#limits.rests || this.#waitingOf(accountId) === 0) return this.#end(accountId)
			const restMs = Math.min((performance.now() - startedAt) * each * REST_PER_TURN, MAX_REST_MS)
			void sleep(restMs).then(() => this.#end(accountId))
		}
	}

	/** Takes a permit without waiting. Throws a 429 when the limit is reached. */
	beginNow(accountId: Key): EndTurn {
		const end = this.tryBegin(accountId)
		if (!end) throw this.#limits.refusal()
		return end
	}

	/**
	 * Waits for a permit. Throws a 429 when the account's queue is full or the wait is too long; rejects with the reason
	 * of `signal` when it aborts first.
	 */
	async begin(accountId: Key, signal?: AbortSignal): Promise<EndTurn> {
		signal?.throwIfAborted()
		const end = this.tryBegin(accountId)
		if (end) return end
		const { maxWaiting, maxWaitMs } = this.#limits
		if (this.#waitingOf(accountId) >= maxWaiting) throw this.#limits.refusal()
		const turn = Promise.withResolvers<EndTurn>()
		const waiting = { accountId, begin: turn.resolve }
		const leave = () => turn.reject(signal?.reason as Error)
		const timer = setTimeout(() => turn.reject(this.#limits.refusal()), maxWaitMs)
		signal?.addEventListener('abort', leave)
		this.#waiting.add(waiting)
		try {
			return await turn.promise
		} finally {
			clearTimeout(timer)
			signal?.removeEventListener('abort', leave)
			this.#waiting.delete(waiting)
		}
	}

	#waitingOf(accountId: Key): number {
		let count = 0
		for (const waiting of this.#waiting) if (waiting.accountId === accountId) count++
		return count
	}

	#end(accountId: Key): void {
		const left = (this.#running.get(accountId) ?? 1) - 1
		if (left > 0) this.#running.set(accountId, left)
		else this.#running.delete(accountId)
		this.#total--
		for (const waiting of this.#waiting) {
			if (this.#total >= this.#limits.total) return
			const end = this.tryBegin(waiting.accountId)
			if (!end) continue
			this.#waiting.delete(waiting)
			waiting.begin(end)
		}
	}
}
