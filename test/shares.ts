import { Share } from '#lib/server/fair-semaphore.ts'
import type { Shares } from '#lib/server/http/http.ts'

/** Returns semaphores that let each account run so many calls of each kind concurrently; further calls do not wait. */
export function createTestShares(each: number): Shares {
	const share = () => new Share({ each })
	return { calls: share(), uploads: share(), exports: share(), heavy: share(), long: share() }
}
