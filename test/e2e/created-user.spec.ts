import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { axeFindings, axeFindingsInSchemes } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button, field } from './locators.ts'

const app = await launchApp()
const admin = await app.signedIn(DEMO_ADMIN.email)

for (const size of SIZES)
	test(`after Create User its sign-in details are copied, Manage Key shows the place of each ID at Meta, and a recharge is entered, at ${size.width} pixels`, () =>
		app.withPage({ as: admin, size }, async ({ page, allow }) => {
			// The account has no credentials, so the request for them returns 404.
			allow(/status of 404/)
			const email = `panna${size.width}@example.com`
			await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
			await page.goto('/admin/create/user')
			await field(page, 'Full Name').fill('Panna Prints')
			await field(page, 'Email Address').fill(email)
			await field(page, 'Password').fill('blue kettle 41')
			await button(page, 'Create User').click()
			await page.getByRole('heading', { name: 'Panna Prints is set up' }).waitFor()
			assert.deepEqual(await axeFindings(page, '/admin/create/user with a created user'), [])
			await button(page, 'Copy sign-in details').click()
			await button(page, 'Copied').waitFor()
			assert.equal(
				await page.evaluate<string>('navigator.clipboard.readText()'),
				`Address: ${new URL(page.url()).origin}/login\nEmail: ${email}\nPassword: blue kettle 41`,
			)
			await button(page, 'Manage Key').click()
			const key = page.getByRole('dialog', { name: 'Manage Key: Panna Prints' })
			await placesInMeta(key)
			assert.deepEqual(await axeFindingsInSchemes(page, 'Manage Key without credentials'), [])
			await page.keyboard.press('Escape')
			await key.waitFor({ state: 'hidden' })
			for (const before of ['₹0.00', '₹500.00']) {
				await button(page, 'Add Recharge').click()
				const dialog = page.getByRole('dialog', { name: 'Add Recharge: Panna Prints' })
				await dialog.getByText(before, { exact: true }).first().waitFor()
				await dialog.getByRole('button', { name: '₹500', exact: true }).click()
				await dialog.getByRole('button', { name: 'Save' }).click()
				await dialog.waitFor({ state: 'hidden' })
			}
			await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click()
			await page.getByText('blue kettle 41').waitFor({ state: 'detached' })
		}))

/** Asserts that each field names the place of its value, and that its mark is in the picture, which fits the dialog. */
async function placesInMeta(key: Locator) {
	const picture = key.getByRole('img', { name: /^Sketch of two pages of Meta/ })
	await picture.waitFor()
	for (const [name, mark, words] of [
		['Phone Number ID', '1', 'API Setup, under the “From” number'],
		['WABA ID', '2', 'as “WhatsApp Business Account ID”'],
		['Access Token', '3', 'Business settings, System users'],
		['App ID', '4', 'At the top of the App Dashboard'],
		['App Secret', '5', 'App settings, Basic'],
	] as const) {
		const line = key.locator(`[id="${await key.getByRole('textbox', { name }).getAttribute('aria-describedby')}"]`)
		await line.getByText(mark, { exact: true }).waitFor()
		await line.getByText(words).waitFor()
		await picture.getByText(mark, { exact: true }).waitFor()
	}
	const [drawn, dialog] = await Promise.all([picture.boundingBox(), key.boundingBox()])
	assert.ok(drawn && dialog && drawn.width >= 300 && drawn.x + drawn.width <= dialog.x + dialog.width)
}
