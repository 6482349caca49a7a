import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindingsInSchemes } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { box, bubble, customersOf, openChat, TAKEN } from './pages/live-chats.ts'

const app = await launchApp()
const { control } = app.product.simulator
const user = await app.signedIn(DEMO_USER.email)
const customer = customersOf(control)

/** Performs an action of the row of a saved reply: by its button, or on a phone by its menu. */
async function act(page: Page, name: string, word: string) {
	const button = page.getByRole('button', { name: `${word} ${name}`, exact: true })
	const menu = page.getByRole('button', { name: `Actions for ${name}`, exact: true })
	await button.or(menu).first().waitFor()
	if (await button.isVisible()) return button.click()
	await menu.click()
	await page.getByRole('menuitem', { name: word }).click()
}

async function addReply(page: Page, { name, text }: { name: string; text: string }) {
	await openScreen(page, '/settings?part=replies')
	await page.getByRole('button', { name: 'Add saved reply' }).click()
	const dialog = page.getByRole('dialog', { name: 'Add saved reply' })
	await dialog.getByRole('textbox', { name: 'Short name' }).fill(name)
	await dialog.getByRole('textbox', { name: 'Text' }).fill(text)
	await dialog.getByRole('button', { name: 'Order number' }).click()
	await seeValue(dialog.getByRole('textbox', { name: 'Text' }), `${text}{{orderNumber}}`)
	await dialog
		.locator('input[type=file]')
		.setInputFiles({ name: 'bill.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 bill') })
	assert.deepEqual(await axeFindingsInSchemes(page, 'the form of a saved reply'), [])
	await dialog.getByRole('button', { name: 'Save' }).click()
	await dialog.waitFor({ state: 'detached' })
	await page.getByText(`/${name}`).waitFor()
}

suite('saved and automatic replies', { concurrency: 1 }, () => {
	for (const size of SIZES) {
		test(`a saved reply is added, completed and sent by keyboard, changed and deleted, at ${size.width} px`, async () => {
			const asha = customer({ name: `Asha ${size.width}` })
			await asha.says('Where is my order?')
			const name = `order-${size.width}`
			await app.withPage({ as: user, size }, async ({ page }) => {
				await addReply(page, { name, text: 'Dear {{customerName}}, your bill for order ' })
				await openChat(page, asha.digits)
				const list = page.getByRole('region', { name: 'Saved replies' })
				const search = list.getByRole('combobox', { name: 'Search saved replies' })

				await box(page).press('/')
				await search.waitFor()
				await page.keyboard.type('60 per kg')
				await list.getByText('Nothing found for “60 per kg”').waitFor()
				await page.keyboard.press('Enter')
				await page.keyboard.press('Escape')
				await list.waitFor({ state: 'detached' })
				await seeValue(box(page), '/60 per kg')
				await box(page).fill('')

				await box(page).press('/')
				await page.keyboard.type(name.toUpperCase())
				await list.getByRole('option', { name, selected: true }).waitFor()
				assert.deepEqual(await axeFindingsInSchemes(page, 'the list of saved replies'), [])
				await search.press('Enter')
				const dialog = page.getByRole('dialog', { name: 'Complete the reply' })
				await dialog.getByRole('textbox', { name: 'Order number' }).fill('A-17')
				await dialog.getByText(`Dear ${asha.name}, your bill for order A-17`).waitFor()
				await page.keyboard.press('Enter')
				await seeValue(box(page), `Dear ${asha.name}, your bill for order A-17`)
				await page.getByRole('button', { name: 'Remove bill.pdf' }).waitFor()
				await dialog.waitFor({ state: 'detached' })
				assert.equal((await control.received(asha.digits)).accepted, 0)
				await box(page).press('Enter')
				await bubble(page, 'your bill for order A-17').getByRole('img', TAKEN).waitFor()

				await page.getByRole('button', { name: 'Saved replies' }).click()
				await search.press('Escape')
				await list.waitFor({ state: 'detached' })
				await page.keyboard.type('Anything else?')
				await seeValue(box(page), 'Anything else?')
				await box(page).fill('')

				await openScreen(page, '/settings?part=replies')
				await act(page, name, 'Edit')
				const form = page.getByRole('dialog', { name: 'Edit saved reply' })
				await form.getByRole('button', { name: 'Remove bill.pdf' }).click()
				await form.getByRole('textbox', { name: 'Text' }).fill('Thank you')
				await form.getByRole('button', { name: 'Save' }).click()
				await form.waitFor({ state: 'detached' })
				await page.getByText('Thank you').first().waitFor()
				await act(page, name, 'Delete')
				await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
				await page.getByText(`/${name}`, { exact: true }).first().waitFor({ state: 'detached' })
			})
		})

		test(`an automatic reply is added, sent, marked and switched off, with business hours, at ${size.width} px`, async () => {
			const ravi = customer({ name: `Ravi ${size.width}` })
			const word = `catalogue${size.width}`
			await app.withPage({ as: user, size }, async ({ page }) => {
				await openScreen(page, '/settings?part=replies')
				await page.getByRole('button', { name: 'Add automatic reply' }).click()
				const dialog = page.getByRole('dialog', { name: 'Add automatic reply' })
				await dialog.getByPlaceholder('Type a word and press Enter').fill(word)
				await page.keyboard.press('Enter')
				await dialog.getByRole('textbox', { name: 'Text' }).fill('Here is our catalogue')
				assert.deepEqual(await axeFindingsInSchemes(page, 'the form of an automatic reply'), [])
				await dialog.getByRole('button', { name: 'Save' }).click()
				await dialog.waitFor({ state: 'detached' })
				await page.getByText('0 of 500').waitFor()

				await page.getByRole('button', { name: /(Set|Change) business hours/ }).click()
				const hours = page.getByRole('dialog', { name: 'Business hours' })
				const sunday = hours.getByRole('group', { name: 'Sunday' })
				await sunday.getByRole('checkbox').check()
				await sunday.getByLabel('Sunday until').fill('14:00')
				await hours.getByLabel('Closed on').fill('2099-01-26')
				await hours.getByRole('button', { name: 'Add day' }).click()
				assert.deepEqual(await axeFindingsInSchemes(page, 'the form of business hours'), [])
				await hours.getByRole('button', { name: 'Save' }).click()
				await hours.waitFor({ state: 'detached' })
				await page.getByText('Sun 10:00 am–2:00 pm, and closed on 1 more day').waitFor()
				assert.deepEqual(await axeFindingsInSchemes(page, 'the list of automatic replies'), [])

				await ravi.says(`Send me your ${word.toUpperCase()}!`)
				await openChat(page, ravi.digits)
				await bubble(page, 'Here is our catalogue').getByText('Automatic').waitFor()
				await bubble(page, 'Here is our catalogue').getByRole('img', TAKEN).waitFor()

				await openScreen(page, '/settings?part=replies')
				// The app takes a list of the last 15 seconds for current.
				await page.reload()
				await page.getByText('1 of 500').waitFor()
				const toggle = page.getByRole('switch', { name: 'Send automatic replies' })
				await toggle.click()
				await page.getByText('Automatic replies are off').first().waitFor()
				await toggle.click()
				await page.getByText('Automatic replies are on').first().waitFor()
				await act(page, word, 'Delete')
				await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
				await page.getByText(word).waitFor({ state: 'detached' })
			})
		})
	}
})
