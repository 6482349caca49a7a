import type { OwnerId } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'

/** Each takes a connection to the database, and all the processor that it gets. */
const MAX_AT_ONCE = 2

/** A year's months, one click after the other. */
const MAX_OF_ACCOUNT = 12

interface Turn {
	owner: OwnerId
	signal?: AbortSignal | undefined
}

/**
 * Runs few pieces of work at once and the others after them, at most one of an account, so that nobody who wants many papers
 * takes the connections and the processor that everybody needs. Who waits for too many already gets a 429.
 */
export function createTurns(): <T>(turn: Turn, work: () => Promise<T>) => Promise<T> {
	const running = new Set<OwnerId>()
	const waiting: (Turn & { start(): void })[] = []

	function startNext(): void {
		while (running.size < MAX_AT_ONCE) {
			const index = waiting.findIndex(({ owner }) => !running.has(owner))
			const [next] = index < 0 ? [] : waiting.splice(index, 1)
			if (!next) return
			running.add(next.owner)
			next.start()
		}
	}

	return async ({ owner, signal }, work) => {
		const wanted = waiting.filter((turn) => turn.owner === owner && !turn.signal?.aborted).length
		if (wanted >= MAX_OF_ACCOUNT)
			throw new AppError(429, 'Many statements are being made for you already. Please try again in a minute.')
		await new Promise<void>((start) => {
			waiting.push({ owner, signal, start })
			startNext()
		})
		try {
			signal?.throwIfAborted()
			return await work()
		} finally {
			running.delete(owner)
			startNext()
		}
	}
}
