import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { formatRupees } from '#lib/money.ts'
import { account } from '#test/factories.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { pick, press, search, seeFocus, tabTo, type } from './keyboard-steps.ts'
import { seeTexts } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { seeCreated, seeStatus } from './pages/campaign-pages.ts'
import { box, bubble, customersOf, row, TAKEN } from './pages/live-chats.ts'
import { approveTemplate, holdReviews } from './pages/template-review.ts'

const CONTACTS = 3
/** More than a campaign may have to be sent without a question. */
const ASKED_CONTACTS = 21
const app = await launchApp()
const { control } = app.product.simulator

test('a user signs in with only the keyboard', () =>
	app.withPage({}, async ({ page }) => {
		await page.goto('/login')
		await settled(page)
		await type(page, page.getByRole('textbox', { name: 'Email' }), DEMO_USER.email)
		await type(page, page.getByRole('textbox', { name: 'Password' }), DEMO_USER.password)
		await tabTo(page, page.getByRole('checkbox', { name: 'Remember me' }))
		await page.keyboard.press('Space')
		await press(page, page.getByRole('button', { name: 'Login' }))
		await page.waitForURL('/user/dashboard')
		await page.getByRole('heading', { level: 2 }).waitFor()
	}))

test('a contact is added and deleted with only the keyboard, and the focus is never on the body', async () => {
	const { person, accountId } = await newSender()
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/contact/management')
		await settled(page)
		await page.getByRole('table', { name: 'Contacts' }).waitFor()
		await press(page, page.getByRole('button', { name: 'Add New Contact' }))
		const form = page.getByRole('dialog', { name: 'Add New Contact' })
		await seeFocus(page, form.getByRole('textbox', { name: 'First name' }))
		await page.keyboard.type('Zoya')
		await type(page, form.getByRole('textbox', { name: 'Number' }), '98200 11223')
		await press(page, form.getByRole('button', { name: 'Save' }))
		await form.waitFor({ state: 'detached' })
		await seeFocus(page, page.getByRole('button', { name: 'Add New Contact' }))
		await page.getByRole('row').filter({ hasText: '+91 98200 11223' }).waitFor()

		// Zoya is the newest contact and first in the list; the next contact takes her place.
		await deleteContact(page, 'Zoya')
		await seeFocus(page, page.getByRole('button', { name: `Delete Contact ${CONTACTS - 1}` }))
		for (let left = CONTACTS - 1; left > 0; left--) {
			await deleteContact(page, `Contact ${left}`)
			await seeFocus(page, page.getByRole('button', { name: `Delete Contact ${left - 1}` }))
		}
		await deleteContact(page, 'Contact 0')
		await seeFocus(page, page.getByRole('heading', { name: 'Manage Contacts' }))
	})
	const left = await app.product.db`select 1 from contacts where account_id = ${accountId}`
	assert.equal(left.length, 0)
})

async function deleteContact(page: Page, name: string) {
	await press(page, page.getByRole('button', { name: `Delete ${name}`, exact: true }))
	const question = page.getByRole('dialog', { name: 'Delete contact?' })
	await seeFocus(page, question.getByRole('button', { name: 'Cancel' }))
	await press(page, question.getByRole('button', { name: 'Delete' }))
	await page.getByRole('button', { name: `Delete ${name}`, exact: true }).waitFor({ state: 'detached' })
}

test('the focus moves to the previous row when the last row is removed without a confirmation', async () => {
	const { person, accountId } = await newSender()
	await app.product.db`
		insert into opt_outs (account_id, number, is_opted_out, because, changed_at, said_at)
		select account_id, number, true, 'reply', created_at, created_at from contacts where account_id = ${accountId}
	`
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/contact/opt-outs')
		await settled(page)
		const again = page.getByRole('button', { name: /^Opt in again/ })
		await again.nth(CONTACTS - 1).waitFor()
		const last = (await again.last().getAttribute('aria-label')) ?? ''
		await press(page, page.getByRole('button', { name: last }))
		await page.getByRole('button', { name: last }).waitFor({ state: 'detached' })
		await seeFocus(page, again.nth(CONTACTS - 2))
	})
})

test('a campaign is created and sent with only the keyboard', async () => {
	const { person, numbers } = await newSender(ASKED_CONTACTS)
	await app.withPage({ as: person }, async ({ page }) => {
		await fillCampaign(page, 'By hand')
		await closeStep(page, 'message', 'People')
		await closeStep(page, 'people', 'When')
		await closeStep(page, 'when', 'Check')
		await sendAndConfirm(page)
		await page.getByRole('heading', { name: 'By hand' }).waitFor()
		await seeStatus(page, 'Failed', 0)
		await page.getByText('completed', { exact: true }).waitFor()
	})
	for (const number of numbers) {
		const { accepted, messages } = await control.received(number)
		assert.equal(accepted, 1)
		assert.match(JSON.stringify(messages), /dear friend/)
	}
})

