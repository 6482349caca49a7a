import type { Browser, Page } from 'playwright-core'
import { PATIENCE_MS } from '#test/until.ts'
import { LOG_POLICY_VIOLATIONS } from './page-errors.ts'

export interface PageOrder {
	origin: string
	size: { width: number; height: number }
	/** True for a touch screen. */
	touch: boolean
	/** True if the app's service worker may run. Routes of a test do not see its requests. */
	hasWorker: boolean
	/** Content of the browser's local storage at this origin. */
	stored: { name: string; value: string }[]
}

export interface PagePool {
	/** Returns a page without the app, with this local storage, for one test. */
	take(order: PageOrder): Promise<Page>
	/** Returns the page to the pool. */
	giveBack(page: Page): Promise<void>
}

const LISTENED = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'dialog', 'download']

const MEDIA = { media: 'screen', colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' } as const

/** Path of a page of the product without the app, which would read and write the storage. */
const BLANK_PATH = '/healthz'

interface Place {
	origin: string
	/** Pages of one kind may replace one another. */
	kind: string
	/** True after a change by the test that the page would keep: of its scripts, or of its clock. */
	isChanged: boolean
}

/**
 * Creates a pool of pages. A new page starts a browser process that has none of the app's code, which takes longer than many a
 * test. An idle page stays at the product's origin, because about:blank would end its process.
 */
export function createPagePool(browser: Browser): PagePool {
	const idle: Page[] = []
	const places = new WeakMap<Page, Place>()
	return {
		async take({ origin, size, touch, hasWorker, stored }) {
			// A service worker keeps data of its person.
			const person = hasWorker && stored.find(({ name }) => name === 'token')?.value
			const kind = `${origin} ${touch} ${hasWorker} ${person}`
			const known = idle.findIndex((one) => places.get(one)?.kind === kind)
			const page = idle.splice(known, known < 0 ? 0 : 1)[0] ?? (await newPage(browser, { origin, touch, hasWorker }))
			const place = { origin, kind, isChanged: false }
			places.set(page, place)
			if (known < 0) watchChanges(page, () => ((places.get(page) ?? place).isChanged ||= true))
			await page.setViewportSize(size)
			await page.emulateMedia(MEDIA)
			if (page.url() !== origin + BLANK_PATH) await page.goto(origin + BLANK_PATH)
			await page.evaluate(`localStorage.clear(); sessionStorage.clear(); for (const { name, value } of
				${JSON.stringify(stored)}) localStorage.setItem(name, value)`)
			return page
		},
		async giveBack(page) {
			const { origin = '', isChanged = true } = places.get(page) ?? {}
			for (const event of LISTENED) page.removeAllListeners(event)
			try {
				if (isChanged) throw new Error('the page cannot be reused')
				await leave(page, origin)
				idle.push(page)
			} catch {
				await page.context().close()
			}
		},
	}
}

/** Replaces the app by the page at BLANK_PATH, and undoes what the test has set for its requests. */
async function leave(page: Page, origin: string) {
	const context = page.context()
	for (const other of context.pages()) if (other !== page) await other.close()
	// A form with changes asks before the page is left.
	page.once('dialog', (dialog) => void dialog.accept())
	// Answered here, because the test may have cut the network. The header keeps the browser's process.
	const headers = { 'cross-origin-opener-policy': 'same-origin' }
	await page.route(origin + BLANK_PATH, (route) => route.fulfill({ headers, body: 'ok' }))
	await page.goto(origin + BLANK_PATH)
	await page.unrouteAll({ behavior: 'ignoreErrors' })
	await context.unrouteAll({ behavior: 'ignoreErrors' })
	await context.setOffline(false)
	await context.clearCookies()
	await context.clearPermissions()
}

async function newPage(
	browser: Browser,
	{ origin, touch, hasWorker }: Pick<PageOrder, 'origin' | 'touch' | 'hasWorker'>,
): Promise<Page> {
	const context = await browser.newContext({
		baseURL: origin,
		hasTouch: touch,
		serviceWorkers: hasWorker ? 'allow' : 'block',
	})
	context.setDefaultTimeout(PATIENCE_MS)
	const page = await context.newPage()
	await page.addInitScript(LOG_POLICY_VIOLATIONS)
	return page
}

/** Calls `note` whenever the test adds a script to the page or installs a clock in it. */
function watchChanges(page: Page, note: () => void) {
	const addInitScript = page.addInitScript.bind(page)
	page.addInitScript = (...args) => {
		note()
		return addInitScript(...args)
	}
	const install = page.clock.install.bind(page.clock)
	page.clock.install = (...args) => {
		note()
		return install(...args)
	}
}
