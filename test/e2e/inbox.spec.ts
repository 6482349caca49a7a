import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { colleague } from '#test/factories.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { box, bubble, customersOf, openChat, row } from './pages/live-chats.ts'

const app = await launchApp()
const customer = customersOf(app.product.simulator.control)

const state = (page: Page) => page.getByRole('group', { name: 'State of the chat' })
const inState = (page: Page, name: string) => state(page).getByRole('button', { name, exact: true })
const view = (page: Page, name: RegExp) => page.getByRole('group', { name: 'Views' }).getByRole('button', { name })

test('an account of one person shows neither views nor the state of a chat', async () => {
	const asha = customer()
	await asha.says('Hello')
	await app.withPage({ as: await app.signedIn(DEMO_USER.email) }, async ({ page }) => {
		await openChat(page, asha.digits)
		await bubble(page, 'Hello').waitFor()
		assert.equal(await state(page).count(), 0)
		assert.equal(await page.getByRole('group', { name: 'Views' }).count(), 0)
	})
})

for (const size of SIZES)
	test(`two people answer in one inbox at ${size.width} pixels: take, type, hand over with a note, close, reopen`, async () => {
		const { context } = app.product.process
		const boss = await app.signedIn(DEMO_USER.email)
		const agent = await colleague(context, boss, 'agent')
		const asha = customer({ name: `Asha ${size.width}` })
		await asha.says('Is the blue one still there?')
		await app.withPage({ as: boss, size }, async ({ page: owner }) => {
			await openChat(owner, asha.digits)
			await app.withPage({ as: await app.signedIn(agent.email), size }, async ({ page }) => {
				await openScreen(page, '/user/live/chats?view=unassigned')
				await row(page, asha.name).click()
				await inState(page, 'Take').click()
				await state(page).getByText('You have this chat').waitFor()
				await state(owner).getByText(`${agent.name} has this chat`).waitFor()

				await box(page).pressSequentially('Yes')
				await owner.getByText(`${agent.name} is replying…`).waitFor()
				await owner.getByRole('status').getByText(`${agent.name} has begun a reply`).waitFor()
				assert.equal(await owner.getByRole('status').getByText('is replying…').count(), 0)
				await page.keyboard.press('Enter')
				await bubble(owner, 'Yes').waitFor()
				await owner.getByText(`${agent.name} is replying…`).waitFor({ state: 'detached' })

				await inState(page, 'Hand over').click()
				const dialog = page.getByRole('dialog', { name: 'Hand over the chat' })
				await dialog.getByRole('combobox', { name: 'Person' }).click()
				await page.getByRole('option', { name: boss.name }).click()
				await dialog.getByRole('textbox', { name: 'Note' }).fill('Wants it by Friday')
				assert.deepEqual(await axeFindings(page, 'the dialog that hands over a chat'), [])
				await dialog.getByRole('button', { name: 'Hand over' }).click()
				await dialog.waitFor({ state: 'detached' })
				await state(owner).getByText('You have this chat').waitFor()
				const note = bubble(owner, 'Wants it by Friday')
				await note.getByText('Note', { exact: true }).waitFor()
				await note.getByText(`by ${agent.name}`).waitFor()
				assert.deepEqual(await axeFindings(owner, 'a chat with a note'), [])

				await inState(owner, 'Close').click()
				await state(page).getByText('Closed.').waitFor()
				await asha.says('Thank you!')
				await bubble(page, 'Thank you!').waitFor()
				await state(page).getByText('Closed.').waitFor({ state: 'detached' })
				if (size.width < 900) await button(page, 'Back to the chats').click()
				await view(page, /^Closed/).click()
				await page.waitForURL(/view=closed/)
				await page.getByText('No contacts found').waitFor()
				await view(page, /^All/).click()
				await row(page, asha.name).waitFor()
				assert.deepEqual(await axeFindings(page, 'the list of a shared inbox'), [])
			})
		})
	})
