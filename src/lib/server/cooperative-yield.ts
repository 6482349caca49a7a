import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * Longest rest in milliseconds, longer than most requests take. Bounded, so that long work finishes even in a process
 * that is always busy.
 */
const MAX_REST_MS = 100
/** Factor of a rest, per resting task, when several tasks rest: together they must leave time for requests. */
const REST_PER_WORK = 3
/**
 * Milliseconds without a rest after which a task counts as ended, and without a request after which the process counts
 * as unused.
 */
const FORGET_AFTER_MS = 1000

/** Time of the last rest of each task. */
const resting = new Map<object, number>()
let requestedAtMs = -Infinity

/** Records that a request has come in, so that long work rests for it. */
export function noteRequest(): void {
	requestedAtMs = performance.now()
}

/**
 * Returns a function that long work calls between small steps. It waits as long as the process was busy since the last
 * call, at most MAX_REST_MS, so that requests get half of the time; with several such tasks it waits three times as
 * long for each of them. A single task waits for one turn of the event loop only when no request came within the last
 * second. Work that waits for the database needs no rest.
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
