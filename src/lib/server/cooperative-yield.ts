import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Longer than most requests take. Also beside a process that is always busy, long work has to come to its end. */
const MAX_REST_MS = 100
/** Where several works rest, times as long as each of them was busy: they must not fill the process between them. */
const REST_PER_WORK = 3
/** Work that has not rested for so long has ended, and nobody asks who has not for so long. */
const FORGET_AFTER_MS = 1000

/** When each work that rests did so last. */
const resting = new Map<object, number>()
let requestedAtMs = -Infinity

/** Says that somebody asks this process for something, now. */
export function noteRequest(): void {
	requestedAtMs = performance.now()
}

/**
 * For work in many small pieces. Call what it returns after each: it waits for as long as this process has been busy since the
 * call before, so that requests of others find it free half of the time. Where other work does so now, it waits for three times
 * as long, and that for each of them, so that requests mostly find it free. Where nobody has asked for anything for a second, it
 * only lets others have their turn. What waits for the database needs no rest.
 */
export function createRest(): () => Promise<void> {
	const self = {}
	let last = performance.eventLoopUtilization()
	return async () => {
		const nowMs = performance.now()
		resting.set(self, nowMs)
		for (const [work, atMs] of resting) if (nowMs - atMs > FORGET_AFTER_MS) resting.delete(work)
		const { active } = performance.eventLoopUtilization(last)
		const times = resting.size === 1 ? 1 : REST_PER_WORK * resting.size
		if (resting.size === 1 && nowMs - requestedAtMs > FORGET_AFTER_MS) await nextTurn()
		else if (active >= 1) await sleep(Math.min(active * times, MAX_REST_MS))
		last = performance.eventLoopUtilization()
	}
}
