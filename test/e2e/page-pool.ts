import type { Browser, Page } from 'playwright-core'

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
	/** Returns a blank page with this local storage for one test. */
	take(order: PageOrder): Promise<Page>
	/** Returns the page to the pool. */
	giveBack(page: Page): Promise<void>
}

const LISTENED = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'dialog', 'download']

const MEDIA = { media: 'screen', colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' } as const

/** Creates a pool of pages: a new page starts a browser process, which takes longer than most tests. */
export function createPagePool(browser: Browser): PagePool {
	const idle: Page[] = []
	const kinds = new WeakMap<Page, string>()
	return {
		async take({ origin, size, touch, hasWorker, stored }) {
			// A page is reused only for the same person: a page that was left while it loaded may still write that person's
			// data to the storage.
			const kind = `${origin} ${touch} ${hasWorker} ${stored.find(({ name }) => name === 'token')?.value ?? ''}`
			const known = idle.findIndex((one) => kinds.get(one) === kind)
			const page = idle.splice(known, known < 0 ? 0 : 1)[0] ?? (await newPage(browser, { origin, touch, hasWorker }))
			kinds.set(page, kind)
			await page.setViewportSize(size)
			await page.emulateMedia(MEDIA)
			// A page of the same origin without the app, which would read and write the storage.
			await page.goto(`${origin}/healthz`)
			await page.evaluate(`localStorage.clear(); sessionStorage.clear(); for (const { name, value } of
				${JSON.stringify(stored)}) localStorage.setItem(name, value)`)
			return page
		},
		async giveBack(page) {
			const context = page.context()
			for (const event of LISTENED) page.removeAllListeners(event)
			try {
				for (const other of context.pages()) if (other !== page) await other.close()
				// A form with changes asks before the page is left.
				page.once('dialog', (dialog) => void dialog.accept())
				await page.goto('about:blank')
				await page.unrouteAll({ behavior: 'ignoreErrors' })
				await context.unrouteAll({ behavior: 'ignoreErrors' })
				await context.setOffline(false)
				await context.clearCookies()
				await context.clearPermissions()
				idle.push(page)
			} catch {
				await context.close()
			}
		},
	}
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
	context.setDefaultTimeout(20_000)
	return context.newPage()
}
