import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { tabTo } from './keyboard-steps.ts'
import { ADMIN_SCREENS, COMMON_SCREENS, GUEST_SCREENS, USER_SCREENS } from './screens.ts'
import { LEAST_PX, smallTargets, TOUCH_PX } from './targets.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

suite('every link, button and field of every screen is large enough', () => {
	const screens = [
		{ who: 'a guest', as: undefined, paths: GUEST_SCREENS },
		{ who: 'an admin', as: admin, paths: [...ADMIN_SCREENS, ...COMMON_SCREENS] },
		{ who: 'a user', as: user, paths: [...USER_SCREENS, ...COMMON_SCREENS] },
	]
	const devices = [
		{ device: 'a touch screen of 390 pixels', touch: true, size: { width: 390, height: 844 }, leastPx: TOUCH_PX },
		{ device: 'a window of 1440 pixels', touch: false, size: { width: 1440, height: 900 }, leastPx: LEAST_PX },
	]
	for (const { who, as, paths } of screens)
		for (const { device, touch, size, leastPx } of devices)
			test(`every target of ${who} on ${device} has at least ${leastPx} px`, () =>
				app.withPage({ ...(as && { as }), touch, size }, async ({ page }) => {
					const found: string[] = []
					for (const path of paths) {
						await page.goto(path)
						await settled(page)
						found.push(...(await smallTargets(page, leastPx, path)))
					}
					assert.equal(found.length, 0, found.join('\n'))
				}))
})

test('the active option of the template picker is read in both colour schemes', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await page.goto('/user/create/template/campaign')
		await settled(page)
		await tabTo(page, page.getByRole('combobox', { name: 'Template' }))
		await page.getByRole('option').first().waitFor()
		await page.keyboard.press('ArrowDown')
		await page.locator('[role=option][data-combobox-selected]').waitFor()
		const found: string[] = []
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme })
			await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
			found.push(...(await axeFindings(page, colorScheme)))
		}
		assert.equal(found.length, 0, found.join('\n'))
	}))

suite('in high contrast', () => {
	test('the chosen radio button, menu entry and chip differ from the others', () =>
		inHighContrast('/user/create/template/campaign', async (page) => {
			const radio = (name: string) => page.getByRole('radio', { name })
			assert.notEqual(await fillOf(radio('Send now')), await fillOf(radio('Schedule for later')))
			const entry = (name: string) => page.getByRole('navigation').getByRole('link', { name })
			assert.notEqual(await fillOf(entry('Create Campaign')), await fillOf(entry('Dashboard')))
			await page.goto('/user/recharge/transaction?tab=statement')
			const chip = (name: string) =>
				page.getByRole('group', { name: 'Kind of transaction' }).getByRole('button', { name })
			await chip('All').waitFor()
			assert.notEqual(await fillOf(chip('All')), await fillOf(chip('Recharge')))
		}))

	test('badges have a border, and bars a fill', () =>
		inHighContrast('/campaign/1', async (page) => {
			const badge = page.locator('main [data-tone]').first()
			assert.equal(await styleOf(badge, 'borderTopWidth'), '1px')
			const bar = page.getByRole('list', { name: 'Messages by latest status' }).locator('[style*=chart]').first()
			assert.notEqual(await fillOf(bar), await fillOf(page.locator('main section').first()))
		}))
})

function inHighContrast(path: string, act: (page: Page) => Promise<void>): Promise<void> {
	return app.withPage({ as: user }, async ({ page }) => {
		await page.emulateMedia({ forcedColors: 'active' })
		await page.goto(path)
		await settled(page)
		await act(page)
	})
}

function fillOf(target: Locator): Promise<string> {
	return styleOf(target, 'backgroundColor')
}

function styleOf(target: Locator, property: 'backgroundColor' | 'borderTopWidth'): Promise<string> {
	return target.first().evaluate((node, name) => {
		const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: unknown) => Record<string, string> }
		return getComputedStyle(node)[name] ?? ''
	}, property)
}
