import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from './db.ts'
import { RetryLater } from './errors.ts'

export interface ShareLimits {
	/** Of each account at once. */
	each: number
	/** Of all accounts together; without it, as many as come. */
	total?: number
	/** Of each account that may wait for a turn, and for how long. */
	maxWaiting?: number
	maxWaitMs?: number
	/** Whether a place rests after a turn as long as more of its account wait: what asks without end leaves most of the time to others. */
	rests?: boolean
	/** What the limit is, and what to do. */
	refusal?: string
	/** After which time a client that was refused may ask again. */
	retrySeconds?: number
}

/** Gives the place to the next. Calling it again does nothing. */
export type EndTurn = () => void

interface Waiting<Key> {
	accountId: Key
	begin(end: EndTurn): void
}

/** For each place, times as long as its turn took, in this process or in the database: a queue keeps them busy a fifth of the time. */
const REST_PER_TURN = 4
const MAX_REST_MS = 600
const NO_REFUSAL = 'Your account has too much under way at once. Please try again in a few seconds.'

/**
 * Shares work of one kind among accounts: so much at once, so much of it for each account, and the rest waits. Of those that
 * wait, the first whose account has a place free is next, so that an account with a long queue delays only itself. `Key` is
 * what shares, where that is not accounts.
 */
export class Share<Key = AccountId> {
	readonly #limits: Required<ShareLimits>
	readonly #running = new Map<Key, number>()
	readonly #waiting = new Set<Waiting<Key>>()
	#total = 0

	constructor(limits: ShareLimits) {
		this.#limits = {
			total: Infinity,
			maxWaiting: 0,
			maxWaitMs: 60_000,
			rests: false,
			refusal: NO_REFUSAL,
			retrySeconds: 5,
			...limits,
		}
	}

	/** Begins at once; null where the account, or all accounts together, have as much under way as they may. */
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

	/** Begins at once. Throws a 429 where that is not possible. */
	beginNow(accountId: Key): EndTurn {
		const end = this.tryBegin(accountId)
		if (!end) throw this.#refuse()
		return end
	}

	/**
	 * Waits until it may begin. Throws a 429 when too many of the account wait already, or the wait was too long; rejects with
	 * the reason of `signal` when that is aborted first.
	 */
	async begin(accountId: Key, signal?: AbortSignal): Promise<EndTurn> {
		signal?.throwIfAborted()
		const end = this.tryBegin(accountId)
		if (end) return end
		const { maxWaiting, maxWaitMs } = this.#limits
		if (this.#waitingOf(accountId) >= maxWaiting) throw this.#refuse()
		const turn = Promise.withResolvers<EndTurn>()
		const waiting = { accountId, begin: turn.resolve }
		const leave = () => turn.reject(signal?.reason as Error)
		const timer = setTimeout(() => turn.reject(this.#refuse()), maxWaitMs)
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

	#refuse(): RetryLater {
		return new RetryLater(this.#limits.retrySeconds, this.#limits.refusal)
	}
}