test('a date and a time are typed without a mouse, shown in words, and Tab moves through their fields', async () => {
	const { person, accountId } = await newSender(ASKED_CONTACTS)
	await app.withPage({ as: person }, async ({ page }) => {
		await fillCampaign(page, 'New Year')
		await closeStep(page, 'message', 'People')
		await closeStep(page, 'people', 'When')
		await pick(page, 'Schedule for later')
		// The order of this browser's locale, English of the United States.
		await type(page, page.getByRole('textbox', { name: 'Date' }), '12312030')
		await page.getByText('Tuesday, 31 December 2030', { exact: true }).waitFor()
		await type(page, page.getByRole('textbox', { name: 'Time' }), '1030pm')
		await page.getByText('Tuesday, 31 December 2030, 10:30 pm IST', { exact: true }).waitFor()
		await sendAndConfirm(page)
	})
	const [campaign] = await app.product.db<{ opensAt: Date }[]>`
		select opens_at as "opensAt" from campaigns where account_id = ${accountId}
	`
	assert.equal(campaign?.opensAt.toISOString(), '2030-12-31T17:00:00.000Z')
})

/** Closes a step, which moves the focus to the title of the next one. */
async function closeStep(page: Page, step: string, next: string) {
	await press(page, page.getByRole('button', { name: `Continue from ${step}` }))
	await seeFocus(page, page.getByRole('heading', { name: next, exact: true }))
}

async function sendAndConfirm(page: Page) {
	await press(page, page.getByRole('button', { name: 'Send Campaign' }))
	const question = page.getByRole('dialog', { name: new RegExp(`^Send ${ASKED_CONTACTS} messages `) })
	await seeFocus(page, question.getByRole('button', { name: 'Cancel' }))
	await press(page, question.getByRole('button', { name: 'Send Campaign' }))
	await seeCreated(page)
}

async function fillCampaign(page: Page, name: string) {
	await openScreen(page, '/user/create/template/campaign')
	await settled(page)
	await type(page, page.getByRole('textbox', { name: 'Campaign name' }), name)
	await search(page, 'Template', 'Hello')
	await type(page, page.getByRole('textbox', { name: 'Variable 1' }), 'dear friend')
}

test('a chat is found, opened and answered with only the keyboard', async () => {
	const user = await app.signedIn(DEMO_USER.email)
	const asha = customersOf(control)({ name: 'Asha of the keyboard' })
	await asha.says('Is the blue one still there?')
	await app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/live/chats')
		await row(page, asha.name).waitFor()
		await press(page, row(page, asha.name))
		await seeFocus(page, box(page))
		await page.keyboard.type('Yes, two are left.')
		await page.keyboard.press('Enter')
		await bubble(page, 'Yes, two are left.').getByRole('img', TAKEN).waitFor()
	})
	const { messages } = await control.received(asha.digits)
	assert.match(JSON.stringify(messages), /Yes, two are left\./)
})

test('a part of the settings is chosen and saved with only the keyboard', async () => {
	const { person, accountId } = await newSender()
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/settings')
		await settled(page)
		await tabTo(page, page.getByRole('tab', { name: 'Business' }))
		await page.keyboard.press('ArrowRight')
		await seeFocus(page, page.getByRole('tab', { name: 'Alerts' }))
		await page.keyboard.press('ArrowRight')
		await seeFocus(page, page.getByRole('tab', { name: 'Sending rules', selected: true }))
		await page.getByRole('switch', { name: 'Quiet hours' }).waitFor()
		await tabTo(page, page.getByRole('switch', { name: 'Quiet hours' }))
		await page.keyboard.press('Space')
		await page.getByRole('switch', { name: 'Quiet hours', checked: true }).waitFor()
		await press(page, page.getByRole('button', { name: 'Save' }))
		await page.getByText('Sending rules saved').waitFor()
	})
	const [rules] = await app.product.db<{ from: string }[]>`
		select quiet_from::text as "from" from sending_rules where account_id = ${accountId}
	`
	assert.equal(rules?.from, '21:00:00')
})

