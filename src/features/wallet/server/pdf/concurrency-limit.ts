import type { OwnerId } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'

/** Each statement occupies a database connection and as much processor time as it gets. */
const MAX_AT_ONCE = 2

/** Enough for the twelve months of a year. */
const MAX_OF_ACCOUNT = 12

interface Request {
	owner: OwnerId
	signal?: AbortSignal | undefined
}

/**
 * Limits how much work runs at once, with at most one task of an account, and queues the rest. Throws a 429 when an account
 * has MAX_OF_ACCOUNT tasks waiting. A task whose `signal` was aborted while it waited is not run.
 */
export function createConcurrencyLimit(): <T>(request: Request, work: () => Promise<T>) => Promise<T> {
	const running = new Set<OwnerId>()
	const waiting: (Request & { start(): void })[] = []

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
		const wanted = waiting.filter((request) => request.owner === owner && !request.signal?.aborted).length
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
