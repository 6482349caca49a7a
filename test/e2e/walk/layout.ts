import type { Page } from 'playwright-core'

const FILE = new URL('in-page/layout-findings.ts', import.meta.url).href

// Imported by a name that the compiler does not follow, because the file is written for the browser.
const functions = Object.values((await import(FILE)) as Record<string, () => void>)
const SCRIPT = `(() => { ${functions.map(String).join('\n')}\n return layoutFindings() })()`

/** Returns the layout faults of the window at its current size, one per line. */
export function layoutFindings(page: Page): Promise<string[]> {
	return page.evaluate<string[]>(SCRIPT)
}
