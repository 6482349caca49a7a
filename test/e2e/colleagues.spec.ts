import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailsTo, resetTokenOf } from '#test/readers/outbox.ts'
import { until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { button, field, row } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { bubble, customersOf, row as chat } from './pages/live-chats.ts'
import { fillSignIn } from './people.ts'

const app = await launchApp()
const { context } = app.product.process
const email = 'asha.agent@example.com'
const password = 'blue kettle 41'

test('an invited agent answers chats and opens nothing else, and is signed out when the owner removes them', async () => {
	const customer = customersOf(app.product.simulator.control)()
	await customer.says('Is the blue one still there?')
	const as = await app.signedIn(DEMO_USER.email)
	await app.withPage({ as }, async ({ page: boss }) => {
		await openScreen(boss, '/settings?part=people')
		await boss.getByText('No colleagues yet').waitFor()
		await button(boss, 'Invite colleague').click()
		const dialog = boss.getByRole('dialog', { name: 'Invite colleague' })
		const inDialog = (name: string) => dialog.getByRole('textbox', { name })
		await inDialog('Full Name').fill('Asha Agent')
		await inDialog('Email Address').fill(email)
		await inDialog('Current Password').fill(DEMO_USER.password)
		assert.deepEqual(await axeFindings(boss, 'the invitation'), [])
		await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
		await row(boss, 'Asha Agent').getByText('Invited').waitFor()
		assert.deepEqual(await axeFindings(boss, 'the list of people'), [])
		await until(async () => (await mailsTo(context, email)).length > 0)
		const token = resetTokenOf((await mailsTo(context, email))[0])

		await app.withPage({}, async ({ page, tolerate }) => {
			await page.goto(`/reset#${token}`)
			await field(page, 'New password').fill(password)
			await button(page, 'Save new password').click()
			await page.getByText('Your password has been reset').waitFor()
			await fillSignIn(page, { email, password })
			await page.waitForURL('**/user/live/chats')
			const menu = page.getByRole('navigation', { name: 'Main menu' })
			await menu.getByRole('link', { name: 'Live Chats' }).waitFor()
			assert.equal(await menu.getByRole('link').count(), 1)
			await page.getByRole('button', { name: /^Notifications/ }).click()
			const bell = page.getByRole('dialog', { name: 'Notifications' })
			await bell.getByText(customer.name).waitFor()
			await bell.getByRole('link', { name: 'View all chats' }).waitFor()
			await page.keyboard.press('Escape')
			await chat(page, customer.name).click()
			await bubble(page, 'Is the blue one still there?').waitFor()
			await page.getByRole('region', { name: 'Notes' }).waitFor()
			for (const name of ['Go to', 'New chat', 'Add to contacts'])
				assert.equal(await button(page, name).count(), 0, name)
			await field(page, 'Message').fill('Yes, it is')
			await page.keyboard.press('Enter')
			await bubble(page, 'Yes, it is').getByText('Asha Agent').waitFor()
			await page.goto('/contact/management')
			await page.waitForURL('**/user/live/chats')

			tolerate(/401/)
			await button(boss, 'Remove').click()
			await boss.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
			await boss.getByText('No colleagues yet').waitFor()
			await page.waitForURL('**/login*')
			await boss.getByRole('tab', { name: 'Activity' }).click()
			await row(boss, 'Removed colleague').getByText('Asha Agent').waitFor()
			assert.deepEqual(await axeFindings(boss, 'the activity of the account'), [])
			await button(boss, 'Campaigns').click()
			await row(boss, 'Removed colleague').waitFor({ state: 'detached' })
		})
	})
})
