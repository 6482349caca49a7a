import type { Page } from 'playwright-core'
import { axeFindings } from '../axe.ts'
import type { Screen } from '../screens.ts'
import { layoutFindings } from './layout.ts'
import { drawn, show } from './settle.ts'

interface Size {
	width: number
	height: number
	/** The rules of axe that are applied here; the others say the same at each size. */
	rules: 'all' | 'looks'
}

const SIZES: Size[] = [
	{ width: 1440, height: 900, rules: 'all' },
	{ width: 1024, height: 768, rules: 'looks' },
	{ width: 768, height: 1024, rules: 'looks' },
	{ width: 390, height: 844, rules: 'all' },
	{ width: 320, height: 700, rules: 'looks' },
]
const SCHEMES = ['light', 'dark'] as const

/** Loads the screen and looks at it at every size in both colour schemes. */
export async function screenFindings(page: Page, { path, state, open }: Screen): Promise<string[]> {
	await page.goto(path)
	await drawn(page)
	await open?.(page)
	return walkFindings(page, [path, state].filter(Boolean).join(', '))
}

/** The faults of the page as it is, at every size in both colour schemes, one a line. It is not loaded again. */
export async function walkFindings(page: Page, where: string): Promise<string[]> {
	const places = new Map<string, string[]>()
	for (const { rules, ...size } of SIZES) {
		for (const scheme of SCHEMES) {
			await show(page, size, scheme)
			const found = [...(await layoutFindings(page)), ...(await axeFindings(page, 'axe', rules))]
			for (const fault of new Set(found)) {
				places.set(fault, [...(places.get(fault) ?? []), `${size.width} ${scheme}`])
			}
		}
	}
	await show(page, { width: 1440, height: 900 }, 'light')
	return [...places].map(([fault, at]) => `${where} (${at.join(', ')}): ${fault}`)
}
