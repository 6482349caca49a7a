import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { account, type TestAccount } from '#test/factories.ts'
import { mailsTo, resetTokenOf } from '#test/readers/outbox.ts'
import { until } from '#test/until.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { button, field, gone, seeCount, seeValue, text } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { fillSignIn, localStorageOf } from './people.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)

async function mailedLink(email: string): Promise<string> {
	await until(async () => (await mailsTo(context, email)).length > 0)
	const [mail = ''] = await mailsTo(context, email)
	return `/reset#${resetTokenOf(mail)}`
}

/**
 * Requests a password link in another browser, because /forgot redirects a signed-in person. Opens the mailed link on
 * the page and returns it.
 */
async function forgotAndFollow(page: Page, { email }: TestAccount): Promise<string> {
	await app.withPage({}, async ({ page: other }) => {
		await other.goto('/login')
		await other.getByRole('link', { name: 'Forgot password?' }).click()
		await button(other, 'Reset Password').click()
		await text(other, 'Email is required').waitFor()
		await field(other, 'Email').fill('nobody')
		await gone(other, 'Email is required')
		await button(other, 'Reset Password').click()
		await text(other, 'Invalid email format').waitFor()
		await field(other, 'Email').fill(email)
		await button(other, 'Reset Password').click()
		await other.getByRole('status').filter({ hasText: 'If this email address has an account' }).waitFor()
		await other.getByRole('link', { name: 'Back to Login' }).click()
		await other.waitForURL('/login')
	})
	const link = await mailedLink(email)
	await page.goto(link)
	return link
}

suite('a forgotten password', () => {
	test('a mailed link resets the password once, and its token never reaches the server in an address', async () => {
		const person = await account(context, { name: 'Forgetful' })
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page, allow }) => {
			allow(/status of 400/)
			const asked: string[] = []
			page.on('request', (request) => asked.push(request.url()))
			const link = await forgotAndFollow(page, person)
			await page.waitForURL('/reset')
			await button(page, 'Save new password').click()
			await text(page, 'Password is required').waitFor()
			await field(page, 'New password').fill('short')
			await gone(page, 'Password is required')
			await button(page, 'Save new password').click()
			await text(page, 'Password must be at least 6 characters').waitFor()
			await field(page, 'New password').fill('brand new')
			await button(page, 'Save new password').click()
			await page.waitForURL('/login')
			await text(page, 'Your password has been reset. Please log in with the new one.').waitFor()
			assert.deepEqual(await localStorageOf(page), {})
			await fillSignIn(page, { email: person.email, password: 'brand new' })
			await page.waitForURL('/user/dashboard')

			await page.goto(link)
			await field(page, 'New password').fill('once more')
			await button(page, 'Save new password').click()
			await text(page, 'This link is no longer valid. Please ask for a new one.').waitFor()
			const token = link.split('#')[1] ?? ''
			assert.ok(token.length === 43 && asked.every((url) => !url.includes(token)))
		})
	})

	test('/reset without a token disables saving and links to /forgot', () =>
		app.withPage({}, async ({ page }) => {
			await openScreen(page, '/reset')
			await page.getByText('This link is incomplete').waitFor()
			assert.equal(await button(page, 'Save new password').isDisabled(), true)
			await page.getByRole('link', { name: 'Ask for a new link' }).click()
			await page.waitForURL('/forgot')
		}))
})

