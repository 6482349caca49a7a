import type { TestContext } from 'node:test'

/** Stops the clock for the rest of this test, so that no wait between attempts is over before a slow machine makes the next. */
export function stopClock(t: TestContext): void {
	t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
}
