import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { account, type TestAccount } from '#test/factories.ts'
import { until } from '#test/until.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { openStage } from './kit.ts'
import { fillSignIn, keptStorage } from './people.ts'

const stage = await openStage()
const { context } = stage.product.process
const admin = await stage.signedIn(DEMO_ADMIN.email)

const text = (page: Page, words: string) => page.getByText(words, { exact: true })
const gone = (page: Page, words: string) => text(page, words).waitFor({ state: 'detached' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })

async function mailedLink(email: string): Promise<string> {
	const outbox = `${context.env.DATA_DIR}/outbox`
	const find = async () => {
		const files = await readdir(outbox).catch(() => [])
		const mails = await Promise.all(files.map((file) => readFile(`${outbox}/${file}`, 'utf8').catch(() => '')))
		return mails.find((mail) => mail.includes(email))
	}
	await until(async () => (await find()) !== undefined)
	const token = /\/reset#([\w-]{43})$/m.exec(((await find()) ?? '').replace(/=\n/g, ''))?.[1] ?? ''
	return `/reset#${token}`
}

/** Asks for the link in another browser, as whoever is signed in sees no form for it. */
async function forgotAndFollow(page: Page, { email }: TestAccount): Promise<string> {
	await stage.visit({}, async ({ page: other }) => {
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
	test('is replaced by way of a mailed link, whose token never stays in the address', async () => {
		const person = await account(context, { name: 'Forgetful' })
		await stage.visit({ as: await stage.signedIn(person.email) }, async ({ page, allow }) => {
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
			assert.deepEqual(await keptStorage(page), {})
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

	test('cannot be replaced without the token of a link', () =>
		stage.visit({}, async ({ page }) => {
			await page.goto('/reset')
			await page.getByText('This link is incomplete').waitFor()
			assert.equal(await button(page, 'Save new password').isDisabled(), true)
			await page.getByRole('link', { name: 'Ask for a new link' }).click()
			await page.waitForURL('/forgot')
		}))
})

suite('creating a user', () => {
	test('says what is wrong until it is edited, and tells of success for three seconds over an empty form', () =>
		stage.visit({ as: admin }, async ({ page }) => {
			await page.goto('/admin/create/user')
			await text(page, 'Password must be at least 8 characters long').waitFor()
			await button(page, 'Create User').click()
			const wrong = [
				['Full Name', 'Name is required', 'Nadia'],
				['Email Address', 'Email is required', 'nadia@example.com'],
				['Password', 'Password is required', 'secret'],
			] as const
			for (const [, message] of wrong) await text(page, message).waitFor()
			for (const [label, message, value] of wrong) {
				await field(page, label).fill(value)
				await gone(page, message)
			}
			await button(page, 'Create User').click()
			const banner = page.getByRole('status').filter({ hasText: 'User created successfully!' })
			await banner.waitFor()
			const shown = Date.now()
			for (const [label] of wrong) assert.equal(await field(page, label).inputValue(), '')
			await banner.waitFor({ state: 'detached' })
			const seconds = (Date.now() - shown) / 1000
			assert.ok(seconds > 2.5 && seconds < 4, `the banner stayed ${seconds} seconds`)
		}))

	test('tells the server’s words for three seconds when it refuses, and keeps what was typed', () =>
		stage.visit({ as: admin }, async ({ page, allow }) => {
			allow(/status of 409/)
			await page.goto('/admin/create/user')
			await field(page, 'Full Name').fill('Second Meera')
			await field(page, 'Email Address').fill(DEMO_ADMIN.email)
			await field(page, 'Password').fill('secret')
			await button(page, 'Create User').click()
			const banner = page.getByRole('alert').filter({ hasText: 'A user with this email already exists' })
			await banner.first().waitFor()
			assert.equal(await field(page, 'Full Name').inputValue(), 'Second Meera')
			await field(page, 'Email Address').fill('else@example.com')
			await page.waitForTimeout(3500)
			assert.equal(await page.getByText('A user with this email already exists').count(), 0)
		}))
})

suite('managing users', () => {
	test('a search from the header leads to the list, and an edit changes the row in place', async () => {
		const person = await account(context, { name: 'Edith Old' })
		await stage.visit({ as: admin }, async ({ page }) => {
			await page.goto('/admin/dashboard')
			const search = page.getByRole('searchbox', { name: 'Search users' })
			await search.fill('edith old')
			await search.press('Enter')
			await page.waitForURL('/admin/manage/users?search=edith+old')
			await button(page, 'Edit Edith Old').click()
			const dialog = page.getByRole('dialog', { name: 'Edit User: Edith Old' })
			await dialog.getByLabel('Full Name').fill(' ')
			await dialog.getByLabel('Email Address').fill('edith')
			await dialog.getByRole('button', { name: 'Save Changes' }).click()
			for (const words of ['Name is required', 'Invalid email format']) await dialog.getByText(words).waitFor()
			await dialog.getByLabel('Full Name').fill('Edith New')
			await gone(page, 'Name is required')
			await dialog.getByLabel('Email Address').fill(person.email)
			await gone(page, 'Invalid email format')
			await dialog.getByRole('button', { name: 'Save Changes' }).click()
			await text(page, 'User updated successfully').waitFor()
			await dialog.waitFor({ state: 'hidden' })
			await row(page, 'Edith New').waitFor()
		})
	})

	test('deactivating asks first, marks the row, and throws the person out of an open page at once', async () => {
		const person = await account(context, { name: 'Dora Active' })
		await stage.visit({ as: await stage.signedIn(person.email) }, async ({ page: theirs, allow }) => {
			allow(/status of 401/)
			await theirs.goto('/profile')
			await theirs.getByRole('heading', { name: 'My Profile' }).waitFor()
			await stage.visit({ as: admin }, async ({ page }) => {
				await page.goto('/admin/manage/users?search=dora')
				await button(page, 'Deactivate Dora Active').click()
				const dialog = page.getByRole('dialog', { name: 'Confirm Deactivation' })
				await dialog.getByRole('button', { name: 'Cancel' }).click()
				await dialog.waitFor({ state: 'hidden' })
				await button(page, 'Deactivate Dora Active').click()
				await dialog.getByRole('button', { name: 'Deactivate' }).click()
				await text(page, 'User deactivated successfully').waitFor()
				await row(page, 'Dora Active').getByText('Inactive').waitFor()
				await theirs.waitForURL(/\/login/)
				await button(page, 'Activate Dora Active').click()
				await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
				await text(page, 'User activated successfully').waitFor()
				await row(page, 'Dora Active').getByText('Inactive').waitFor({ state: 'detached' })
			})
			assert.deepEqual(await keptStorage(theirs), {})
		})
	})

	test('deleting asks first and takes the row away; the details show what is known of a user', async () => {
		await account(context, { name: 'Delia Gone', balancePaise: 4250 })
		await stage.visit({ as: admin }, async ({ page }) => {
			await page.goto('/admin/manage/users?search=delia')
			await button(page, 'View Delia Gone').click()
			const details = page.getByRole('dialog', { name: 'Delia Gone' })
			for (const words of ['Email', 'Role', 'Wallet Balance', 'Status'])
				await details.getByText(words, { exact: true }).waitFor()
			for (const words of ['User', '₹42.50', 'Active']) await details.getByText(words, { exact: true }).waitFor()
			await page.keyboard.press('Escape')
			await button(page, 'Delete Delia Gone').click()
			const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' })
			await dialog.getByText('This action cannot be undone.').waitFor()
			await dialog.getByRole('button', { name: 'Delete' }).click()
			await text(page, 'User deleted successfully').waitFor()
			await row(page, 'Delia Gone').waitFor({ state: 'detached' })
			await text(page, 'No users match your search').waitFor()
		})
	})

	test('what is refused is said in the server’s words, and the fallback where it said none', () =>
		stage.visit({ as: admin }, async ({ page, allow }) => {
			allow(/status of 400/)
			allow(/status of 418/)
			await account(context, { role: 'admin' })
			await page.goto(`/admin/manage/users?search=${DEMO_ADMIN.email}`)
			await button(page, `Delete ${DEMO_ADMIN.name}`).click()
			const dialog = page.getByRole('dialog')
			await dialog.getByRole('button', { name: 'Delete' }).click()
			await text(page, 'You cannot delete your own account').waitFor()
			await dialog.getByRole('button', { name: 'Cancel' }).click()
			await dialog.waitFor({ state: 'hidden' })
			await page.route('**/api/users/*/status', (route) => route.fulfill({ status: 418, body: '' }))
			await button(page, `Deactivate ${DEMO_ADMIN.name}`).click()
			await dialog.getByRole('button', { name: 'Deactivate' }).click()
			await text(page, 'Failed to deactivate user').waitFor()
		}))

	test('under 1024 pixels the five actions are one menu', () =>
		stage.visit({ as: admin, size: { width: 390, height: 844 } }, async ({ page }) => {
			await page.goto(`/admin/manage/users?search=${DEMO_ADMIN.email}`)
			await button(page, `Actions for ${DEMO_ADMIN.name}`).click()
			const words = await page.getByRole('menuitem').allInnerTexts()
			assert.deepEqual(words, ['View', 'Edit', 'Manage Key', 'Deactivate', 'Delete'])
		}))

	test('the audit trail tells of it and is reached from the dashboard', () =>
		stage.visit({ as: admin }, async ({ page }) => {
			await page.goto('/admin/dashboard')
			await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
			await page.getByRole('link', { name: 'View all' }).first().click()
			await page.waitForURL('/admin/audit')
			await row(page, 'Deleted user').filter({ hasText: 'Delia Gone' }).filter({ hasText: DEMO_ADMIN.name }).waitFor()
			await row(page, 'Edited user').filter({ hasText: 'name Edith Old → Edith New' }).waitFor()
		}))
})

suite('one’s own profile', () => {
	test('says in the agreed words what is wrong until it is edited, and is saved with a new password', async () => {
		const person = await account(context, { name: 'Pia Profile', balancePaise: 1250 })
		const elsewhere = await stage.signedIn(person.email)
		await stage.visit({ as: await stage.signedIn(person.email) }, async ({ page }) => {
			await page.goto('/profile')
			for (const words of ['USER', 'Member Since', 'Account Status', 'Active']) await text(page, words).waitFor()
			await page.locator('main').getByText('₹12.50').waitFor()
			await button(page, 'Edit Profile').click()
			await button(page, 'Change Password').click()
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
			const kept = JSON.parse((await keptStorage(page)).user ?? '{}') as Record<string, unknown>
			assert.deepEqual(Object.keys(kept).toSorted(), [
				'_id',
				'email',
				'id',
				'isActive',
				'name',
				'role',
				'walletBalance',
			])
			assert.equal(kept.name, 'Pia Renamed')
		})
		await stage.visit({ as: elsewhere }, async ({ page, allow }) => {
			allow(/status of 401/)
			await page.goto('/profile')
			await page.waitForURL(/\/login/)
		})
	})

	test('asks before unsaved changes are left, and Cancel takes them back and closes the password', async () => {
		const person = await account(context, { name: 'Gita Guard' })
		await stage.visit({ as: await stage.signedIn(person.email) }, async ({ page }) => {
			await page.goto('/user/dashboard')
			await button(page, 'Account menu, Gita Guard').click()
			await page.getByRole('menuitem', { name: 'Account Settings' }).click()
			await field(page, 'Full Name').fill('Somebody Else')
			await button(page, 'Change Password').click()
			await page.getByRole('link', { name: 'Live Chats' }).click()
			const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
			await dialog.getByRole('button', { name: 'Cancel' }).click()
			await dialog.waitFor({ state: 'hidden' })
			assert.equal(await field(page, 'Full Name').inputValue(), 'Somebody Else')
			await button(page, 'Cancel').click()
			await button(page, 'Edit Profile').click()
			assert.equal(await field(page, 'Full Name').inputValue(), 'Gita Guard')
			assert.equal(await field(page, 'Current Password').count(), 0)
		})
	})

	test('lists where one is signed in, and signs out everywhere', async () => {
		const person = await account(context, { name: 'Sena Sessions' })
		const [here, there] = [await stage.signedIn(person.email), await stage.signedIn(person.email)]
		await stage.visit({ as: here }, async ({ page }) => {
			await page.goto('/profile')
			const list = page.getByRole('list', { name: 'Sessions' })
			await list.getByText('This device').waitFor()
			assert.equal(await list.getByRole('listitem').count(), 3)
			await button(page, 'Sign out everywhere').click()
			await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
			await page.waitForURL('/login')
			await text(page, 'You are signed out everywhere').waitFor()
			assert.deepEqual(await keptStorage(page), {})
		})
		await stage.visit({ as: there }, async ({ page, allow }) => {
			allow(/status of 401/)
			await page.goto('/profile')
			await page.waitForURL(/\/login/)
		})
	})

	test('that cannot be loaded says so and can be tried again', async () => {
		await stage.visit({ as: admin }, async ({ page, allow }) => {
			allow(/status of 418/)
			await page.route('**/api/users/profile/me', (route) => route.fulfill({ status: 418, body: '' }))
			await page.goto('/profile')
			await text(page, 'Unable to load profile').waitFor()
			await text(page, 'Failed to fetch user profile').waitFor()
			await page.unroute('**/api/users/profile/me')
			await button(page, 'Retry').click()
			await text(page, 'ADMIN').waitFor()
		})
	})
})
