import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { account } from '#test/factories.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { axeFindings, axeFindingsInSchemes } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button, field } from './locators.ts'
import { openScreen } from './open-screen.ts'

const app = await launchApp()
const admin = await app.signedIn(DEMO_ADMIN.email)

for (const size of SIZES)
	test(`after Create User its sign-in details are copied, Manage Key shows the place of each ID at Meta, a price and a recharge are entered, and the set-up follows, at ${size.width} pixels`, () =>
		app.withPage({ as: admin, size }, async ({ page, allow }) => {
			// The account has no credentials, so the request for them returns 404.
			allow(/status of 404/)
			const email = `panna${size.width}@example.com`
			await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
			await openScreen(page, '/admin/create/user')
			await field(page, 'Full Name').fill('Panna Prints')
			await field(page, 'Email Address').fill(email)
			await field(page, 'Password').fill('blue kettle 41')
			await button(page, 'Create User').click()
			await page.getByRole('heading', { name: 'Panna Prints can sign in' }).waitFor()
			const setUp = page.getByRole('region', { name: 'Set-up' })
			await setUp.getByText('2 of 6 steps done').waitFor()
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
			await button(page, 'Edit Prices').click()
			const prices = page.getByRole('dialog', { name: 'Panna Prints' })
			await prices.getByRole('spinbutton', { name: 'Marketing Price' }).fill('1.25')
			await prices.getByRole('button', { name: 'Save Prices' }).click()
			await setUp.getByText('₹1.25 for a marketing message').waitFor()
			for (const before of ['₹0.00', '₹500.00']) {
				await button(page, 'Add Recharge').click()
				const dialog = page.getByRole('dialog', { name: 'Add Recharge: Panna Prints' })
				await dialog.getByText(before, { exact: true }).first().waitFor()
				await dialog.getByRole('button', { name: '₹500', exact: true }).click()
				await dialog.getByRole('button', { name: 'Save' }).click()
				await dialog.waitFor({ state: 'hidden' })
			}
			await setUp.getByText('₹1,000.00 in the wallet.').waitFor()
			await setUp.getByText('3 of 6 steps done').waitFor()
			assert.deepEqual(await axeFindingsInSchemes(page, 'the set-up'), [])
			await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click()
			await page.getByText('blue kettle 41').waitFor({ state: 'detached' })
		}))

test('Manage Users names what is missing in the set-up, whose dialogs return to it, and saved credentials say that the webhook is connected', () =>
	app.withPage({ as: admin }, async ({ page, allow }) => {
		allow(/status of 404/)
		const person = await account(app.product.process.context, { name: 'Lata Looms', balancePaise: 5000 })
		const given = await app.product.simulator.control.createAccount({ name: 'Lata Looms' })
		await openScreen(page, `/admin/manage/users?search=${person.email}`)
		await page.getByRole('row').getByText('Missing: key, webhook, template').waitFor()
		await button(page, 'Set-up of Lata Looms').click()
		const setUp = page.getByRole('dialog', { name: 'Set-up: Lata Looms' })
		await setUp.getByText('3 of 6 steps done').waitFor()
		assert.deepEqual(await axeFindings(page, 'the dialog of the set-up'), [])
		await setUp.getByRole('button', { name: 'Manage Key' }).click()
		const key = page.getByRole('dialog', { name: 'Manage Key: Lata Looms' })
		for (const [label, value] of [
			['Phone Number ID', given.phone_number_id],
			['WABA ID', given.waba_id],
			['Access Token', given.access_token],
			['App Secret', given.app_secret],
		] as const)
			await key.getByRole('textbox', { name: label }).fill(value)
		await key.getByRole('button', { name: 'Save' }).click()
		await key.getByRole('status').getByText('Webhook connected ✓').waitFor()
		await key.getByText('Close', { exact: true }).click()
		await setUp.getByText('Works for').waitFor()
		await setUp.getByText('4 of 6 steps done').waitFor()
		await page.keyboard.press('Escape')
		await button(page, 'Set-up of Lata Looms').and(page.locator(':focus')).waitFor()
		await page.getByRole('row').getByText('Missing: webhook, template').waitFor()
		await button(page, 'View Lata Looms').click()
		const view = page.getByRole('dialog', { name: 'Lata Looms' })
		await view.getByRole('listitem').filter({ hasText: 'Key' }).getByRole('img', { name: 'Works:' }).waitFor()
		await view.getByRole('listitem').filter({ hasText: 'Template' }).getByRole('img', { name: 'Missing:' }).waitFor()
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
