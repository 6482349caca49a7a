import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { deleteUser, setStatus } from '#features/users/server/service.ts'
import { account } from '#test/factories.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { button, row } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { send, startForm } from './pages/campaign-pages.ts'
import { fillNewContact } from './pages/contact-form.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)
const user = await app.signedIn(DEMO_USER.email)
const otherAdmin = { adminId: admin.userId, ip: '127.0.0.1' }

suite('a user whom another admin changes meanwhile', () => {
	test('editing the name does not reactivate a user who was deactivated while the dialog was open', async () => {
		const { userId } = await account(context, { name: 'Eva Edited' })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/manage/users?search=eva')
			await button(page, 'Edit Eva Edited').click()
			const name = page.getByRole('dialog').getByLabel('Full Name')
			await name.fill('Eva Renamed')
			await setStatus(context, otherAdmin, { id: userId, isActive: false })
			await name.press('Enter')
			await row(page, 'Eva Renamed').getByText('Inactive').waitFor()
		})
	})

	test('Deactivate does not activate a user whom another admin has deactivated meanwhile', async () => {
		const { userId } = await account(context, { name: 'Dina Down' })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/manage/users?search=dina')
			await button(page, 'Deactivate Dina Down').click()
			await setStatus(context, otherAdmin, { id: userId, isActive: false })
			await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
			await row(page, 'Dina Down').getByText('Inactive').waitFor()
		})
	})

	test('a refused edit of a user who was deleted removes their row from the list', async () => {
		const { userId } = await account(context, { name: 'Gita Gone' })
		await app.withPage({ as: admin }, async ({ page, allow }) => {
			allow(/status of 404/)
			await openScreen(page, '/admin/manage/users?search=gita')
			await button(page, 'Edit Gita Gone').click()
			const name = page.getByRole('dialog').getByLabel('Full Name')
			await name.fill('Gita Here')
			await deleteUser(context, otherAdmin, userId)
			await name.press('Enter')
			await page.getByText('User not found').waitFor()
			await page.getByText('No users match your search').waitFor()
			await button(page, 'Cancel').click()
		})
	})

	test('editing one price keeps the change that another admin made to the other price meanwhile', async () => {
		const { accountId } = await account(context, { name: 'Pavi Priced' })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/pricing/management?search=pavi')
			await button(page, 'Edit the prices of Pavi Priced').click()
			const utility = page.getByRole('spinbutton', { name: 'Utility Price' })
			await utility.press('Control+A')
			await utility.pressSequentially('0.45')
			await context.db`update prices set marketing_paise = 199 where account_id = ${accountId}`
			await utility.press('Enter')
			await row(page, 'Pavi Priced').filter({ hasText: '₹1.99' }).filter({ hasText: '₹0.45' }).waitFor()
		})
	})
})

test('editing the price of replies keeps the rule for other countries that another admin set meanwhile', async () => {
	const { accountId } = await account(context, { name: 'Rita Replies' })
	await app.withPage({ as: admin }, async ({ page }) => {
		await openScreen(page, '/admin/pricing/management?search=rita')
		await button(page, 'Other countries and replies: prices of Rita Replies').click()
		await page.getByLabel('Reply Price').fill('0.12')
		await context.db`update prices set abroad_rule = 'blocked', authentication_paise = 25 where account_id = ${accountId}`
		await button(page, 'Save Prices').click()
		await page.getByText('Prices updated successfully').waitFor()
	})
	const [prices] = await context.db`
		select service_paise as replies, abroad_rule as rule, authentication_paise as codes from prices
		where account_id = ${accountId}
	`
	assert.deepEqual({ ...prices }, { replies: 12, rule: 'blocked', codes: 25 })
})

test('a recharge whose answer is lost shows the new balance', async () => {
	await account(context, { name: 'Lola Lost' })
	await app.withPage({ as: admin }, async ({ page, allow }) => {
		allow(/ERR_FAILED/)
		await openScreen(page, '/admin/recharge/wallet?search=lola')
		await button(page, 'Add Recharge for Lola Lost').click()
		await page.route(
			'**/api/recharge/*',
			async (route) => {
				await route.fetch()
				await route.abort()
			},
			{ times: 1 },
		)
		await page.getByRole('textbox', { name: 'Amount' }).pressSequentially('₹1,250.50')
		await page.keyboard.press('Enter')
		await page.getByText('Failed to add recharge').waitFor()
		await button(page, 'Cancel').click()
		await row(page, 'Lola Lost').getByText('₹1,250.50').waitFor()
	})
})

