import type { Page } from 'playwright-core'
import { PATIENCE_MS, until } from '#test/until.ts'
import { settled } from '../axe.ts'

const MAX_SETTLE_MS = 2000

// Script that scrolls through the page, because a chart loads only when it comes into view.
const SCROLL_THROUGH = `new Promise((resolve) => {
	const step = () => {
		const before = scrollY
		scrollBy(0, innerHeight)
		if (scrollY > before) requestAnimationFrame(() => requestAnimationFrame(step))
		else requestAnimationFrame(() => { scrollTo(0, 0); requestAnimationFrame(resolve) })
	}
	step()
})`

// Selector of an empty place in which a chart will be loaded.
const CHART_TO_COME = 'figure > div:empty'

// Script that waits until the page stays the same for three frames: tables and charts measure themselves a moment after the
// window is resized.
const STAYS_THE_SAME = `new Promise((resolve) => {
	const end = performance.now() + ${MAX_SETTLE_MS}
	const look = () => {
		const { scrollWidth, scrollHeight } = document.documentElement
		const charts = [...document.querySelectorAll('.recharts-surface')].map((chart) => chart.clientWidth)
		return [scrollWidth, scrollHeight, document.getElementsByTagName('*').length, ...charts].join()
	}
	let last = look()
	let same = 0
	const next = () => {
		const now = look()
		same = now === last ? same + 1 : 0
		last = now
		if (same === 3 || performance.now() > end) resolve()
		else requestAnimationFrame(next)
	}
	requestAnimationFrame(next)
})`

/** Resolves when every part of the screen has loaded and is drawn, including the parts below the window. */
export async function drawn(page: Page): Promise<void> {
	await settled(page)
	// Scrolls again, for a chart whose place appeared after the page had been scrolled past it.
	await until(
		async () => {
			await page.evaluate(SCROLL_THROUGH)
			return (await page.locator(CHART_TO_COME).count()) === 0
		},
		PATIENCE_MS,
		100,
	)
	await settled(page)
	await page.evaluate(STAYS_THE_SAME)
}

/** Resizes the window and sets its colour scheme without reloading the page. */
export async function show(
	page: Page,
	size: { width: number; height: number },
	colorScheme: 'light' | 'dark',
): Promise<void> {
	await page.setViewportSize(size)
	await page.emulateMedia({ colorScheme })
	await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
	await page.evaluate(STAYS_THE_SAME)
}
