import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { formatRupees } from '#lib/money.ts'
import type { Credentials } from '#simulator/simulator.ts'
import { account } from '#test/factories.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { send } from './pages/campaign-pages.ts'
import { fillNewContact } from './pages/contact-form.ts'
import { fillSignIn, type Person } from './people.ts'
import { smallTargets, TOUCH_PX } from './targets.ts'

const ASHA = { name: 'Asha Rao', email: 'asha@example.com', password: 'namaste 2026' }
const CONTACTS = [
	{ first: 'Kabir', last: 'Iyer', number: '+91 55501 00201', stored: '915550100201' },
	{ first: 'Lina', last: 'Bose', number: '+91 55501 00202', stored: '915550100202' },
]
const RECHARGE = 500
const BODY = { type: 'BODY', text: 'Dear {{1}}, our shop is open.', example: { body_text: [['Asha']] } }

const SUPPORT_CONTACT = 'Ravi, +91 98765 43210 or ravi@example.com'
const app = await launchApp({ statuses: { readRate: 1 }, env: { SUPPORT_CONTACT } })

test('an admin sets up a user with credentials and money, and the user’s first campaign reaches two contacts', async () => {
	const credentials = await newBusiness()
	await app.withPage({}, async ({ page, allow }) => {
		// The user has no credentials before they are saved, and the browser logs that 404.
		allow(/credentials.*404|404.*credentials/s)
		await signIn(page, DEMO_ADMIN)
		await createUser(page)
		await saveCredentials(page, credentials)
		await rechargeWallet(page)
	})
	await app.withPage({}, async ({ page }) => {
		await signIn(page, ASHA)
		await page.getByRole('link', { name: `Wallet balance: ${formatRupees(RECHARGE)}` }).waitFor()
		await syncTemplates(page)
		for (const contact of CONTACTS) await addContact(page, contact)
		await sendToAll(page)
		await seeArrive(page)
		const left = formatRupees(RECHARGE - CONTACTS.length)
		await page.getByRole('link', { name: `Wallet balance: ${left}` }).waitFor()
	})
	for (const { first, stored } of CONTACTS) {
		const { accepted, messages } = await app.product.simulator.control.received(stored)
		assert.equal(accepted, 1)
		assert.ok(JSON.stringify(messages).includes(first), JSON.stringify(messages))
	}
})

