import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { listIsReady, seeFocus } from './keyboard-steps.ts'
import { openScreen } from './open-screen.ts'

const app = await launchApp()
const people = { user: await app.signedIn(DEMO_USER.email), admin: await app.signedIn(DEMO_ADMIN.email) }

suite('Enter opens and Escape closes, with the focus back on the button', () => {
	const openers = [
		{ as: 'user', path: '/user/dashboard', opener: 'Account menu', opens: 'menu' },
		{ as: 'user', path: '/user/dashboard', opener: 'Notifications', opens: 'dialog' },
		{ as: 'user', path: '/contact/management', opener: 'Add New Contact', opens: 'dialog' },
		{ as: 'user', path: '/user/template/management', opener: 'View Order shipped', opens: 'dialog' },
		{ as: 'admin', path: '/admin/manage/users', opener: `View ${DEMO_USER.name}`, opens: 'dialog' },
		{ as: 'admin', path: '/admin/manage/users', opener: `Manage Key of ${DEMO_USER.name}`, opens: 'dialog' },
		{ as: 'admin', path: '/admin/recharge/wallet', opener: `Add Recharge for ${DEMO_USER.name}`, opens: 'dialog' },
	] as const
	for (const { as, path, opener, opens } of openers) {
		test(`“${opener}” on ${path} opens with Enter, closes with Escape and regains the focus`, () =>
			app.withPage({ as: people[as] }, async ({ page }) => {
				await openScreen(page, path)
				await settled(page)
				const button = page.getByRole('button', { name: opener })
				await button.focus()
				await page.keyboard.press('Enter')
				const opened = page.getByRole(opens).filter({ visible: true })
				await opened
					.locator(':focus')
					.or(opened.and(page.locator(':focus')))
					.waitFor()
				await page.keyboard.press('Escape')
				await opened.waitFor({ state: 'detached' })
				await button.and(page.locator(':focus')).waitFor()
			}))
	}

	for (const { opener, opened } of [
		{ opener: 'Open the menu', opened: 'Menu' },
		{ opener: 'Preview', opened: 'Preview' },
	]) {
		test(`the drawer of “${opener}” at 390 pixels closes with Escape and returns the focus`, () =>
			app.withPage({ as: people.user, size: { width: 390, height: 844 } }, async ({ page }) => {
				await openScreen(page, '/user/create/template/campaign')
				await settled(page)
				const button = page.getByRole('button', { name: opener })
				await button.press('Enter')
				await page.getByRole('dialog', { name: opened }).waitFor()
				await page.keyboard.press('Escape')
				await page.getByRole('dialog', { name: opened }).waitFor({ state: 'detached' })
				await button.and(page.locator(':focus')).waitFor()
			}))
	}

	test('the logout dialog focuses Cancel first, and Escape returns the focus to the account menu', () =>
		app.withPage({ as: people.user }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			const account = page.getByRole('button', { name: 'Account menu' })
			await account.press('Enter')
			await page.getByRole('menuitem', { name: 'Logout' }).press('Enter')
			await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
			await page.keyboard.press('Escape')
			await account.and(page.locator(':focus')).waitFor()
			assert.equal(new URL(page.url()).pathname, '/user/dashboard')
		}))
})

suite('keyboard navigation', () => {
	test('the first Tab focuses a link that skips to the content', () =>
		app.withPage({ as: people.user }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			await settled(page)
			await page.keyboard.press('Tab')
			const skip = page.getByRole('link', { name: 'Skip to the content' })
			await skip.and(page.locator(':focus')).waitFor()
			await page.keyboard.press('Enter')
			await page.locator('main:focus').waitFor()
		}))

	test('Ctrl+K in a field opens the palette, which opens the chosen result and leaves the focus in its screen', () =>
		app.withPage({ as: people.user }, async ({ page }) => {
			await openScreen(page, '/contact/management')
			await page.getByRole('searchbox', { name: 'Search by name or number' }).press('Control+k')
			const field = page.getByRole('combobox', { name: 'Go to a screen or search by name' })
			await field.and(page.locator(':focus')).waitFor()
			await page.keyboard.type('order')
			await page.getByRole('option', { name: /^Order shipped/ }).waitFor()
			await page.keyboard.press('ArrowUp')
			await page.getByRole('option', { name: /^Order shipped/, selected: true }).waitFor()
			await page.keyboard.press('Enter')
			await page.waitForURL('/user/template/management?search=order_shipped')
			await page.locator('main:focus').waitFor()
		}))

	test('Enter after a search in a list takes its first option, and does not send the form when nothing was found', () =>
		app.withPage({ as: people.user }, async ({ page }) => {
			await openScreen(page, '/user/create/template/campaign')
			const template = page.getByRole('combobox', { name: 'Template' })
			await template.focus()
			await listIsReady(page)
			await page.keyboard.type('zzz', { delay: 20 })
			await page.keyboard.press('Enter')
			await page.getByText('No matching template').waitFor()
			await page.keyboard.press('Enter')
			await template.fill('')
			await listIsReady(page)
			// The typing is too fast for the server to have searched.
			await page.keyboard.type('SHIPPED')
			await page.keyboard.press('Enter')
			await until(async () => (await template.inputValue()).startsWith('Order shipped'))
			assert.equal(await page.getByText('Campaign name is required').count(), 0)

			await page.goto('/contact/management')
			await page.getByRole('button', { name: 'Add New Contact' }).click()
			const form = page.getByRole('dialog', { name: 'Add New Contact' })
			await seeFocus(page, form.getByRole('textbox', { name: 'First name' }))
			const group = form.getByRole('combobox', { name: 'Group' })
			await group.selectText()
			await listIsReady(page)
			await page.keyboard.type('fest')
			await page.getByRole('option', { name: 'Festive shoppers' }).waitFor()
			await page.keyboard.press('Enter')
			await until(async () => (await group.inputValue()) === 'Festive shoppers')
			assert.equal(await form.getByText('First name and number are required').count(), 0)
		}))

	test('a button that removes itself passes the focus on', () =>
		app.withPage({ as: people.user }, async ({ page }) => {
			const heading = page.getByRole('heading', { name: 'My Profile' }).and(page.locator(':focus'))
			await openScreen(page, '/profile')
			await page.getByRole('button', { name: 'Edit Profile' }).press('Enter')
			await heading.waitFor()
			await page.getByRole('button', { name: 'Cancel' }).press('Enter')
			await heading.waitFor()

			await openScreen(page, '/upload/contact?tab=bulk')
			const file = { name: 'one.csv', mimeType: 'text/csv', buffer: Buffer.from('firstName,number') }
			await page.locator('input[type=file]').setInputFiles(file)
			await page.getByRole('button', { name: 'Remove one.csv' }).press('Enter')
			await page.locator('[tabindex="0"]:focus').filter({ hasText: 'Drop a CSV or Excel file here' }).waitFor()
		}))

	test('the palette offers an admin users and admin screens, and Escape returns the focus', () =>
		app.withPage({ as: people.admin }, async ({ page }) => {
			await openScreen(page, '/admin/audit')
			const button = page.getByRole('button', { name: 'Go to' })
			await button.press('Enter')
			await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
			assert.equal(await page.getByRole('option', { name: /Campaign/ }).count(), 0)
			await page.keyboard.type(DEMO_USER.name)
			await page.getByRole('option', { name: DEMO_USER.email }).waitFor()
			await page.keyboard.press('Escape')
			await button.and(page.locator(':focus')).waitFor()
		}))
})
