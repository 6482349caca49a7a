import { problem } from '#app/problems.ts'
import { FairSemaphore } from '#lib/server/fair-semaphore.ts'
import type { Semaphores } from '#lib/server/http/http.ts'
import type { Env } from './env.ts'

type Limits = Pick<Env, 'ACCOUNT_CALLS' | 'ACCOUNT_UPLOADS' | 'ACCOUNT_EXPORTS'>

/** Returns the limits of concurrent work per account in this process; some work also has a total limit. */
export function createSemaphores({ ACCOUNT_CALLS, ACCOUNT_UPLOADS, ACCOUNT_EXPORTS }: Limits): Semaphores {
	return {
		calls: semaphore({ each: ACCOUNT_CALLS, maxWaiting: 500, rests: true }, ['make', 'requests']),
		uploads: semaphore({ each: ACCOUNT_UPLOADS, maxWaiting: 20 }, ['upload', 'files']),
		exports: semaphore({ each: ACCOUNT_EXPORTS, maxWaiting: 10 }, ['download', 'lists']),
		// Each call uses this process's processor time and a database connection.
		heavy: semaphore({ each: 2, total: 8, maxWaiting: 50, rests: true }, ['count or change', 'large lists']),
		// Leaves room for the twelve calls that a year's statements need.
		long: semaphore({ each: 1, total: 3, maxWaiting: 100 }, ['have', 'large file, statement or campaign prepared']),
	}
}

/** Seconds until a refused client may try again. */
const RETRY_SECONDS = 5

interface Queue {
	each: number
	total?: number
	maxWaiting: number
	rests?: boolean
}

function semaphore(queue: Queue, [does, what]: readonly [string, string]): FairSemaphore {
	const { each, maxWaiting } = queue
	const facts = { does, what, each, maxWaiting, waitSeconds: RETRY_SECONDS }
	return new FairSemaphore({ ...queue, refusal: () => problem('too_many_calls_waiting', facts) })
}
