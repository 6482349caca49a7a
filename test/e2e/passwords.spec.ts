import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { account } from '#test/factories.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button, field } from './locators.ts'
import { openScreen } from './open-screen.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)

/** Waits until the field's description for screen readers contains these words. */
async function expectDescribed(input: Locator, words: string) {
	const id = (await input.getAttribute('aria-describedby'))?.split(' ')[0] ?? ''
	await input.page().locator(`[id="${id}"]`).filter({ hasText: words }).waitFor()
}

const COMMON = 'Easy to guess: one of the most common passwords'
const NAMED = 'Easy to guess: contains the name, the email or the product’s name'

async function expectStrengths(input: Locator, strengths: [password: string, words: string][]) {
	for (const [password, words] of strengths) {
		await input.fill(password)
		await expectDescribed(input, words)
	}
}

test('Create User shows how easy each password is to guess, and creates the user in any case', () =>
	app.withPage({ as: admin }, async ({ page }) => {
		await openScreen(page, '/admin/create/user')
		await field(page, 'Full Name').fill('Farida Khan')
		await field(page, 'Email Address').fill('farida@khan-sarees.in')
		const password = field(page, 'Password')
		await expectStrengths(password, [
			['kettle41x', 'Short: longer is safer'],
			['farida-1984', NAMED],
			['blue kettle 41', 'Good'],
			['sunshine#41', 'Easy to guess: a common password with little added'],
			['password', COMMON],
		])
		await button(page, 'Create User').click()
		await page.getByRole('status').filter({ hasText: 'User created successfully!' }).waitFor()
	}))

test('the profile and the mailed link rate a new password in the same words', async () => {
	const person = await account(context, { name: 'Gulnar Weaver' })
	await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
		await openScreen(page, '/profile')
		await button(page, 'Edit Profile').click()
		await button(page, 'Change Password').click()
		await expectStrengths(field(page, 'New Password'), [
			['gulnar-1984', NAMED],
			['blue kettle 41', 'Good'],
		])
	})
	await app.withPage({}, async ({ page }) => {
		await openScreen(page, '/reset#made-up')
		await expectStrengths(field(page, 'New password'), [
			['123456', COMMON],
			['aaaaaaaaaaaa', 'Easy to guess: few different characters'],
		])
	})
})

for (const size of SIZES) {
	test(`Create User mails a link instead of a password, and the link can be mailed again, at ${size.width} pixels`, () =>
		app.withPage({ as: admin, size }, async ({ page }) => {
			const email = `lalita${size.width}@example.com`
			await openScreen(page, '/admin/create/user')
			await field(page, 'Full Name').fill('Lalita Link')
			await field(page, 'Email Address').fill(email)
			await page.getByRole('radio', { name: 'Email a link to set a password' }).click()
			await field(page, 'Password').waitFor({ state: 'detached' })
			assert.deepEqual(await axeFindings(page, '/admin/create/user'), [])
			await button(page, 'Create User').click()
			await page.getByRole('status').filter({ hasText: 'A link to choose the password is on its way.' }).waitFor()
			await openScreen(page, `/admin/manage/users?search=${email}`)
			if (size.width < 1024)
				await page
					.getByRole('button', { name: /Lalita Link/ })
					.first()
					.click()
			await page
				.getByRole(size.width < 1024 ? 'menuitem' : 'button', { name: /^View/ })
				.first()
				.click()
			await page.getByText('Not set yet. We emailed a link.').waitFor()
			await button(page, 'Email it again').click()
			await page.getByText('A new link is on its way. Earlier ones no longer work.').waitFor()
		}))
}

test('a user who signs in with a password that an admin typed is advised to change it until it is changed', async () => {
	const person = await account(context, { name: 'Tulsi Typed' })
	await context.db`update users set password_from = 'admin' where id = ${person.userId}`
	await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
		const bar = page.getByRole('status').getByRole('button', { name: /notices?$/ })
		const notice = page.getByRole('dialog', { name: 'Notices' }).getByText('Your password was set by your provider.')
		await openScreen(page, '/user/dashboard')
		await bar.click()
		await notice.getByRole('link', { name: 'My Profile' }).click()
		await button(page, 'Edit Profile').click()
		await button(page, 'Change Password').click()
		await field(page, 'Current Password').fill(person.password)
		await field(page, 'New Password').fill('blue kettle 41')
		await button(page, 'Save Changes').click()
		await page.getByText('Profile updated successfully').waitFor()
		await bar.click()
		await page.getByRole('dialog', { name: 'Notices' }).getByRole('listitem').first().waitFor()
		await notice.waitFor({ state: 'detached' })
	})
})
