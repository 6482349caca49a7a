import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createUser } from '#features/auth/server/service.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { axeFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { chooseRare } from './pages/contact-form.ts'

const app = await launchApp()
const { context } = app.product.process

test('a contact’s data is downloaded and the contact erased from its row, and the same number is opted out when it is added again', async () => {
	const person = { name: 'eraser', email: 'eraser@example.test', password: 'secret-1', role: 'user' } as const
	const { accountId } = await createUser(context, { ...person, isActive: true })
	const asha = { firstName: 'Asha', lastName: 'Rao', number: '919876512345', groupId: null }
	await insertContacts(context.db, accountId, [asha])
	await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
		await openScreen(page, '/contact/management')
		await chooseRare(page, 'Asha Rao', 'Data and privacy')
		await page.getByText('Found: 1 contact.').waitFor()
		const saving = page.waitForEvent('download')
		await page.getByRole('button', { name: 'Download data' }).click()
		const file = await saving
		assert.equal(file.suggestedFilename(), 'data_of_919876512345.json')
		assert.match(await readFile(await file.path(), 'utf8'), /"firstName": "Asha"/)
		await page.getByRole('row', { name: /Data downloaded .* 1 contact eraser/ }).waitFor()

		await page.getByRole('button', { name: 'Erase this person' }).click()
		const question = page.getByRole('dialog', { name: 'Erase this person?' })
		assert.deepEqual(await axeFindings(page, 'the question'), [])
		await question.getByRole('button', { name: 'Erase', exact: true }).click()
		await page.getByText('You have no data about this person.').waitFor()
		await page.getByText('Erased before').waitFor()
		await page.getByRole('row', { name: /Person erased .* 1 contact eraser/ }).waitFor()

		await insertContacts(context.db, accountId, [asha])
		await page.goto('/contact/management')
		await page.getByRole('row', { name: /Asha Rao Opted out/ }).waitFor()
		await openScreen(page, '/contact/opt-outs')
		await page.getByRole('row', { name: /Erased/ }).waitFor()
		assert.equal(await page.getByRole('button', { name: 'Opt in again: Erased' }).count(), 0)
	})
})

test('the search of Data and privacy shows a message when the text is not a phone number', async () => {
	const person = { name: 'typist', email: 'typist@example.test', password: 'secret-1', role: 'user' } as const
	await createUser(context, { ...person, isActive: true })
	await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
		await openScreen(page, '/contact/privacy')
		await page.getByPlaceholder('Customer’s phone number').fill('Asha')
		await page.getByRole('button', { name: 'Search' }).click()
		await page.getByRole('alert').getByText('Invalid phone number format').waitFor()
	})
})
