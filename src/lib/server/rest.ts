import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than most requests take. Also beside a process that is always busy, long work has to come to its end. */
const MAX_REST_MS = 100
/** Times as long as the work: several works of one account must not fill the process between them. */
const REST_PER_WORK = 3
/** Work that has not rested for so long has ended. */
const FORGET_AFTER_MS = 1000

/** When each work that rests did so last. */
const resting = new Map<object, number>()

/**
 * For work in many small pieces. Call what it returns after each: it waits for three times as long as this process has been
 * busy since the call before, and that for each work that does so now, so that requests of others mostly find it free. What
 * waits for the database needs no rest.
 */
export function createRest(): () => Promise<void> {
	const self = {}
	let last = performance.eventLoopUtilization()
	return async () => {
		const nowMs = performance.now()
		resting.set(self, nowMs)
		for (const [work, atMs] of resting) if (nowMs - atMs > FORGET_AFTER_MS) resting.delete(work)
		const { active } = performance.eventLoopUtilization(last)
		if (active >= 1) await sleep(Math.min(active * REST_PER_WORK * resting.size, MAX_REST_MS))
		last = performance.eventLoopUtilization()
	}
}
