import type { Page } from 'playwright-core'
import { PATIENCE_MS, until } from '#test/until.ts'

/** Title of the page until the next screen sets its own. */
const LEFT = 'left'

/** Milliseconds between two polls of the title. */
const LOOK_MS = 20

/**
 * Returns a script that leaves the screen as a link does, and evaluates to false if the app is not loaded, shows a dialog or
 * stays at its path.
 */
const leaveFor = (path: string) => `(() => {
	const next = new URL(${JSON.stringify(path)}, location.href)
	const isLoaded = typeof history.state?.idx === 'number'
	// The form of a dialog that is closing still guards the screen.
	const isGuarded = document.querySelector('[role=dialog]') !== null
	if (!isLoaded || isGuarded || next.origin !== location.origin || next.pathname === location.pathname) return false
	document.title = '${LEFT}'
	const idx = history.state.idx + 1
	history.pushState({ usr: null, key: 'opened' + idx, idx }, '', next)
	dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
	return true
})()`

/**
 * Opens a screen within the loaded app, for a fifth of a page load's processor time, and resolves when it has its title. Loads the
 * page if the app is not loaded or shows a dialog, or if only the query of its address changes, because the screen then keeps
 * its title. The app keeps its data: a test that has changed data by other means waits for the new data.
 */
export async function openScreen(page: Page, path: string): Promise<void> {
	if (await page.evaluate<boolean>(leaveFor(path))) {
		await until(async () => (await page.title()) !== LEFT, PATIENCE_MS, LOOK_MS)
	} else await page.goto(path)
}
