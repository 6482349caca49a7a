import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createUser } from '#features/auth/server/service.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { seeTexts } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { openStep } from './pages/campaign-pages.ts'
import { fillNewContact, pick } from './pages/contact-form.ts'

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
	test(`the consent for an uploaded file is requested, checked and shown for each contact, on a ${name} window`, async () => {
		await app.withPage({ as: await newUser(`consent-${name}`) }, async ({ page }) => {
			await page.setViewportSize({ width, height })
			await openScreen(page, '/upload/contact?tab=bulk')
			await settled(page)
			const content = 'firstName,lastName,number\r\nAsha,Rao,9876543210\r\n'
			await page
				.locator('input[type=file]')
				.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
			// A click while the preview of the file moves the page would be lost.
			await tile(page, 'New 1').waitFor()
			await settled(page)
			await page.getByRole('checkbox', { name: 'All people in this file agreed to get messages from us' }).check()
			await page.getByRole('button', { name: 'Upload Contacts' }).click()
			await page.getByText('Say where they agreed').waitFor()
			await page.getByRole('textbox', { name: 'Where they agreed' }).fill('Shop register')
			await page.getByRole('textbox', { name: 'Consent text' }).fill('Yes, send me offers')
			assert.deepEqual(await axeFindings(page, 'the question'), [])
			await page.getByRole('button', { name: 'Upload Contacts' }).click()
			await page.getByText(/^Agreed on .*: Shop register$/).waitFor()
		})
	})

	test(`an upload is corrected in place, put into a new group and sent a campaign, on a ${name} window`, async () => {
		const person = await newUser(`finisher-${name}`)
		const known = { firstName: 'Old', lastName: 'Rao', number: '919876543210', groupId: null }
		await insertContacts(app.product.process.context.db, person.accountId, [known])
		await app.withPage({ as: person, size: { width, height } }, async ({ page }) => {
			await openScreen(page, '/upload/contact?tab=bulk')
			await settled(page)
			const rows = ['Meena,,9876543211', 'Ravi,,9.19E+11', 'Shop,,+91 22 2654 1000', 'Asha,,98765 43210']
			const content = ['firstName,lastName,number', ...rows].join('\r\n')
			await page
				.locator('input[type=file]')
				.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
			await tile(page, 'Already a contact 1').waitFor()
			await tile(page, 'New 1').click()
			await page.getByRole('table', { name: 'Rows of the file: New' }).getByText('Meena').waitFor()
			await seeTexts(rowsOfFile(page), ['2'])
			await tile(page, 'New 1').click()
			// The unlikely number comes before all other rows and is left out unless it is ticked.
			await seeTexts(rowsOfFile(page), ['4', '3', '2', '5'])

			await tile(page, 'Left out 1').press('Enter')
			await page.getByRole('button', { name: 'Correct row 3' }).press('Enter')
			const form = page.getByRole('form', { name: 'Row 3' })
			await form.getByRole('textbox', { name: 'First name' }).and(page.locator(':focus')).waitFor()
			await form.getByRole('textbox', { name: 'Number' }).fill('12a')
			await page.keyboard.press('Enter')
			await form.getByText('Invalid phone number format').waitFor()
			assert.deepEqual(await axeFindings(page, 'the row that is corrected'), [])
			await form.getByRole('textbox', { name: 'Number' }).fill('98765 43212')
			await page.keyboard.press('Enter')
			await tile(page, 'New 2').waitFor()
			await seeTexts(rowsOfFile(page), ['4', '2', '3', '5'])

			await pick(page, 'Group (optional)', 'A new group')
			const groupName = await page.getByRole('textbox', { name: 'Name of the new group' }).inputValue()
			assert.match(groupName, /^Contacts, \d{1,2} [A-Z][a-z]+$/)
			const unlikely = page.getByRole('checkbox', { name: 'Also upload the 1 number that looks wrong' })
			assert.equal(await unlikely.isChecked(), false)
			await unlikely.check()
			await settled(page)
			await page.getByRole('button', { name: 'Upload Contacts' }).click()
			await page.getByText('3 customers added', { exact: true }).waitFor()
			await page.getByText('1 updated', { exact: true }).waitFor()
			const contactsOfGroup = await page.getByRole('link', { name: 'View them' }).getAttribute('href')
			await page.getByRole('link', { name: 'Send them a campaign' }).click()
			await openStep(page, 'people')
			await page.getByRole('radio', { name: 'A contact group', checked: true }).waitFor()
			await page.getByText('4 contacts', { exact: true }).first().waitFor()
			await openScreen(page, contactsOfGroup ?? '')
			await page.getByText('4 contacts found').waitFor()
			await page.getByText('Asha Rao').waitFor()
		})
	})
}

test('contacts uploaded without a group are put into a new one, whose campaign reaches exactly them', async () => {
	const person = await newUser('no-group')
	const known = { firstName: 'Asha', lastName: 'Rao', groupId: null }
	const numbers = ['919876543210', '919876543299']
	const earlier = numbers.map((number) => ({ ...known, number }))
	await insertContacts(app.product.process.context.db, person.accountId, earlier)
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/upload/contact?tab=bulk')
		await settled(page)
		const content = 'firstName,lastName,number\r\nMeena,Nair,9876543211\r\nAsha,,9876543210\r\n'
		await page
			.locator('input[type=file]')
			.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
		await tile(page, 'Already a contact 1').waitFor()
		await page.getByRole('button', { name: 'Upload Contacts' }).click()
		await page.getByText('1 customer added', { exact: true }).waitFor()
		await page.getByText('people in another group move to this one').waitFor()
		await page.getByRole('button', { name: 'Put them into a group' }).click()
		await page.getByRole('link', { name: 'Send them a campaign' }).click()
		await openStep(page, 'people')
		await page.getByRole('radio', { name: 'A contact group', checked: true }).waitFor()
		await page.getByText('2 contacts', { exact: true }).first().waitFor()
	})
	const people = await app.product.db`
		select c.first_name || ' ' || c.last_name as name from contacts c join contact_groups g on g.id = c.group_id
		where c.account_id = ${person.accountId} and g.name like 'Contacts, %' order by c.number
	`
	assert.deepEqual([...people], [{ name: 'Asha Rao' }, { name: 'Meena Nair' }])
})

const tile = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}\\b`) })
/** Returns the rows' numbers in the file, in the order on screen. */
const rowsOfFile = (page: Page) => page.locator('section[aria-label=Preview] [data-row] td:first-child')

test('the consent entered in a contact’s form is shown on the privacy screen', async () => {
	await app.withPage({ as: await newUser('consent-form') }, async ({ page }) => {
		await openScreen(page, '/contact/management')
		const dialog = await fillNewContact(page, { first: 'Asha', number: '9876543210' })
		await dialog.getByRole('checkbox', { name: 'They agreed to get messages from us' }).check()
		await dialog.getByRole('textbox', { name: 'Where they agreed' }).fill('Paper form')
		await dialog.getByRole('textbox', { name: 'Consent text' }).fill('Write to me')
		await dialog.getByRole('button', { name: 'Save' }).click()
		await page.getByText(/^Agreed on .*: Paper form$/).waitFor()
		await openScreen(page, '/contact/privacy?search=919876543210')
		await page.getByText(/Agreed on .*: Paper form. “Write to me”/).waitFor()
	})
})
