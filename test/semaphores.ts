import { FairSemaphore } from '#lib/server/fair-semaphore.ts'
import type { Semaphores } from '#lib/server/http/http.ts'

/** Returns semaphores that let each account run so many calls of each kind concurrently; further calls do not wait. */
export function createTestSemaphores(each: number): Semaphores {
	const semaphore = () => new FairSemaphore({ each })
	return { calls: semaphore(), uploads: semaphore(), exports: semaphore(), heavy: semaphore(), long: semaphore() }
}