suite('the profile of the signed-in person', () => {
	test('the settings list sign-ins and failed attempts with device, address and time, and show the rest when asked', async () => {
		const person = await account(context, { name: 'Wary Owner' })
		await app.withPage({}, async ({ page, allow }) => {
			allow(/status of 401/)
			await page.goto('/login')
			await fillSignIn(page, { email: person.email, password: 'not the password' })
			await text(page, 'Invalid email or password').waitFor()
			await fillSignIn(page, person)
			await page.waitForURL('/user/dashboard')
			for (let n = 0; n < 4; n++) await app.signedIn(person.email)
			await openScreen(page, '/settings?part=security')
			const list = page.getByRole('list', { name: 'Recent sign-ins and changes' })
			await list.getByRole('listitem').nth(4).waitFor()
			await seeCount(list.getByRole('listitem'), 5)
			await button(page, 'Show all 7 entries').click()
			const failed = list.getByRole('listitem').filter({ hasText: 'Tried to sign in with a wrong password' })
			await failed.getByText('Failed', { exact: true }).waitFor()
			assert.match(await failed.innerText(), /Chrome on \w+ · 127\.0\.0\.1 · \d\d/)
			await seeCount(list.getByRole('listitem'), 7)
		})
	})

	test('the profile form shows validation errors until edited, and saving a new password ends other sessions', async () => {
		const person = await account(context, { name: 'Pia Profile', balancePaise: 1250 })
		const elsewhere = await app.signedIn(person.email)
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
			await openScreen(page, '/profile')
			for (const words of ['USER', 'Member Since', 'Account Status', 'Active']) await text(page, words).waitFor()
			await page.locator('main').getByText('₹12.50').waitFor()
			await button(page, 'Edit Profile').click()
			await button(page, 'Change Password').click()
			for (const label of ['Current Password', 'New Password'])
				assert.equal(await field(page, label).getAttribute('type'), 'password')
			assert.equal(await field(page, 'New Password').getAttribute('autocomplete'), 'new-password')
			await field(page, 'Full Name').fill('')
			await field(page, 'Email Address').fill('pia')
			await button(page, 'Save Changes').click()
			const wrong = [
				['Full Name', 'Name is required', 'Pia Renamed'],
				['Email Address', 'Invalid email format', person.email],
				['Current Password', 'Current password is required', person.password],
				['New Password', 'New password is required', 'short'],
			] as const
			for (const [, message] of wrong) await text(page, message).waitFor()
			for (const [label, message, value] of wrong) {
				await field(page, label).fill(value)
				await gone(page, message)
			}
			await button(page, 'Save Changes').click()
			await text(page, 'Password must be at least 6 characters').waitFor()
			await field(page, 'New Password').fill('longer now')
			await button(page, 'Save Changes').click()
			await text(page, 'Profile updated successfully').waitFor()
			await button(page, 'Edit Profile').waitFor()
			await button(page, 'Account menu, Pia Renamed').waitFor()
			const kept = JSON.parse((await localStorageOf(page)).user ?? '{}') as Record<string, unknown>
			assert.deepEqual(Object.keys(kept).toSorted(), [
				'_id',
				'email',
				'id',
				'isActive',
				'name',
				'role',
				'seat',
				'walletBalance',
			])
			assert.equal(kept.name, 'Pia Renamed')
		})
		await app.withPage({ as: elsewhere }, async ({ page, allow }) => {
			allow(/status of 401/)
			await openScreen(page, '/profile')
			await page.waitForURL(/\/login/)
		})
	})

	test('leaving unsaved profile changes asks for confirmation, and Cancel discards them', async () => {
		const person = await account(context, { name: 'Gita Guard' })
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			await button(page, 'Account menu, Gita Guard').click()
			await page.getByRole('menuitem', { name: 'My Profile' }).click()
			await button(page, 'Edit Profile').click()
			await field(page, 'Full Name').fill('Somebody Else')
			await button(page, 'Change Password').click()
			await page.getByRole('link', { name: 'Live Chats' }).click()
			const dialog = page.getByRole('dialog', { name: 'Discard changes?' })
			await dialog.getByRole('button', { name: 'Keep editing' }).click()
			await dialog.waitFor({ state: 'hidden' })
			await seeValue(field(page, 'Full Name'), 'Somebody Else')
			await button(page, 'Cancel').click()
			await button(page, 'Edit Profile').click()
			await seeValue(field(page, 'Full Name'), 'Gita Guard')
			assert.equal(await field(page, 'Current Password').count(), 0)
		})
	})

	test('the settings list the person’s sessions, and “Sign out everywhere” ends all of them', async () => {
		const person = await account(context, { name: 'Sena Sessions' })
		const [here, there] = [await app.signedIn(person.email), await app.signedIn(person.email)]
		await app.withPage({ as: here }, async ({ page, tolerate }) => {
			// A call in progress when the session ends may be answered with 401.
			tolerate(/status of 401/)
			await openScreen(page, '/settings?part=security')
			const list = page.getByRole('list', { name: 'Sessions' })
			await list.getByText('This device').waitFor()
			await seeCount(list.getByRole('listitem'), 3)
			await button(page, 'Sign out everywhere').click()
			await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
			await page.waitForURL('/login')
			await text(page, 'You are signed out everywhere').waitFor()
			assert.deepEqual(await localStorageOf(page), {})
		})
		await app.withPage({ as: there }, async ({ page, allow }) => {
			allow(/status of 401/)
			await openScreen(page, '/profile')
			await page.waitForURL(/\/login/)
		})
	})

	test('a profile that fails to load shows an error, and Retry loads it', async () => {
		await app.withPage({ as: admin }, async ({ page, allow }) => {
			allow(/status of 418/)
			// The call fails until the click: parts of the page that load later call the profile too, and a success would
			// remove Retry.
			await page.addInitScript("addEventListener('click', () => (window.isRetried = true), { capture: true })")
			await page.route('**/api/users/profile/me', async (route) =>
				(await page.evaluate('window.isRetried')) ? route.continue() : route.fulfill({ status: 418, body: '' }),
			)
			await page.goto('/profile')
			await text(page, 'Unable to load profile').waitFor()
			await text(page, 'Failed to fetch user profile').waitFor()
			await button(page, 'Retry').click()
			await text(page, 'ADMIN').waitFor()
		})
	})
})

