import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { openStep } from './pages/campaign-pages.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

const TEMPLATE = /\/api\/templates\/\d+$/

/** Answers one call of the page with a server error. */
const breakCall = (page: Page, pattern: string | RegExp, body: object) =>
	page.route(pattern, (route) => route.fulfill({ status: 500, json: body }))

suite('requirements of the specification for single screens', () => {
	test('a contact file is shown as uploaded when it is chosen, while its rows are still being read', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/create/template/campaign')
			await openStep(page, 'people')
			await page.getByRole('radio', { name: 'An uploaded file' }).check()
			const read = Promise.withResolvers<void>()
			await page.route('**/api/campaigns/audience/file', (route) => read.promise.then(() => route.continue()))
			const csv = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('name,number\nAsha,9876543210\n') }
			await page.locator('input[type=file]').setInputFiles(csv)
			await page.getByRole('status').getByText('File "people.csv" uploaded successfully', { exact: true }).waitFor()
			read.resolve()
		}))

	test('View of a template loads it by a separate call, and shows an error when that fails', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/status of 500|answer 500/)
			await openScreen(page, '/user/template/management')
			const view = page.getByRole('button', { name: /^View / }).first()
			await view.waitFor()
			const call = page.waitForRequest(TEMPLATE)
			await view.click()
			assert.equal((await call).method(), 'GET')
			await page.keyboard.press('Escape')
			await page.getByRole('dialog').waitFor({ state: 'hidden' })
			await breakCall(page, TEMPLATE, {})
			await page
				.getByRole('button', { name: /^View / })
				.nth(1)
				.click()
			await page.getByText('Failed to view template').first().waitFor()
		}))

	test('a server error with a message is quoted, and one without is described by the screen', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/status of 500|answer 500/)
			await breakCall(page, '**/api/campaigns?*', { message: 'The disk is full' })
			await page.goto('/user/view/template/campaign/message')
			await page.getByRole('alert').getByText('The disk is full').waitFor()
			await page.unroute('**/api/campaigns?*')
			await breakCall(page, '**/api/campaigns?*', {})
			await page.reload()
			await page.getByRole('alert').getByText('Failed to fetch campaigns').waitFor()
		}))

	test('Add Recharge sends its amount as a number of rupees', () =>
		app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/recharge/wallet')
			await page.getByRole('button', { name: `Add Recharge for ${DEMO_USER.name}` }).click()
			await page.getByRole('textbox', { name: 'Amount' }).fill('1,250.50')
			const call = page.waitForRequest(
				(request) => request.method() === 'POST' && request.url().includes('/api/recharge/'),
			)
			await page.getByRole('button', { name: 'Save' }).click()
			const body = (await call).postDataJSON() as { amount: unknown }
			assert.equal(body.amount, 1250.5)
			await page.getByRole('dialog').waitFor({ state: 'hidden' })
		}))
})
