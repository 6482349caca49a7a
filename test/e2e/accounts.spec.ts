import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deleteUser, editUser } from '#features/users/server/service.ts'
import { account } from '#test/factories.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { button, field, gone, row, seeTexts, seeValue, text } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { localStorageOf } from './people.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)

/** Bounds on the time that a banner is shown. It is three seconds; the bounds leave room for a busy machine. */
const MIN_BANNER_MS = 2_500
const MAX_BANNER_MS = 10_000

const price = (page: Page, name: string) => page.getByRole('spinbutton', { name })

suite('creating a user', () => {
	test('Create User shows each validation error until its field is edited, and a success banner for three seconds', () =>
		app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/create/user')
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
			const shownAt = Date.now()
			for (const [label] of wrong) await seeValue(field(page, label), '')
			await banner.waitFor({ state: 'detached' })
			const shownMs = Date.now() - shownAt
			assert.ok(shownMs > MIN_BANNER_MS && shownMs < MAX_BANNER_MS, `the banner stayed for ${shownMs} ms`)
		}))

	test('Create User with a taken email address shows the server’s message for three seconds and keeps the input', () =>
		app.withPage({ as: admin }, async ({ page, allow }) => {
			allow(/status of 409/)
			await openScreen(page, '/admin/create/user')
			await field(page, 'Full Name').fill('Second Meera')
			await field(page, 'Email Address').fill(DEMO_ADMIN.email)
			await field(page, 'Password').fill('secret')
			await button(page, 'Create User').click()
			const banner = page.getByRole('alert').filter({ hasText: 'A user with this email already exists' })
			await banner.first().waitFor()
			const shownAt = Date.now()
			assert.equal(await field(page, 'Full Name').inputValue(), 'Second Meera')
			await field(page, 'Email Address').fill('else@example.com')
			await page.getByText('A user with this email already exists').first().waitFor({ state: 'detached' })
			assert.ok(Date.now() - shownAt < MAX_BANNER_MS, `the message stayed for ${Date.now() - shownAt} ms`)
		}))

	test('Create User disables its button while the request runs, and shows an error when the connection is lost', () =>
		app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/create/user')
			await field(page, 'Full Name').fill('Slow')
			await field(page, 'Email Address').fill('slow@example.com')
			await field(page, 'Password').fill('secret')
			const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
			await page.route('**/api/auth/admin/create-user', (route) => failed.then(() => route.abort('aborted')))
			await button(page, 'Create User').click()
			const busy = button(page, 'Creating User...')
			await busy.waitFor()
			assert.equal(await busy.isDisabled(), true)
			fail()
			await page.getByRole('alert').filter({ hasText: 'Something went wrong' }).first().waitFor()
			await button(page, 'Create User').waitFor()
		}))
})

suite('managing users', () => {
	test('the admin’s search in the header opens the filtered list of users, and an edit updates the row in place', async () => {
		const person = await account(context, { name: 'Edith Old' })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/dashboard')
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

	test('Deactivate asks for confirmation, marks the user’s row and signs the person out of an open page', async () => {
		const person = await account(context, { name: 'Dora Active' })
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page: theirs, allow }) => {
			allow(/status of 401/)
			await openScreen(theirs, '/profile')
			await theirs.getByRole('heading', { name: 'My Profile' }).waitFor()
			await app.withPage({ as: admin }, async ({ page }) => {
				await openScreen(page, '/admin/manage/users?search=dora')
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
			assert.deepEqual(await localStorageOf(theirs), {})
		})
	})

	test('View of a user shows the details, and Delete removes the row after a confirmation', async () => {
		await account(context, { name: 'Delia Gone', balancePaise: 4250 })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/manage/users?search=delia')
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
			await text(page, 'No users match your search').waitFor()
		})
	})

	test('a refused action on a user shows the server’s message, or the screen’s own when the response has none', () =>
		app.withPage({ as: admin }, async ({ page, allow }) => {
			allow(/status of 400/)
			allow(/status of 418/)
			await account(context, { role: 'admin' })
			await openScreen(page, `/admin/manage/users?search=${DEMO_ADMIN.email}`)
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

	test('Manage Key of a user without credentials opens empty and requires its three fields', async () => {
		await account(context, { name: 'Kavya Keyless' })
		await app.withPage({ as: admin }, async ({ page, allow }) => {
			allow(/status of 404/)
			await openScreen(page, '/admin/manage/users?search=keyless')
			await button(page, 'Manage Key of Kavya Keyless').click()
			const dialog = page.getByRole('dialog', { name: 'Manage Key: Kavya Keyless' })
			await dialog.getByRole('button', { name: 'Save' }).click()
			for (const [label, message] of [
				['Phone Number ID', 'Phone Number ID is required'],
				['WABA ID', 'WABA ID is required'],
				['Access Token', 'Access Token is required'],
			] as const) {
				await dialog.getByText(message, { exact: true }).waitFor()
				await dialog.getByRole('textbox', { name: label }).fill('1')
				await gone(page, message)
			}
			assert.equal(await text(page, 'Failed to fetch credentials').count(), 0)
		})
	})

	test('Manage Users below 1024 pixels puts a row’s five actions into one menu', () =>
		app.withPage({ as: admin, size: { width: 390, height: 844 } }, async ({ page }) => {
			await openScreen(page, `/admin/manage/users?search=${DEMO_ADMIN.email}`)
			await button(page, `Actions for ${DEMO_ADMIN.name}`).click()
			await seeTexts(page.getByRole('menuitem'), ['View', 'Edit', 'Manage Key', 'Deactivate', 'Delete'])
		}))

	test('the audit trail, opened from the dashboard, lists an edit and a deletion with their admin', async () => {
		const person = await account(context, { name: 'Tara Before' })
		const actor = { adminId: admin.userId, ip: '127.0.0.1' }
		const edited = { name: 'Tara After', email: person.email, role: 'user' as const, isActive: true }
		await editUser(context, actor, { ...edited, id: person.userId })
		await deleteUser(context, actor, person.userId)
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/dashboard')
			await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
			await page.getByRole('link', { name: 'View all' }).first().click()
			await page.waitForURL('/admin/audit')
			await row(page, 'Deleted user').filter({ hasText: 'Tara After' }).filter({ hasText: DEMO_ADMIN.name }).waitFor()
			await row(page, 'Edited user').filter({ hasText: 'name Tara Before → Tara After' }).waitFor()
		})
	})
})

