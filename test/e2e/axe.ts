import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const SMALLEST = { width: 320, height: 700 }

/** The violations that axe finds in the page, one a line: the rule and the first places that break it. */
export async function axeFindings(page: Page, where: string): Promise<string[]> {
	const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode(true).analyze()
	return violations.map(({ id, impact, help, nodes }) => {
		const places = nodes
			.slice(0, 3)
			.map(({ html, failureSummary = '' }) => `\n    ${html.slice(0, 200)} ${failureSummary}`)
		return `${where}: ${id} (${impact}, ${nodes.length} places) ${help}${places.join('')}`
	})
}

/** Runs axe in both colour schemes at two sizes, and checks that the page fits a window of 390 and of 320 pixels. */
export async function walkFindings(page: Page, where: string): Promise<string[]> {
	const found: string[] = []
	for (const [size, name] of [
		[WIDE, 'wide'],
		[PHONE, 'phone'],
	] as const) {
		await page.setViewportSize(size)
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme })
			await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
			found.push(...(await axeFindings(page, `${where}, ${name}, ${colorScheme}`)))
		}
		if (size === PHONE) found.push(...(await overflow(page, where)))
	}
	await page.setViewportSize(SMALLEST)
	found.push(...(await overflow(page, where)))
	await page.setViewportSize(WIDE)
	await page.emulateMedia({ colorScheme: 'light' })
	return found
}

// A chart is resized a moment after the window.
const SETTLED_WIDTH = `new Promise((resolve) => {
	const end = performance.now() + 1000
	const look = () => {
		const { scrollWidth } = document.documentElement
		if (scrollWidth <= innerWidth || performance.now() > end) resolve(scrollWidth)
		else requestAnimationFrame(look)
	}
	look()
})`

async function overflow(page: Page, where: string): Promise<string[]> {
	const width = await page.evaluate<number>(SETTLED_WIDTH)
	const room = page.viewportSize()?.width ?? 0
	return width > room ? [`${where}: ${width} px wide in a window of ${room} px`] : []
}

/** Resolves once the screen has loaded its data. */
export async function settled(page: Page): Promise<void> {
	await page.getByRole('heading', { level: 2 }).waitFor()
	await page.locator('.mantine-Skeleton-root[data-visible]').first().waitFor({ state: 'detached' })
	await page.getByText('Loading...').first().waitFor({ state: 'detached' })
}
