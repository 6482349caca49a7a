import type { TestContext } from 'node:test'

/**
 * Stops the clock for the rest of this test, so that on a slow machine no wait between attempts ends before the next attempt.
 */
export function stopClock(t: TestContext): void {
	t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
}