test('a wallet is recharged with only the keyboard, and the focus returns to the button', async () => {
	const admin = await app.signedIn(DEMO_ADMIN.email)
	const { context } = app.product.process
	const { accountId, name } = await account(context, { balancePaise: 10_000 })
	const balance = async () => {
		const [wallet] = await app.product.db<{ paise: number }[]>`
			select available_paise as paise from wallets where account_id = ${accountId}
		`
		return wallet?.paise
	}
	await app.withPage({ as: admin }, async ({ page }) => {
		await openScreen(page, `/admin/recharge/wallet?search=${encodeURIComponent(name)}`)
		await settled(page)
		const opener = page.getByRole('button', { name: `Add Recharge for ${name}`, exact: true })
		await press(page, opener)
		const form = page.getByRole('dialog').filter({ hasText: name })
		await seeFocus(page, form.getByRole('textbox', { name: 'Amount' }))
		await page.keyboard.type('2,500.50')
		await form.getByText(formatRupees(2600.5)).waitFor()
		await type(page, form.getByRole('textbox', { name: 'Notes' }), 'UPI')
		await press(page, form.getByRole('button', { name: 'Save' }))
		await form.waitFor({ state: 'detached' })
		await seeFocus(page, opener)
		await page
			.getByRole('row')
			.filter({ hasText: formatRupees(2600.5) })
			.waitFor()
	})
	await until(async () => (await balance()) === 260_050)
})

test('a template is created at 390 pixels with only the keyboard', async () => {
	await holdReviews(app.product)
	const user = await app.signedIn(DEMO_USER.email)
	await app.withPage({ as: user, size: { width: 390, height: 844 } }, async ({ page }) => {
		await openScreen(page, '/user/create/template')
		await settled(page)
		await tabTo(page, page.getByRole('textbox', { name: 'Template name' }))
		await page.keyboard.type('table ready')
		await pick(page, 'Utility')
		await pick(page, 'Text')
		await tabTo(page, page.getByRole('textbox', { name: 'Header text' }))
		await page.keyboard.type('Your table')
		await tabTo(page, page.getByRole('textbox', { name: 'Body text' }))
		await page.keyboard.type('Hello ')
		await tabTo(page, page.getByRole('button', { name: 'Add variable' }).last())
		await page.keyboard.press('Enter')
		await page.keyboard.type(', your table for four is ready. Please come in.')
		await tabTo(page, page.getByRole('textbox', { name: 'Example for {{1}}' }))
		await page.keyboard.type('Kabir')
		for (const [kind, text] of [
			['Quick reply', 'Thanks'],
			['Quick reply', 'On my way'],
		] as const) {
			await tabTo(page, page.getByRole('button', { name: 'Add button' }))
			await page.keyboard.press('Enter')
			await page.getByRole('menuitem', { name: kind }).and(page.locator(':focus')).waitFor()
			await page.keyboard.press('Enter')
			await page.getByRole('textbox', { name: 'Button text' }).last().and(page.locator(':focus')).waitFor()
			await page.keyboard.type(text)
		}
		await tabTo(page, page.getByRole('button', { name: 'Move button 2 up' }), 'Shift+Tab')
		await page.keyboard.press('Enter')
		await page.getByText('Button moved to place 1 of 2').waitFor({ state: 'attached' })
		// The focus moves with the button.
		await tabTo(page, page.getByRole('button', { name: 'Move button 1 down' }))
		await page.keyboard.press('Enter')
		const movedDown = page.getByRole('button', { name: 'Move button 2 down' })
		await movedDown.and(page.locator(':focus')).waitFor()
		await tabTo(page, page.getByRole('button', { name: 'Move button 2 up' }), 'Shift+Tab')
		await page.keyboard.press('Enter')
		await tabTo(page, page.getByRole('button', { name: 'Preview' }))
		await page.keyboard.press('Enter')
		const phone = page.getByRole('dialog', { name: 'Preview' })
		await phone.getByText('Hello Kabir, your table for four is ready.').waitFor()
		await seeTexts(phone.getByRole('listitem'), ['On my way', 'Thanks'])
		await page.keyboard.press('Escape')
		await phone.waitFor({ state: 'detached' })
		await tabTo(page, page.getByRole('button', { name: 'Create Template' }), 'Shift+Tab')
		await page.keyboard.press('Enter')
		await page.waitForURL('/user/template/management')
		await page.getByText('table_ready').waitFor()
		await approveTemplate(app.product, { accountId: user.accountId, name: 'table_ready' })
		await page.getByRole('row').filter({ hasText: 'table_ready' }).getByText('APPROVED').waitFor()
	})
})

async function newSender(contacts = CONTACTS) {
	const sender = await sendingAccount(app.product, { contacts, balancePaise: 100_000 })
	const rows = await app.product.db<{ number: string }[]>`
		select number from contacts where account_id = ${sender.accountId}
	`
	return {
		person: await app.signedIn(sender.email),
		accountId: sender.accountId,
		numbers: rows.map(({ number }) => number),
	}
}
