import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindingsInSchemes, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { openStep } from './pages/campaign-pages.ts'
import { fillSignIn } from './people.ts'

const UNREAD = 'Message those who did not read'
const PHONE = { width: 390, height: 844 }

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)

interface State {
	name: string
	path: string
	phone?: boolean
	/** True if Escape does not restore the page. */
	stays?: boolean
	open: (page: Page) => Promise<Locator>
}

suite('menus, dialogs, drawers and error states pass axe in both colour schemes', () => {
	/**
	 * States by address. `open` returns the element that must be on screen before axe runs. States of one address that Escape
	 * closes share a page.
	 */
	const states: State[] = [
		{
			name: 'the account menu',
			path: '/user/dashboard',
			open: (page) => press(page, 'Account menu', page.getByRole('menu')),
		},
		{
			name: 'the notifications',
			path: '/user/dashboard',
			open: (page) => press(page, 'Notifications', page.getByRole('dialog', { name: 'Notifications' })),
		},
		{
			name: 'a form in a dialog, with its errors',
			path: '/contact/management',
			stays: true,
			async open(page) {
				const dialog = await press(page, 'Add New Contact', page.getByRole('dialog', { name: 'Add New Contact' }))
				await dialog.getByRole('button', { name: 'Save' }).click()
				return dialog.getByText('First name and number are required').first()
			},
		},
		{
			name: 'a template in the phone frame',
			path: '/user/template/management',
			open: (page) => press(page, 'View Festive saree sale', page.getByRole('figure', { name: 'Message preview' })),
		},
		{
			name: 'the dialog that retries failed messages',
			path: '/campaign/1',
			async open(page) {
				const dialog = page.getByRole('dialog', { name: 'Retry failed messages' })
				await press(page, 'Retry failed', dialog)
				return dialog.getByText('Balance after')
			},
		},
		{
			name: 'the question about those who did not read',
			path: '/campaign/1',
			open: (page) => press(page, UNREAD, page.getByRole('dialog', { name: UNREAD })),
		},
		{
			name: 'the dialog that makes a group of recipients',
			path: '/campaign/1',
			async open(page) {
				const dialog = page.getByRole('dialog', { name: 'New group from recipients' })
				await press(page, 'Save people as a group', dialog)
				return dialog.getByText(/will be in it/)
			},
		},
		{
			name: 'a file as audience',
			path: '/user/create/template/campaign',
			stays: true,
			async open(page) {
				await openStep(page, 'people')
				await page.getByRole('radio', { name: 'An uploaded file' }).check()
				const text = ['Name,Mobile,City', 'Asha,9812345678,Pune', 'Ravi,12,Surat'].join('\n')
				const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
				await page.locator('input[type=file]').setInputFiles(file)
				return page.getByRole('button', { name: 'Rows left out (CSV)' })
			},
		},
		{
			name: 'a confirmation dialog',
			path: '/user/dashboard',
			async open(page) {
				await press(page, 'Account menu', page.getByRole('menu'))
				await page.getByRole('menuitem', { name: 'Logout' }).click()
				return page.getByRole('dialog', { name: 'Confirm Logout' })
			},
		},
		{
			name: 'the palette',
			path: '/user/dashboard',
			open: (page) => press(page, 'Go to', page.getByRole('dialog', { name: 'Go to' })),
		},
		{
			name: 'the menu as a drawer',
			path: '/user/dashboard',
			phone: true,
			open: (page) => press(page, 'Open the menu', page.getByRole('navigation', { name: 'Main menu' })),
		},
		{
			name: 'the preview as a drawer',
			path: '/user/create/template/campaign',
			phone: true,
			open: (page) => press(page, 'Preview', page.getByRole('dialog', { name: 'Preview' })),
		},
		{
			name: 'a refused form',
			path: '/user/create/template/campaign',
			stays: true,
			async open(page) {
				await page.getByRole('button', { name: 'Send Campaign' }).click()
				return page.getByText('Campaign name is required', { exact: true })
			},
		},
	]
	const pages = Map.groupBy(states, ({ name, path, phone, stays }) => (stays ? name : `${path} ${phone}`))
	for (const onPage of pages.values()) {
		test(`${onPage.map(({ name }) => name).join(', ')} passes axe`, () =>
			app.withPage({ as: user, ...(onPage[0]?.phone && { size: PHONE }) }, async ({ page }) => {
				await page.goto(onPage[0]?.path ?? '')
				await settled(page)
				for (const state of onPage) {
					const opened = await state.open(page)
					await opened.waitFor()
					await passInBothSchemes(page, state.name)
					if (state === onPage.at(-1)) break
					await page.keyboard.press('Escape')
					await opened.waitFor({ state: 'detached' })
				}
			}))
	}

	test('a list that failed to load passes axe', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/status of 403/)
			const refusal = { status: 403, json: { message: 'Not today' } }
			await page.route('**/api/contacts?*', (route) => route.fulfill(refusal))
			await page.goto('/contact/management')
			await page.getByRole('button', { name: 'Retry' }).waitFor()
			await page.getByRole('alert').getByText('Not today').waitFor()
			await passInBothSchemes(page, 'load error')
		}))

	test('the sign-in form passes axe after a wrong password', () =>
		app.withPage({}, async ({ page, allow }) => {
			allow(/status of 401/)
			await page.goto('/login')
			await fillSignIn(page, { email: DEMO_USER.email, password: 'not the password' })
			await page.getByRole('alert').waitFor()
			await passInBothSchemes(page, 'refused sign-in')
		}))
})

async function press(page: Page, name: string, opened: Locator): Promise<Locator> {
	await page.getByRole('button', { name }).click()
	await opened.waitFor()
	return opened
}

async function passInBothSchemes(page: Page, where: string) {
	assert.deepEqual(await axeFindingsInSchemes(page, where), [])
}
