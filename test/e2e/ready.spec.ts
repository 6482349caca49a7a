import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createUser } from '#features/auth/server/service.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { PATIENCE_MS, until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { chooseTime, goOnFrom, openStep, send, startForm } from './pages/campaign-pages.ts'
import { customersOf, toast } from './pages/live-chats.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const customer = customersOf(app.product.simulator.control)

/** Returns the sections of the form that have a tick. */
const ticked = (page: Page) =>
	page.evaluate<string[]>(
		"Array.from(document.querySelectorAll('section:has([data-done=true]) h3'), ({ textContent }) => textContent)",
	)
const sees = (page: Page, sections: readonly string[]) =>
	until(async () => (await ticked(page)).join() === sections.join(), PATIENCE_MS, 50)

for (const size of SIZES)
	suite(`at ${size.width} pixels`, () => {
		test('Create Campaign ticks a step that is complete when it is closed, and opens the step with a fault', async () => {
			const sender = await sendingAccount(app.product, { contacts: 3, balancePaise: 100_000, perSecond: 1000 })
			const person = await app.signedIn(sender.email)
			await app.withPage({ as: person, size }, async ({ page }) => {
				await startForm(page, { name: 'Silk week', template: 'hello' })
				await openStep(page, 'check')
				await page.locator('dt:text-is("Recipients") + dd').getByText('3', { exact: true }).waitFor()
				await settled(page)
				await sees(page, ['Message', 'Check'])
				await openStep(page, 'message')
				await page.getByRole('textbox', { name: 'Variable 1' }).fill('{{nobody}}')
				await sees(page, [])
				await goOnFrom(page, 'message')
				await goOnFrom(page, 'people')
				await page.getByRole('textbox', { name: 'Variable 1' }).and(page.locator(':focus')).fill('friend')
				await sees(page, ['Message', 'People', 'Check'])
				await page.getByLabel('Campaign name').fill('')
				await sees(page, ['People'])
				await goOnFrom(page, 'message')
				await page.getByLabel('Campaign name').and(page.locator(':focus')).fill('Silk week')
				await goOnFrom(page, 'message')
				await page.getByRole('radio', { name: 'Schedule for later' }).check()
				await goOnFrom(page, 'when')
				await page.getByRole('textbox', { name: 'Date' }).and(page.locator(':focus')).waitFor()
				await sees(page, ['Message', 'People'])
				await chooseTime(page, Date.UTC(2031, 0, 9, 4, 30))
				await goOnFrom(page, 'when')
				await sees(page, ['Message', 'People', 'When', 'Check'])
				await page.getByText('Thursday, 9 January 2031, 10:00 am IST').waitFor()
				await send(page)
				await page.getByText('This campaign starts on').waitFor()
			})
		})

		test('Create Campaign has no tick for an audience without contacts', async () => {
			const email = `nobody-${size.width}@example.test`
			await createUser(app.product.process.context, {
				name: 'New Shop',
				email,
				password: 'secret-1',
				role: 'user',
				isActive: true,
			})
			const person = await app.signedIn(email)
			await app.withPage({ as: person, size }, async ({ page }) => {
				await page.goto('/user/create/template/campaign')
				await openStep(page, 'people')
				await page.getByText('0 contacts', { exact: true }).first().waitFor()
				await settled(page)
				await goOnFrom(page, 'people')
				assert.deepEqual(await ticked(page), [])
			})
		})

		test('a new chat shows that only a template may be sent', () =>
			app.withPage({ as: user, size }, async ({ page }) => {
				await page.goto('/user/live/chats')
				await page.getByRole('button', { name: 'New chat' }).click()
				await page.getByRole('textbox', { name: 'Phone number' }).fill(customer().digits)
				await page.keyboard.press('Enter')
				await toast(page, 'New chat started. Send a message to begin conversation.').waitFor()
				await page.getByText('No messages yet. Start the conversation!').waitFor()
				await page.getByText('Until they reply, you can send templates only.').waitFor()
			}))

		test('removing the last button of a template moves the focus to Add button', () =>
			app.withPage({ as: user, size }, async ({ page }) => {
				await page.goto('/user/create/template')
				const add = page.getByRole('button', { name: 'Add button' })
				await add.click()
				await page.getByRole('menuitem', { name: /^Quick reply/ }).click()
				await page.getByRole('button', { name: 'Remove button 1' }).press('Enter')
				await add.and(page.locator(':focus')).waitFor()
			}))
	})