suite('the notices of a user whose account is not ready', () => {
	const WORDS = [
		`Your administrator has to connect your WhatsApp number. Ask ${SUPPORT_CONTACT}. First steps`,
		`Your administrator adds money once you have paid. Ask ${SUPPORT_CONTACT}. Your recharges`,
		'Your password was set by your provider. Please change it in My Profile',
		'Nothing is sent to WhatsApp.',
	]

	for (const size of SIZES) {
		const touch = size.width < 1440
		test(`at ${size.width} pixels one bar shows the number of notices, moves nothing, and opens the list by keyboard`, async () => {
			await app.withPage({ as: await newUser(), size, touch }, async ({ page }) => {
				await page.goto('/user/dashboard')
				const top = await topOfMain(page)
				const bar = barOf(page, 'WhatsApp is not connected 4 notices')
				await bar.waitFor()
				await settled(page)
				assert.equal(await topOfMain(page), top)
				assert.ok(top <= 64, `the content begins at ${top} px`)
				for (const words of WORDS) assert.equal(await page.getByText(words).count(), 0, words)
				for (const step of [
					'Your administrator enters the credentials of your WhatsApp account.',
					'Your administrator recharges your wallet once you have paid.',
				])
					await page.getByRole('listitem').getByText(`${step} Ask ${SUPPORT_CONTACT}.`).waitFor()
				assert.deepEqual(await axeFindings(page, 'the bar'), [])
				if (touch) assert.deepEqual(await smallTargets(page, TOUCH_PX, 'the bar', '[role=status]'), [])

				await bar.focus()
				await page.keyboard.press('Enter')
				const list = page.getByRole('dialog', { name: 'Notices' })
				await list
					.getByRole('listitem')
					.nth(WORDS.length - 1)
					.waitFor()
				const shown = await list.getByRole('listitem').allTextContents()
				assert.equal(shown.length, WORDS.length)
				// The most urgent notice comes first.
				for (const [at, words] of WORDS.entries()) assert.ok(shown[at]?.includes(words), `${at}: ${shown[at]}`)
				await expectLinks(page)
				assert.deepEqual(await axeFindings(page, 'the list'), [])
				const { scrollWidth } = await page.evaluate<{ scrollWidth: number }>(
					'({ scrollWidth: document.body.scrollWidth })',
				)
				assert.ok(scrollWidth <= size.width, `${scrollWidth}`)
				assert.equal(await topOfMain(page), top)

				await page.keyboard.press('Escape')
				await list.waitFor({ state: 'detached' })
				await bar.and(page.locator(':focus')).waitFor()
			})
		})
	}

	test('a link of the list closes it and opens the screen', async () => {
		await app.withPage({ as: await newUser() }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			await barOf(page, 'WhatsApp is not connected 4 notices').click()
			await page.getByRole('dialog', { name: 'Notices' }).getByRole('link', { name: 'My Profile' }).click()
			await page.waitForURL(/\/profile$/)
			await page.getByRole('dialog', { name: 'Notices' }).waitFor({ state: 'detached' })
		})
	})

	test('the bar of a demo whose account is ready shows the demo only', async () => {
		await app.withPage({ as: await app.signedIn(DEMO_USER.email) }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			await barOf(page, 'Demo 1 notice').click()
			await page.getByText('Nothing is sent to WhatsApp.').waitFor()
		})
	})

	test('the notice of a sender that only an administrator can repair names the contact', async () => {
		const reason = 'The access token is no longer valid. Ask your administrator to save a new one, then resume.'
		const user = await app.signedIn(DEMO_USER.email)
		await app.product.db`
			update senders set stopped_reason = ${reason}, stopped_at = now()
			where account_id = ${user.accountId}
		`
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			await barOf(page, 'Sending has stopped 2 notices').click()
			await page.getByText(`${reason} Ask ${SUPPORT_CONTACT}. Your campaigns`).waitFor()
		})
	})
})

/** Creates a user without credentials and money, with a password that an admin typed. */
async function newUser(): Promise<Person> {
	const { db } = app.product
	const person = await account(app.product.process.context)
	await db`update users set password_from = 'admin' where id = ${person.userId}`
	return app.signedIn(person.email)
}

const barOf = (page: Page, name: string) => page.getByRole('status').getByRole('button', { name })

/** Returns the place in pixels at which the content under the header begins. */
async function topOfMain(page: Page): Promise<number> {
	return (await page.getByRole('main').boundingBox())?.y ?? Infinity
}

async function expectLinks(page: Page) {
	for (const [name, href] of [
		['+91 98765 43210', 'tel:+919876543210'],
		['ravi@example.com', 'mailto:ravi@example.com'],
	] as const)
		assert.equal(await page.getByRole('link', { name }).first().getAttribute('href'), href)
}

async function newBusiness(): Promise<Credentials> {
	const { control } = app.product.simulator
	const credentials = await control.createAccount({ name: 'Asha Sarees' })
	const template = { name: 'shop_open', category: 'MARKETING' as const, components: [BODY] }
	await control.addTemplate({ ...template, waba_id: credentials.waba_id })
	return credentials
}

async function signIn(page: Page, person: { email: string; password: string }) {
	await page.goto('/login')
	await fillSignIn(page, person)
	await page.waitForURL(/\/dashboard$/)
}

async function follow(page: Page, group: string, link: string) {
	const menu = page.getByRole('navigation', { name: 'Main menu' })
	const target = menu.getByRole('link', { name: link, exact: true })
	const title = menu.getByRole('button', { name: group })
	await title.waitFor()
	if (!(await target.isVisible())) await title.click()
	await target.click()
}

async function createUser(page: Page) {
	await follow(page, 'User Management', 'User Create')
	await page.getByRole('textbox', { name: 'Full Name' }).fill(ASHA.name)
	await page.getByRole('textbox', { name: 'Email Address' }).fill(ASHA.email)
	await page.getByRole('textbox', { name: 'Password' }).fill(ASHA.password)
	await page.getByRole('button', { name: 'Create User' }).click()
	await page.getByText('User created successfully!').waitFor()
	await seeValue(page.getByRole('textbox', { name: 'Full Name' }), '')
}

