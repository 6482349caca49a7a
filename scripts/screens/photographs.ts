import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Screen } from '#test/e2e/screens.ts'
import { drawn, show } from '#test/e2e/walk/settle.ts'

export type Scheme = 'light' | 'dark'

export interface Size {
	width: number
	height: number
}

export interface Photograph {
	role: string
	width: number
	scheme: Scheme
	caption: string
	/** Path of the picture. */
	file: string
}

interface Order {
	role: string
	screens: Screen[]
	sizes: Size[]
	schemes: Scheme[]
	/** Parent folder of `photographs/`. */
	out: string
	/** Receives a line for each screen that could not be shown. */
	problems: string[]
}

/** Loads each screen once and photographs its whole length at every size in every colour scheme. */
export async function photographScreens(page: Page, order: Order): Promise<Photograph[]> {
	const taken: Photograph[] = []
	for (const screen of order.screens) {
		try {
			await page.goto(screen.path)
			await drawn(page)
			await screen.open?.(page)
			taken.push(...(await photograph(page, screen, order)))
		} catch (error) {
			order.problems.push(`${order.role} ${screen.path}: ${String(error)}`)
		}
	}
	return taken
}

async function photograph(page: Page, { path, state }: Screen, { role, sizes, schemes, out }: Order) {
	const taken: Photograph[] = []
	const name = [path.slice(1), state].filter(Boolean).join(' ') || 'landing'
	for (const size of sizes) {
		for (const scheme of schemes) {
			await show(page, size, scheme)
			const file = join(
				out,
				'photographs',
				`${[role, name, size.width, scheme].join('-').replaceAll(/[^\w-]+/g, '_')}.png`,
			)
			await page.screenshot({ path: file, fullPage: true })
			taken.push({ role, width: size.width, scheme, caption: state ? `${path}, ${state}` : path, file })
		}
	}
	await show(page, { width: 1440, height: 900 }, 'light')
	return taken
}
