import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PATIENCE_MS, until } from '#test/until.ts'
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
	/**
	 * Returns a page with this local storage, for one test. The page is blank, or shows the app's sign-in page from which
	 * `openScreen` goes on.
	 */
	take(order: PageOrder): Promise<Page>
	/** Returns the page to the pool. After failures the app is left, because it reports failures of one cause once. */
	giveBack(page: Page, end: { hasFailures: boolean }): Promise<void>
	/** Closes all pages, also that of a test which did not end. */
	close(): Promise<void>
}

const LISTENED = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'dialog', 'download']

const MEDIA = { media: 'screen', colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' } as const

/** Path of a page of the product without the app, which would read and write the storage. */
const BLANK_PATH = '/healthz'

/** Path of the sign-in page, on which the app waits for the next test's person. */
const SIGN_IN_PATH = '/login'

/**
 * Maximum time in milliseconds until the app shows the sign-in page; after it the page is loaded again, which only takes
 * longer.
 */
const SIGN_OUT_MS = 5000
/** Milliseconds between two polls of the page. */
const LOOK_MS = 20

/**
 * Script that signs the person out as another tab would: the app shows the sign-in page and drops all data. Evaluates to false
 * if no person is signed in, or if the page has a colour scheme or a style that outlives the person.
 */
const SIGN_OUT = `(() => {
	const isApp = typeof history.state?.idx === 'number' && location.pathname !== '${SIGN_IN_PATH}'
	const isStyled = localStorage.getItem('theme') !== null || document.documentElement.style.length > 0
	if (!isApp || isStyled || localStorage.getItem('token') === null) return false
	localStorage.clear()
	dispatchEvent(new StorageEvent('storage', { key: null }))
	return true
})()`

/** Script that evaluates to true when the app shows nothing but the sign-in page. */
const IS_SIGNED_OUT = `location.pathname === '${SIGN_IN_PATH}' && document.querySelector('input[name=email]') !== null &&
	document.querySelector('[role=dialog], .mantine-Notification-root') === null`

/** Returns a script that stores the entries and signs their person in as another tab would. */
const signIn = (stored: PageOrder['stored']) => `localStorage.clear(); sessionStorage.clear()
	for (const { name, value } of ${JSON.stringify(stored)}) localStorage.setItem(name, value)
	if (${stored.length > 0}) dispatchEvent(new StorageEvent('storage', { key: 'user' }))`

interface Place {
	origin: string
	/** Pages of one kind may replace one another. */
	kind: string
	/** True after a change by the test that the page would keep: of its scripts, or of its clock. */
	isChanged: boolean
	/** True after the test has intercepted requests or cut the network. */
	isIntercepted: boolean
	/** True if the app's service worker runs, which keeps data. */
	hasWorker: boolean
	/** True while the app waits on the sign-in page. */
	isSignedOut: boolean
}

/**
 * Creates a pool of pages. A new page starts a browser process that has none of the app's code, which takes longer than many a
 * test. An idle page stays at the product's origin, because about:blank would end its process.
 */
export function createPagePool(browser: Browser): PagePool {
	const idle: Page[] = []
	const contexts = new Set<BrowserContext>()
	const places = new WeakMap<Page, Place>()
	return {
		async take({ origin, size, touch, hasWorker, stored }) {
			// A service worker keeps data of its person.
			const person = hasWorker && stored.find(({ name }) => name === 'token')?.value
			const kind = `${origin} ${touch} ${hasWorker} ${person}`
			const known = idle.findIndex((one) => places.get(one)?.kind === kind)
			const page = idle.splice(known, known < 0 ? 0 : 1)[0] ?? (await newPage(browser, { origin, touch, hasWorker }))
			contexts.add(page.context())
			const { isSignedOut = false } = places.get(page) ?? {}
			const place = { origin, kind, isChanged: false, isIntercepted: false, hasWorker, isSignedOut: false }
			places.set(page, place)
			if (known < 0) watchChanges(page, (change) => Object.assign(places.get(page) ?? place, change))
			await page.setViewportSize(size)
			await page.emulateMedia(MEDIA)
			if (!isSignedOut && page.url() !== origin + BLANK_PATH) await page.goto(origin + BLANK_PATH)
			await page.evaluate(signIn(stored))
			return page
		},
		async giveBack(page, { hasFailures }) {
			const place = places.get(page)
			for (const event of LISTENED) page.removeAllListeners(event)
			try {
				if (!place || place.isChanged) throw new Error('the page cannot be reused')
				await endTest(page, place, hasFailures)
				idle.push(page)
			} catch {
				await page.context().close()
			}
		},
		async close() {
			await Promise.all([...contexts].map((context) => context.close()))
		},
	}
}

/** Prepares the page for the next test: signs the person out of the loaded app if possible, which saves a page load. */
async function endTest(page: Page, place: Place, hasFailures: boolean) {
	const context = page.context()
	for (const other of context.pages()) if (other !== page) await other.close()
	if (place.isIntercepted) await leaveIntercepted(page, place.origin)
	else if (hasFailures || place.hasWorker || !(await hasSignedOut(page))) await leave(page, place.origin)
	else place.isSignedOut = true
	await context.clearCookies()
	await context.clearPermissions()
}

/** Resolves to true when the app has signed its person out and waits on the sign-in page. */
async function hasSignedOut(page: Page): Promise<boolean> {
	if (!(await page.evaluate<boolean>(SIGN_OUT))) return false
	return until(() => page.evaluate<boolean>(IS_SIGNED_OUT), SIGN_OUT_MS, LOOK_MS).then(
		() => true,
		() => false,
	)
}

/** Replaces the app by the page at BLANK_PATH. */
async function leave(page: Page, origin: string) {
	// A form with changes asks before the page is left.
	page.once('dialog', (dialog) => void dialog.accept())
	await page.goto(origin + BLANK_PATH)
}

/**
 * Leaves the app without a request to the product, because the test may have cut the network. The app is left before the
 * interception ends, so that no request that the test holds back reaches the product. Interception empties the browser's caches.
 */
async function leaveIntercepted(page: Page, origin: string) {
	const context = page.context()
	// The header keeps the browser's process.
	const headers = { 'cross-origin-opener-policy': 'same-origin' }
	await page.route(origin + BLANK_PATH, (route) => route.fulfill({ headers, body: 'ok' }))
	await leave(page, origin)
	await page.unrouteAll({ behavior: 'ignoreErrors' })
	await context.unrouteAll({ behavior: 'ignoreErrors' })
	await context.setOffline(false)
}

async function newPage(
	browser: Browser,
	{ origin, touch, hasWorker }: Pick<PageOrder, 'origin' | 'touch' | 'hasWorker'>,
): Promise<Page> {
	const context = await browser.newContext({
		baseURL: origin,
		hasTouch: touch,
		serviceWorkers: hasWorker ? 'allow' : 'block',
		// The simulator's pages have a test certificate.
		ignoreHTTPSErrors: true,
	})
	context.setDefaultTimeout(PATIENCE_MS)
	const page = await context.newPage()
	await page.addInitScript(LOG_POLICY_VIOLATIONS)
	return page
}

/** Calls `note` whenever the test adds a script, installs a clock, intercepts requests or cuts the network. */
function watchChanges(page: Page, note: (change: Partial<Place>) => void) {
	const context = page.context()
	const addInitScript = page.addInitScript.bind(page)
	page.addInitScript = (...args) => {
		note({ isChanged: true })
		return addInitScript(...args)
	}
	const install = page.clock.install.bind(page.clock)
	page.clock.install = (...args) => {
		note({ isChanged: true })
		return install(...args)
	}
	for (const target of [page, context]) {
		const route = target.route.bind(target)
		target.route = (...args) => {
			note({ isIntercepted: true })
			return route(...args)
		}
	}
	const setOffline = context.setOffline.bind(context)
	context.setOffline = (isOffline) => {
		note({ isIntercepted: true })
		return setOffline(isOffline)
	}
}
