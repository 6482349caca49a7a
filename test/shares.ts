import { Share } from '#lib/server/fair-semaphore.ts'
import type { Shares } from '#lib/server/http/http.ts'

/** Each account may have so many calls of each kind under way; none waits. */
export function createTestShares(each: number): Shares {
	const share = () => new Share({ each })
	return { calls: share(), uploads: share(), exports: share(), heavy: share(), long: share() }
}