test('a recharge that fails because the session has ended shows one message, without an error of the list', async () => {
	await account(context, { name: 'Olga Out' })
	const leaving = await app.signedIn(DEMO_ADMIN.email)
	await app.withPage({ as: leaving }, async ({ page, allow }) => {
		allow(/status of 401/)
		await page.goto('/admin/recharge/wallet?search=olga')
		await button(page, 'Add Recharge for Olga Out').click()
		const amount = page.getByRole('textbox', { name: 'Amount' })
		await amount.fill('10')
		await page.route('**/api/recharge/*', (route) =>
			route.fulfill({ status: 401, json: { message: 'Please login to continue' } }),
		)
		await amount.press('Enter')
		await page.getByText('Your session has ended.').waitFor()
		const alerts = page.getByRole('alert')
		await alerts.first().waitFor()
		assert.deepEqual(await alerts.allInnerTexts(), ['Please login to continue'])
	})
})

test('text of twice the size on a phone cuts off no quick amount, and does not make the not-found page wider than the window', () =>
	app.withPage({ as: admin, size: { width: 390, height: 844 } }, async ({ page, allow }) => {
		allow(/status of 400/)
		const enlarge = () => page.evaluate('document.documentElement.style.fontSize = "200%"')
		const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
		await openScreen(page, `/admin/recharge/wallet?search=${DEMO_USER.email}`)
		await page.getByRole('button', { name: 'Add Recharge' }).click()
		await enlarge()
		await page.getByRole('group', { name: 'Quick amounts' }).waitFor()
		const cutOff = await page.evaluate<string[]>(
			`[...document.querySelectorAll('[aria-label="Quick amounts"] .mantine-Button-label')]
				.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`,
		)
		assert.deepEqual(cutOff, [])
		for (const path of ['/admin/recharge/wallet/statement/abc', '/nowhere']) {
			await openScreen(page, path)
			await enlarge()
			await page.getByRole('link', { name: /^Go to/ }).waitFor()
			assert.equal(await width(), 390, path)
		}
	}))

test('a toast that is shown again stays for its whole duration', () =>
	app.withPage({}, async ({ page, allow }) => {
		allow(/status of 401/)
		const message = 'Invalid email or password'
		await page.route('**/api/auth/login', (route) => route.fulfill({ status: 401, json: { message } }))
		await page.goto('/login')
		await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.com')
		await page.getByRole('textbox', { name: 'Password' }).fill('mistyped')
		await page.keyboard.press('Enter')
		const refusal = page.getByRole('alert').filter({ hasText: message })
		const first = await refusal.elementHandle()
		assert.ok(first)
		// The second toast appears within the five seconds of the first.
		await until(
			async () => {
				await page.keyboard.press('Enter')
				return !(await first.isVisible())
			},
			4000,
			300,
		)
		await refusal.first().waitFor()
	}))

/** Script that moves the pointer over each toast that appears, so that it stays. */
const HOVER_TOASTS = `new MutationObserver(() => {
	const toast = document.querySelector('.mantine-Notification-root')
	toast?.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
}).observe(document.body, { childList: true, subtree: true })`

test('a toast disappears when its person signs out in another tab', async () => {
	const person = await account(context, { name: 'Parting' })
	await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
		await openScreen(page, '/contact/management')
		await fillNewContact(page, { first: 'Meera', number: '97000 00401' })
		await page.evaluate(HOVER_TOASTS)
		await page.keyboard.press('Enter')
		const toast = page.getByText('Contact added successfully')
		await toast.waitFor()
		const other = await page.context().newPage()
		await other.goto('/healthz')
		await other.evaluate('localStorage.clear()')
		await page.getByText('You signed out in another tab.').waitFor()
		await toast.waitFor({ state: 'detached' })
	})
})