suite('sign-in and header', () => {
	test('sign-in shows “Login failed” for a refusal without a message and “Server error” for a lost connection', () =>
		app.withPage({}, async ({ page, allow }) => {
			allow(/status of 418/)
			await page.goto('/login')
			await page.route('**/api/auth/login', (route) => route.fulfill({ status: 418, body: '' }))
			await fillSignIn(page, { email: 'meera@example.com', password: 'secret' })
			await text(page, 'Login failed').waitFor()
			await page.unroute('**/api/auth/login')
			await page.route('**/api/auth/login', (route) => route.abort('aborted'))
			await button(page, 'Login').click()
			await text(page, 'Server error').waitFor()
		}))

	test('sign-in with Remember me opens a session of thirty days', async () => {
		const person = await account(context)
		await app.withPage({}, async ({ page }) => {
			await page.goto('/login')
			await page.getByRole('checkbox', { name: 'Remember me' }).check()
			await fillSignIn(page, person)
			await page.waitForURL('/user/dashboard')
		})
		const [row] = await app.product.db<{ days: number }[]>`
			select extract(epoch from max(expires_at) - now())::float8 / 86400 as days
			from sessions where user_id = ${person.userId}
		`
		assert.equal(Math.round(row?.days ?? 0), 30)
	})

	test('the header cuts a name to fifteen characters, and shows wallet and notifications to users only', async () => {
		const person = await account(context, { name: 'Venkatanarasimharajuvaripeta' })
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			const header = page.getByRole('banner')
			await header.getByText('Venkatanarasimh...', { exact: true }).waitFor()
			await header.getByText('WhatsApp Bulk Message', { exact: true }).waitFor()
			await header.getByText('Manage and send bulk messages', { exact: true }).waitFor()
			await header.getByRole('link', { name: 'Wallet balance: ₹0.00' }).waitFor()
			assert.equal(await header.getByRole('searchbox').count(), 0)
			await button(page, 'Account menu, Venkatanarasimharajuvaripeta').click()
			await page.getByRole('menuitem', { name: 'Billing' }).click()
			await page.waitForURL('/user/recharge/transaction')
		})
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/dashboard')
			const header = page.getByRole('banner')
			await header.getByRole('searchbox', { name: 'Search users' }).waitFor()
			assert.equal(await header.getByRole('link').count(), 0)
			assert.equal(await header.getByRole('button', { name: 'Notifications' }).count(), 0)
			await page.getByRole('button', { name: /^Account menu/ }).click()
			await page.getByRole('menuitem', { name: 'My Profile' }).waitFor()
			for (const name of ['Account Settings', 'Billing']) {
				assert.equal(await page.getByRole('menuitem', { name }).count(), 0)
			}
		})
	})
})