suite('double clicks', () => {
	for (const delay of [0, 120])
		test(`a second click on Deactivate ${delay} ms after the first does not activate the user again`, async () => {
			const name = `Dolly Twice ${delay}`
			await account(context, { name })
			await app.withPage({ as: admin }, async ({ page }) => {
				const changes: string[] = []
				page.on('request', (request) => void (request.method() === 'PATCH' && changes.push(request.url())))
				await openScreen(page, `/admin/manage/users?search=${name}`)
				await button(page, `Deactivate ${name}`).click()
				const confirm = page.getByRole('dialog').getByRole('button', { name: 'Deactivate' })
				await confirm.click({ clickCount: 2, delay })
				await row(page, name).getByText('Inactive').waitFor()
				await confirm.waitFor({ state: 'detached' })
				assert.equal(changes.length, 1)
			})
		})

	test('a double click on View opens the details and leaves them open', async () => {
		await account(context, { name: 'Vera Viewed' })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/manage/users?search=vera')
			const dialog = page.getByRole('dialog', { name: 'Vera Viewed' })
			const box = await button(page, 'View Vera Viewed').boundingBox()
			assert.ok(box)
			// The click is on the dialog's backdrop; a locator's click would wait for the covered button.
			await page.mouse.click(box.x + 18, box.y + 18, { clickCount: 2, delay: 120 })
			await dialog.getByText('Wallet Balance').waitFor()
			await page.mouse.click(8, 450)
			await dialog.waitFor({ state: 'detached' })
		})
	})
})

suite('setting prices', () => {
	test('a price typed key by key is shown and saved as typed, with its trailing zeros', async () => {
		await account(context, { name: 'Pia Priced' })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/pricing/management?search=pia')
			for (const [typed, saved] of [
				['2.50', '₹2.50'],
				['10', '₹10.00'],
				['1.05', '₹1.05'],
				['', '₹0.00'],
			] as const) {
				await button(page, 'Edit the prices of Pia Priced').click()
				const marketing = price(page, 'Marketing Price')
				await marketing.press('Control+A')
				await marketing.press('Delete')
				await marketing.pressSequentially(typed)
				assert.equal(await marketing.inputValue(), typed)
				await marketing.press('Enter')
				await marketing.waitFor({ state: 'detached' })
				await row(page, 'Pia Priced').getByText(saved, { exact: true }).waitFor()
			}
		})
	})

	test('a negative price and one above the limit are refused at their fields until they are edited', async () => {
		await account(context, { name: 'Nora Negative' })
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/pricing/management?search=nora')
			await button(page, 'Edit the prices of Nora Negative').click()
			for (const [name, typed, message] of [
				['Marketing Price', '-1', 'Marketing price cannot be negative'],
				['Utility Price', '-0.5', 'Utility price cannot be negative'],
				['Utility Price', '10000.01', 'Utility price cannot be above ₹10,000'],
			] as const) {
				await price(page, name).fill('')
				await price(page, name).pressSequentially(typed)
				await button(page, 'Save Prices').click()
				await text(page, message).waitFor()
				await price(page, name).fill('1')
				await gone(page, message)
			}
		})
	})
})
