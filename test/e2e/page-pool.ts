import type { Browser, Page } from 'playwright-core'

export interface PageOrder {
	origin: string
	size: { width: number; height: number }
	/** Whether the pointer is a finger. */
	touch: boolean
	/** What the browser's local storage holds at this origin. */
	stored: { name: string; value: string }[]
}

export interface PagePool {
	/** A page that holds nothing but what is stored, for one test. */
	take(order: PageOrder): Promise<Page>
	/** Another test may use it, as if it were new. */
	giveBack(page: Page): Promise<void>
}

const LISTENED = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'dialog', 'download']

const MEDIA = { colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' } as const

/** Pages that are used again: a new one needs a process of its own, which takes longer than most of what a test does. */
export function createPagePool(browser: Browser): PagePool {
	const idle: Page[] = []
	const kinds = new WeakMap<Page, string>()
	return {
		async take({ origin, size, touch, stored }) {
			const kind = `${origin} ${touch}`
			const known = idle.findIndex((one) => kinds.get(one) === kind)
			const page = idle.splice(known, known < 0 ? 0 : 1)[0] ?? (await newPage(browser, { origin, touch }))
			kinds.set(page, kind)
			await page.setViewportSize(size)
			await page.emulateMedia(MEDIA)
			// A page of the same origin without the app, which would read what is stored or store something itself.
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
				// A form may ask whether to leave it.
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

async function newPage(browser: Browser, { origin, touch }: Pick<PageOrder, 'origin' | 'touch'>): Promise<Page> {
	const context = await browser.newContext({ baseURL: origin, hasTouch: touch })
	context.setDefaultTimeout(20_000)
	return context.newPage()
}
