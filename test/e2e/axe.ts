import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { until } from '#test/until.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Rules that depend on the window's width or colour scheme; the other rules only read the document. */
const LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** True when no list is dimmed while it loads and no transition runs: dimmed text has too little contrast. */
const STILL = `!document.querySelector('[aria-busy=true]') && document.getAnimations().every(
	(animation) => animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity)`

/** Returns axe's violations in the page, one per line: the rule and the first elements that break it. */
export async function axeFindings(page: Page, where: string, rules: 'all' | 'looks' = 'all'): Promise<string[]> {
	// The script is injected once per document: parsing its half megabyte takes as long as running it.
	const isLoaded = await page.evaluate<boolean>("'axe' in window")
	await until(() => page.evaluate<boolean>(STILL))
	// By default axe also reports every node that passes.
	const options = { resultTypes: ['violations' as const] }
	const builder = new AxeBuilder({ page, ...(isLoaded && { axeSource: '0' }) }).options(options).setLegacyMode(true)
	const { violations } = await (rules === 'all' ? builder.withTags(TAGS) : builder.withRules(LOOKS)).analyze()
	return violations.map(({ id, impact, help, nodes }) => {
		const places = nodes
			.slice(0, 3)
			.map(({ html, failureSummary = '' }) => `\n    ${html.slice(0, 200)} ${failureSummary}`)
		return `${where}: ${id} (${impact}, ${nodes.length} places) ${help}${places.join('')}`
	})
}

/** Returns axe's violations in both colour schemes. In the second scheme only the rules about looks run. */
export async function axeFindingsInSchemes(page: Page, where: string): Promise<string[]> {
	const found: string[] = []
	for (const [colorScheme, rules] of [
		['light', 'all'],
		['dark', 'looks'],
	] as const) {
		await page.emulateMedia({ colorScheme })
		await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
		found.push(...(await axeFindings(page, `${where}, ${colorScheme}`, rules)))
	}
	return found
}

/** Resolves when the screen has loaded its data. */
export async function settled(page: Page): Promise<void> {
	// The guest page at / has no header above its heading.
	await page.locator('h2, main > h1').first().waitFor()
	await page.locator('.mantine-Skeleton-root[data-visible]').first().waitFor({ state: 'detached' })
	await page.getByText('Loading...').first().waitFor({ state: 'detached' })
}
