import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createField, removeField } from '#features/contacts/server/fields/fields.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeCount } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { openStep, startForm } from './pages/campaign-pages.ts'
import { fillNewContact, pick } from './pages/contact-form.ts'

const app = await launchApp()

async function chooseFile(page: Page, lines: string[]) {
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
}

/** Chooses an option in a select within a part of the page. */
async function choose(page: Page, part: Locator, label: string, option: string) {
	await part
		.getByRole('combobox', { name: label, exact: true })
		.or(part.getByRole('textbox', { name: label, exact: true }))
		.first()
		.click()
	await page.getByRole('option', { name: option, exact: true }).click()
}

/** Performs an action of the first row of this name: by its button, or on a phone by its menu. */
async function act(page: Page, name: string, word: string) {
	const button = page.getByRole('button', { name: `${word} ${name}` }).first()
	const menu = page.getByRole('button', { name: `Actions for ${name}` }).first()
	await button.or(menu).first().waitFor()
	if (await button.isVisible()) return button.click()
	await menu.click()
	await page.getByRole('menuitem', { name: word }).click()
}

suite('tags and custom fields', { concurrency: 1 }, () => {
	for (const size of SIZES)
		test(`a file with unknown columns becomes fields and tags, at ${size.width} px`, async () => {
			const person = await app.signedIn(DEMO_USER.email)
			const [town, mark] = [`Town ${size.width}`, `Wholesale ${size.width}`]
			await app.withPage({ as: person, size, touch: size.width < 500 }, async ({ page }) => {
				await openScreen(page, '/upload/contact?tab=bulk')
				await settled(page)
				const number = (at: number) => `97${size.width}000${String(at).padStart(3, '0')}`.slice(0, 10)
				await chooseFile(page, [
					`name,mobile,${town},Visit ${size.width},Kind`,
					`Nandini,${number(101)},Pune,25/11/2026,"${mark}, Festive"`,
					`Omkar,${number(202)},Delhi,not yet,${mark}`,
				])
				await page.getByText('Other columns').waitFor()
				await pick(page, 'Kind', 'Tags')
				await pick(page, `Visit ${size.width}`, 'New field: date')
				assert.deepEqual(await axeFindings(page, 'the columns of the file'), [])
				await page.getByRole('button', { name: 'Upload Contacts' }).click()
				await page.getByText('2 customers added', { exact: true }).waitFor()
				await page.getByText('1 row added without some values').waitFor()

				await openScreen(page, '/contact/management')
				await settled(page)
				await page.getByText(mark).first().waitFor()
				await page.getByText(`${town}: Pune · Visit ${size.width}: 25 Nov 2026`).first().waitFor()
				if (size.width < 500) await page.getByRole('button', { name: 'Filters' }).click()
				await pick(page, 'Tag', mark)
				await page.getByText('2 contacts found').waitFor()
				await page.getByRole('checkbox', { name: 'Select this page' }).check()
				await page.getByRole('button', { name: 'Tag...' }).click()
				await page.getByRole('dialog').getByRole('combobox', { name: 'Tag' }).fill(`Called ${size.width}`)
				// On a busy machine a toast may disappear before a click has returned.
				await Promise.all([
					page.getByText('2 contacts tagged successfully').waitFor(),
					page.getByRole('button', { name: 'Add tag' }).click(),
				])
				await page.getByText(`Called ${size.width}`, { exact: true }).first().waitFor()
				await pick(page, 'Field', town)
				await page.getByRole('searchbox', { name: town }).fill('pun')
				await page.keyboard.press('Enter')
				await page.getByText('1 contact found').waitFor()
				assert.deepEqual(await axeFindings(page, 'the list with tags'), [])

				await openScreen(page, '/contact/tags-and-fields')
				await settled(page)
				await act(page, town, 'Rename')
				await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(`City ${size.width}`)
				await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
				await page.getByText('Field renamed successfully').waitFor()
				assert.deepEqual(await axeFindings(page, 'tags and fields'), [])
				await act(page, `Visit ${size.width}`, 'Delete')
				await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
				await page.getByText('Field deleted successfully').waitFor()

				await openScreen(page, '/contact/management')
				await page.getByText(`City ${size.width}: Pune`).first().waitFor()
				await act(page, 'Nandini', 'Edit')
				const form = page.getByRole('dialog', { name: 'Edit Contact' })
				await form.getByRole('textbox', { name: `City ${size.width}` }).fill('Nashik')
				await form.getByRole('button', { name: 'Save' }).click()
				await page.getByText(`City ${size.width}: Nashik`).first().waitFor()

				await openScreen(page, '/contact/segments')
				await settled(page)
				await page.getByRole('button', { name: 'Add New Segment' }).click()
				const editor = page.getByRole('dialog', { name: 'Add New Segment' })
				await editor.getByRole('textbox', { name: 'Name' }).fill(`Buyers ${size.width}`)
				const rule = (at: number) => editor.getByRole('listitem', { name: `Rule ${at}` })
				await choose(page, rule(1), 'Rule about', 'Tag')
				await choose(page, rule(1), 'Tag', mark)
				await editor.getByRole('status').getByText('2 contacts').waitFor()
				await editor.getByRole('button', { name: 'Add a rule' }).click()
				await choose(page, rule(2), 'Rule about', `City ${size.width}`)
				await rule(2).getByRole('combobox', { name: 'Value' }).click()
				await page.getByRole('option', { name: 'Nashik 1' }).click()
				await editor.getByRole('status').getByText('1 contact', { exact: true }).waitFor()
				assert.deepEqual(await axeFindings(page, 'the editor of a segment'), [])
				await editor.getByRole('button', { name: 'Save' }).click()
				await page.getByText('Segment added successfully').waitFor()
				await page.getByText(`Tag is ${mark}, and City ${size.width} is Nashik`).waitFor()
				await page.locator('main').getByText('1', { exact: true }).last().waitFor()
				assert.deepEqual(await axeFindings(page, 'the segments'), [])

				await startForm(page, { name: `To buyers ${size.width}`, template: 'order_shipped' })
				await openStep(page, 'people')
				await page.getByRole('radio', { name: 'A segment' }).check()
				await pick(page, 'Segment', `Buyers ${size.width}`)
				await openStep(page, 'check')
				await page.locator('dt:text-is("Recipients") + dd').getByText('1', { exact: true }).waitFor()
				await openStep(page, 'message')
				await page.getByRole('button', { name: 'more' }).first().click()
				await page.getByRole('menuitem', { name: `City ${size.width}` }).click()
				await page.locator(`input[value$="‹City ${size.width}›"]`).waitFor()
				assert.deepEqual(await axeFindings(page, 'Create Campaign with a segment'), [])
			})
		})

	test('a column that cannot become a field stops the upload without a new group, after the columns before it became fields', async () => {
		const person = await app.signedIn(DEMO_USER.email)
		await app.withPage({ as: person }, async ({ page, allow }) => {
			await openScreen(page, '/upload/contact?tab=bulk')
			await settled(page)
			await chooseFile(page, ['name,mobile,Lane,Floor,Floor', 'Pooja,9700000301,Main,2,3'])
			await page.getByRole('button', { name: 'Keep all as fields' }).click()
			await pick(page, 'Group (optional)', 'A new group')
			await page.getByRole('textbox', { name: 'Name of the new group' }).fill('Neighbours')
			allow(/409/)
			for (const _ of ['first', 'again']) {
				const upload = page.getByRole('button', { name: 'Upload Contacts' })
				await Promise.all([page.getByText('There is a field of this name already').first().waitFor(), upload.click()])
			}
			await page.getByRole('combobox', { name: 'Floor' }).nth(1).click()
			await page.getByRole('option', { name: 'Leave out' }).click()
			await page.getByRole('button', { name: 'Upload Contacts' }).click()
			await page.getByText('1 customer added', { exact: true }).waitFor()
			await page.goto('/contact/management?search=Pooja')
			await page.getByText('Lane: Main · Floor: 2').waitFor()
			await openScreen(page, '/user/manage/contact/groups?search=Neighbours')
			await page.getByText('Neighbours').first().waitFor()
			await seeCount(page.getByRole('button', { name: 'Edit Neighbours' }), 1)
		})
	})

	test('a draft of a contact is saved without the value of a field that was deleted meanwhile', async () => {
		const person = await app.signedIn(DEMO_USER.email)
		const { db } = app.product
		const field = await createField(db, person.accountId, { name: 'Nickname', type: 'text' })
		await app.withPage({ as: person }, async ({ page }) => {
			await openScreen(page, '/contact/management')
			const dialog = await fillNewContact(page, { first: 'Qadir', number: '97000 00302' })
			await dialog.getByRole('textbox', { name: 'Nickname' }).fill('Q')
			await removeField(db, person.accountId, String(field.id))
			await page.reload()
			await page.getByText('Your draft has been restored').waitFor()
			await dialog.getByRole('button', { name: 'Save' }).click()
			await page.getByText('Contact added successfully').waitFor()
		})
	})
})
