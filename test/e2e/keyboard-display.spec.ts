import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindingsInSchemes, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { tabTo } from './keyboard-steps.ts'
import { openScreen } from './open-screen.ts'
import { openStep } from './pages/campaign-pages.ts'
import { ADMIN_SCREENS, COMMON_SCREENS, GUEST_SCREENS, USER_SCREENS } from './screens.ts'
import { LEAST_PX, smallTargets, TOUCH_PX } from './targets.ts'
import { show } from './walk/settle.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

const DEVICES = [
	{ device: 'a touch screen of 390 pixels', touch: true, size: { width: 390, height: 844 }, leastPx: TOUCH_PX },
	{ device: 'a window of 1440 pixels', touch: false, size: { width: 1440, height: 900 }, leastPx: LEAST_PX },
]

suite('every link, button and field of every screen is large enough', () => {
	const screens = [
		{ who: 'a guest', as: undefined, paths: GUEST_SCREENS },
		{ who: 'an admin', as: admin, paths: [...ADMIN_SCREENS, ...COMMON_SCREENS] },
		{ who: 'a user', as: user, paths: [...USER_SCREENS, ...COMMON_SCREENS] },
	]
	for (const { who, as, paths } of screens)
		test(`every target of ${who} has at least ${LEAST_PX} px in a window of 1440 pixels and ${TOUCH_PX} px on a touch screen of 390 pixels`, () =>
			app.withPage(as ? { as } : {}, async ({ page }) => {
				const found: string[] = []
				for (const path of paths) {
					await openScreen(page, path)
					await settled(page)
					found.push(...(await smallTargets(page, LEAST_PX, `${path}, 1440`)))
					await onTouchScreen(page, async () => {
						found.push(...(await smallTargets(page, TOUCH_PX, `${path}, 390`)))
					})
				}
				assert.equal(found.length, 0, found.join('\n'))
			}))
})

/** Makes the window the touch screen of a phone during `act`, without loading the page again. */
async function onTouchScreen(page: Page, act: () => Promise<void>) {
	const client = await page.context().newCDPSession(page)
	const isTouched = () => page.evaluate<boolean>("matchMedia('(pointer: coarse)').matches")
	await client.send('Emulation.setTouchEmulationEnabled', { enabled: true })
	await until(isTouched)
	await show(page, { width: 390, height: 844 }, 'light')
	await settled(page)
	await act()
	await client.send('Emulation.setTouchEmulationEnabled', { enabled: false })
	await until(async () => !(await isTouched()))
	await client.detach()
	await show(page, { width: 1440, height: 900 }, 'light')
}

suite('every link, button and field of an open dialog is large enough', () => {
	/** Dialogs: the button of the page that opens each, or the entry of a row's menu on narrow screens. */
	const dialogs = [
		{ as: user, path: '/user/dashboard', button: 'Go to' },
		{ as: user, path: '/contact/management', button: 'Add New Contact' },
		{ as: user, path: '/contact/management', button: /^Edit /, entry: 'Edit' },
		{ as: user, path: '/contact/management', button: /^Delete /, entry: 'Delete' },
		{ as: user, path: '/contact/opt-outs', button: 'Add numbers' },
		{ as: user, path: '/user/manage/contact/groups', button: 'Add New Group' },
		{ as: user, path: '/user/manage/contact/groups', button: /^Delete /, entry: 'Delete' },
		{ as: user, path: '/campaign/1', button: 'Save people as a group' },
		{ as: admin, path: '/admin/recharge/wallet', button: /^Add Recharge/ },
		{ as: admin, path: '/admin/manage/users', button: /^Manage Key/, entry: 'Manage Key' },
		{ as: admin, path: '/admin/manage/users', button: /^Delete /, entry: 'Delete' },
	]
	for (const { device, touch, size, leastPx } of DEVICES)
		for (const { who, as } of [
			{ who: 'a user', as: user },
			{ who: 'an admin', as: admin },
		])
			test(`every target of ${who}'s dialogs on ${device} has at least ${leastPx} px`, () =>
				app.withPage({ as, touch, size }, async ({ page }) => {
					const found: string[] = []
					for (const { path, button, entry } of dialogs.filter((dialog) => dialog.as === as)) {
						if (new URL(page.url()).pathname !== path) await openScreen(page, path)
						await settled(page)
						const menu = page.getByRole('button', { name: /^Actions for / }).first()
						const direct = page.getByRole('button', { name: button }).first()
						await menu.or(direct).first().waitFor()
						if (entry && (await menu.isVisible())) {
							await menu.click()
							await page.getByRole('menuitem', { name: entry, exact: true }).waitFor()
							found.push(...(await smallTargets(page, leastPx, `${path}, menu`, '[role=menu]')))
							await page.getByRole('menuitem', { name: entry, exact: true }).click()
						} else await direct.click()
						const dialog = page.getByRole('dialog').first()
						await dialog.waitFor()
						await dialog.evaluate(
							'(node) => Promise.all(node.getAnimations({ subtree: true }).map((one) => one.finished))',
						)
						found.push(...(await smallTargets(page, leastPx, `${path}, ${button}`, '[role=dialog]')))
						await page.keyboard.press('Escape')
						await dialog.waitFor({ state: 'detached' })
					}
					assert.equal(found.length, 0, found.join('\n'))
				}))
})

test('the bar with the preview covers neither the focused control nor the content beside it', () =>
	app.withPage({ as: user, touch: true, size: { width: 390, height: 844 } }, async ({ page }) => {
		for (const path of ['/user/create/template/campaign', '/user/create/template']) {
			await openScreen(page, path)
			await settled(page)
			await page.getByRole('button', { name: 'Preview' }).waitFor()
			assert.deepEqual(await page.evaluate(COVERED), [], path)
		}
	}))

/**
 * Script that focuses each control of the form from the top of the page, as Tab does, and returns the names of the controls
 * that the bar covers. Also reports a bar that does not reach the left, right and lower edge of the window.
 */
const COVERED = `(() => {
	const button = [...document.querySelectorAll('main button')].find((node) => node.textContent === 'Preview')
	const bar = button.parentElement
	const { left, right, bottom } = bar.getBoundingClientRect()
	const found = left > 0 || right < innerWidth || bottom < innerHeight ? ['the bar leaves room beside itself'] : []
	for (const control of document.querySelectorAll('main form :is(input, textarea, button, a[href])')) {
		if (control.type === 'file' || !control.checkVisibility()) continue
		document.activeElement.blur()
		scrollTo(0, 0)
		control.focus()
		if (control.getBoundingClientRect().bottom > bar.getBoundingClientRect().top)
			found.push(control.name || control.textContent || control.outerHTML.slice(0, 80))
	}
	return found
})()`

test('the active option of the template picker breaks no rule of axe in either colour scheme', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await page.goto('/user/create/template/campaign')
		await settled(page)
		await tabTo(page, page.getByRole('combobox', { name: 'Template' }))
		await page.getByRole('option').first().waitFor()
		await page.keyboard.press('ArrowDown')
		await page.locator('[role=option][data-combobox-selected]').waitFor()
		assert.deepEqual(await axeFindingsInSchemes(page, 'the picker'), [])
	}))

suite('in high contrast', () => {
	test('the chosen radio button, menu entry and chip differ from the others', () =>
		inHighContrast('/user/create/template/campaign', async (page) => {
			const radio = (name: string) => page.getByRole('radio', { name })
			await openStep(page, 'when')
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
			const bar = page
				.getByRole('list', { name: /^Messages accepted/ })
				.locator('[style*=chart]')
				.first()
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