async function saveCredentials(page: Page, credentials: Credentials) {
	await follow(page, 'User Management', 'Manage Users')
	await page.getByRole('button', { name: `Manage Key of ${ASHA.name}` }).click()
	const dialog = page.getByRole('dialog', { name: `Manage Key: ${ASHA.name}` })
	await dialog.getByRole('button', { name: 'Save' }).click()
	for (const missing of ['Phone Number ID', 'WABA ID', 'Access Token'])
		await dialog.getByText(`${missing} is required`, { exact: true }).waitFor()
	await dialog.getByRole('textbox', { name: 'Phone Number ID' }).fill(credentials.phone_number_id)
	await dialog.getByRole('textbox', { name: 'WABA ID' }).fill(credentials.waba_id)
	await dialog.getByRole('textbox', { name: 'Access Token' }).fill(credentials.access_token)
	await dialog.getByRole('textbox', { name: 'App ID' }).fill(credentials.app_id)
	await dialog.getByRole('textbox', { name: 'App Secret' }).fill(credentials.app_secret)
	await dialog.getByRole('button', { name: 'Save' }).click()
	await page.getByRole('status').getByText('Credentials saved').waitFor()
	await dialog.getByText('Asha Sarees').waitFor()
	await page.keyboard.press('Escape')
	await dialog.waitFor({ state: 'hidden' })
}

async function rechargeWallet(page: Page) {
	await follow(page, 'Manage Transaction', 'Wallet Recharge')
	await page.getByRole('button', { name: `Add Recharge for ${ASHA.name}` }).click()
	const dialog = page.getByRole('dialog', { name: `Add Recharge: ${ASHA.name}` })
	await dialog.getByRole('button', { name: 'Save' }).click()
	await dialog.getByText('Valid amount greater than 0 is required').waitFor()
	await dialog.getByRole('textbox', { name: 'Amount' }).fill(String(RECHARGE))
	await dialog.getByRole('textbox', { name: 'Notes' }).fill('Cash at the counter')
	await dialog.getByRole('button', { name: 'Save' }).click()
	await dialog.waitFor({ state: 'hidden' })
	const row = page.getByRole('row').filter({ hasText: ASHA.email })
	await row.getByText(formatRupees(RECHARGE), { exact: true }).waitFor()
}

async function syncTemplates(page: Page) {
	await follow(page, 'Manage Template', 'View Template')
	await page.getByRole('button', { name: 'Sync Templates' }).click()
	const row = page.getByRole('row').filter({ hasText: 'shop_open' })
	await row.getByText('APPROVED').waitFor()
}

async function addContact(page: Page, { first, last, number }: (typeof CONTACTS)[number]) {
	await follow(page, 'Manage Contacts', 'Manage Contact')
	const dialog = await fillNewContact(page, { first, last, number })
	await dialog.getByRole('button', { name: 'Save' }).click()
	await dialog.waitFor({ state: 'hidden' })
	await page
		.getByRole('row')
		.filter({ hasText: `${first} ${last}` })
		.waitFor()
}

async function sendToAll(page: Page) {
	await follow(page, 'Manage Campaign', 'Create Campaign')
	await page.getByLabel('Campaign name').fill('We are open')
	await page.getByPlaceholder('Choose a template').click()
	await page.getByRole('option', { name: /^Shop open/ }).click()
	await page.getByRole('textbox', { name: 'Variable 1' }).fill('{{firstName}}')
	await page
		.getByRole('figure', { name: 'Message preview' })
		.getByText(/Dear (Kabir|Lina), our shop is open/)
		.waitFor()
	await send(page)
}

async function seeArrive(page: Page) {
	await page.getByRole('heading', { name: 'We are open' }).waitFor()
	await page.getByText('completed', { exact: true }).waitFor()
	for (const { number } of CONTACTS) {
		const row = page.getByRole('row').filter({ hasText: number.slice(-5) })
		await row.getByText('read', { exact: true }).waitFor()
	}
}
