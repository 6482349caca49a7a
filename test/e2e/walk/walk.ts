import type { Page } from 'playwright-core'
import { axeFindings } from '../axe.ts'
import { openScreen } from '../open-screen.ts'
import type { Screen } from '../screens.ts'
import { layoutFindings } from './layout.ts'
import { drawn, show } from './settle.ts'

type Scheme = 'light' | 'dark'

interface Size {
	width: number
	height: number
	/**
	 * Colour schemes in which axe runs at this size, with all rules or those about looks. The other rules have the same result
	 * at each size.
	 */
	axe: Partial<Record<Scheme, 'all' | 'looks'>>
}

const SIZES: Size[] = [
	{ width: 1440, height: 900, axe: { light: 'all' } },
	{ width: 1024, height: 768, axe: {} },
	{ width: 768, height: 1024, axe: { dark: 'looks' } },
	{ width: 390, height: 844, axe: { dark: 'all' } },
	{ width: 320, height: 700, axe: {} },
]

/** Opens the screen, brings it into its state, and returns its faults as `walkFindings` does. */
export async function screenFindings(page: Page, { path, state, open }: Screen): Promise<string[]> {
	await openScreen(page, path)
	await drawn(page)
	await open?.(page)
	return walkFindings(page, [path, state].filter(Boolean).join(', '))
}

/**
 * Returns the faults of the page, one per line: faults of the layout at every size in light colours, and axe's violations at
 * the sizes and in the colour schemes of `SIZES`. Does not reload the page.
 */
export async function walkFindings(page: Page, where: string): Promise<string[]> {
	const places = new Map<string, string[]>()
	for (const { axe, ...size } of SIZES) {
		for (const scheme of ['light', 'dark'] as const) {
			const rules = axe[scheme]
			if (scheme === 'dark' && !rules) continue
			await show(page, size, scheme)
			const layout = scheme === 'light' ? await layoutFindings(page) : []
			const found = [...layout, ...(rules ? await axeFindings(page, 'axe', rules) : [])]
			for (const fault of new Set(found)) {
				places.set(fault, [...(places.get(fault) ?? []), `${size.width} ${scheme}`])
			}
		}
	}
	await show(page, { width: 1440, height: 900 }, 'light')
	return [...places].map(([fault, at]) => `${where} (${at.join(', ')}): ${fault}`)
}
