import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser } from '#features/auth/server/service.ts'
import { axeFindings } from './axe.ts'
import { fillNewContact } from './contact-form.ts'
import { launchApp } from './fixtures.ts'

const app = await launchApp()

async function newUser(name: string) {
	const email = `${name}@example.test`
	await createUser(app.product.process.context, { name, email, password: 'secret-1', role: 'user', isActive: true })
	return app.signedIn(email)
}

for (const [name, width, height] of [
	['wide', 1440, 900],
	['narrow', 390, 844],
] as const) {
	test(`the consent of an uploaded file is asked for, checked and shown at each contact, on a ${name} window`, async () => {
		await app.withPage({ as: await newUser(`consent-${name}`) }, async ({ page }) => {
			await page.setViewportSize({ width, height })
			await page.goto('/upload/contact?tab=bulk')
			const content = 'firstName,lastName,number\r\nAsha,Rao,9876543210\r\n'
			await page
				.locator('input[type=file]')
				.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
			await page.getByRole('checkbox', { name: 'All people in this file agreed to get messages from us' }).check()
			await page.getByRole('button', { name: 'Upload Contacts' }).click()
			await page.getByText('Say where they agreed').waitFor()
			await page.getByRole('textbox', { name: 'Where they agreed' }).fill('Shop register')
			await page.getByRole('textbox', { name: 'With which words' }).fill('Yes, send me offers')
			const found = await axeFindings(page, 'the question')
			assert.equal(found.length, 0, found.join('\n'))
			await page.getByRole('button', { name: 'Upload Contacts' }).click()
			await page.getByText(/^Agreed on .*: Shop register$/).waitFor()
		})
	})
}

test('the consent of one contact is noted in its form, and stands on the screen of privacy', async () => {
	await app.withPage({ as: await newUser('consent-form') }, async ({ page }) => {
		await page.goto('/contact/management')
		const dialog = await fillNewContact(page, { first: 'Asha', number: '9876543210' })
		await dialog.getByRole('checkbox', { name: 'They agreed to get messages from us' }).check()
		await dialog.getByRole('textbox', { name: 'Where they agreed' }).fill('Paper form')
		await dialog.getByRole('textbox', { name: 'With which words' }).fill('Write to me')
		await dialog.getByRole('button', { name: 'Save' }).click()
		await page.getByText(/^Agreed on .*: Paper form$/).waitFor()
		await page.goto('/contact/privacy?search=919876543210')
		await page.getByText(/Agreed on .*: Paper form. “Write to me”/).waitFor()
	})
})
