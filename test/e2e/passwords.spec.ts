import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { account } from '#test/factories.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name })

/** What a screen reader says of the field, once that contains these words. */
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

test('Create User says of each password how easy it is to guess, and creates the user all the same', () =>
	app.withPage({ as: admin }, async ({ page }) => {
		await page.goto('/admin/create/user')
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

test('the new password of a profile and of a mailed link are judged in the same words, as far as the person is known', async () => {
	const person = await account(context, { name: 'Gulnar Weaver' })
	await app.withPage({ as: await app.signedIn(person.email) }, async ({ page }) => {
		await page.goto('/profile')
		await button(page, 'Edit Profile').click()
		await button(page, 'Change Password').click()
		await expectStrengths(field(page, 'New Password'), [
			['gulnar-1984', NAMED],
			['blue kettle 41', 'Good'],
		])
	})
	await app.withPage({}, async ({ page }) => {
		await page.goto('/reset#made-up')
		await expectStrengths(field(page, 'New password'), [
			['123456', COMMON],
			['aaaaaaaaaaaa', 'Easy to guess: few different characters'],
		])
	})
})