test('a campaign whose price changed after the summary showed it is ordered only after the new price was shown', async () => {
	const sender = await sendingAccount(app.product, { contacts: 2, balancePaise: 5000 })
	const person = await app.signedIn(sender.email)
	await app.withPage({ as: person, size: { width: 390, height: 844 } }, async ({ page }) => {
		await startForm(page, { name: 'Priced anew', template: 'hello' })
		await page.getByLabel('Variable 1', { exact: false }).first().fill('friend')
		await page.getByText('₹2.00', { exact: true }).first().waitFor()
		await context.db`update prices set marketing_paise = 150 where account_id = ${sender.accountId}`
		await button(page, 'Send Campaign').click()
		await page.getByText('A message costs ₹1.50 by now. Check the cost of the campaign, then send again.').waitFor()
		await page.getByText('₹3.00', { exact: true }).first().waitFor()
		await send(page)
	})
	const [ordered] = await context.db<{ campaigns: number; paise: number }[]>`
		select count(*) as campaigns, min(price_paise) as paise from campaigns where account_id = ${sender.accountId}
	`
	assert.deepEqual({ ...ordered }, { campaigns: 1, paise: 150 })
})

test('a campaign whose prices abroad changed after the summary showed them is ordered only after the new ones were shown', async () => {
	const sender = await sendingAccount(app.product, { contacts: 2, balancePaise: 5000 })
	const { accountId } = sender
	const person = await app.signedIn(sender.email)
	await context.db`
		update contacts set number = '971501230042'
		where account_id = ${accountId} and id = (select min(id) from contacts where account_id = ${accountId})
	`
	await context.db`update prices set abroad_rule = 'card' where account_id = ${accountId}`
	await app.withPage({ as: person }, async ({ page }) => {
		await startForm(page, { name: 'Priced anew abroad', template: 'hello' })
		await page.getByLabel('Variable 1', { exact: false }).first().fill('friend')
		await page.getByText('₹4.67', { exact: true }).first().waitFor()
		await context.db`insert into market_prices values (${accountId}, 'AE', 'marketing', 900)`
		await button(page, 'Send Campaign').click()
		await page.getByText('Messages to other countries have other prices by now.', { exact: false }).first().waitFor()
		await page.getByText('₹10.00', { exact: true }).first().waitFor()
		await send(page)
	})
	const [ordered] = await context.db`
		select count(*) as campaigns, min(pending_extra_paise + charged_extra_paise) as extra from campaigns
		where account_id = ${accountId}
	`
	assert.deepEqual({ ...ordered }, { campaigns: 1, extra: 800 })
})

/** Asserts that the label is centred: a label whose descenders are cut off is too high in its button. */
async function assertCentred(link: Locator) {
	const [box, label] = [await link.boundingBox(), await link.getByText(/./).last().boundingBox()]
	assert.ok(box && label)
	const [above, below] = [label.y - box.y, box.y + box.height - label.y - label.height]
	assert.ok(above > 0 && Math.abs(above - below) <= 2, `${above} px above the words, ${below} px below`)
}

suite('an address without a record', () => {
	const addresses = {
		user: [
			['/campaign/abc', 'Campaign not found', 'My Campaigns'],
			['/campaign/999999999', 'Campaign not found', 'My Campaigns'],
			['/user/create/template/campaign?from=999999999', 'Campaign not found', 'My Campaigns'],
			['/user/create/template?from=abc', 'Template not found', 'Manage Templates'],
		],
		admin: [
			['/admin/recharge/wallet/statement/abc', 'User not found', 'Transaction History'],
			['/admin/recharge/wallet/statement/999999999', 'User not found', 'Transaction History'],
		],
	} as const
	for (const role of ['user', 'admin'] as const)
		test(`every address of the role ${role} without a record shows that nothing exists there`, (t) =>
			app.withPage({ as: role === 'admin' ? admin : user }, async ({ page, allow }) => {
				allow(/status of 40[04]/)
				for (const [path, title, way] of addresses[role])
					await t.test(`${path} shows that nothing exists there, without Retry, and links to ${way}`, async () => {
						await openScreen(page, path)
						await page.getByText(title, { exact: true }).waitFor()
						assert.equal(await button(page, 'Retry').count(), 0)
						assert.equal(await page.getByRole('alert').count(), 0)
						const link = page.getByRole('link', { name: `Go to ${way}` })
						await assertCentred(link)
						await link.click()
						await page.getByRole('heading', { name: way }).waitFor()
					})
			}))
})
