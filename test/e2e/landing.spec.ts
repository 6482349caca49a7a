import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'

const app = await launchApp({ env: { LANDING: 'page' } })

test('with LANDING=page a guest sees the landing page at /, with a link to /login', () =>
	app.withPage({}, async ({ page }) => {
		await page.goto('/')
		await page.getByRole('heading', { name: 'Manage and send bulk messages' }).waitFor()
		assert.deepEqual(await axeFindings(page, 'landing page'), [])
		await page.getByRole('link', { name: 'Sign in' }).click()
		await page.waitForURL('/login')
	}))

test('with LANDING=page a signed-in person is redirected from / to their dashboard', async () => {
	for (const [email, home] of [
		[DEMO_ADMIN.email, '/admin/dashboard'],
		[DEMO_USER.email, '/user/dashboard'],
	] as const) {
		await app.withPage({ as: await app.signedIn(email) }, async ({ page }) => {
			await page.goto('/')
			await page.waitForURL(home)
		})
	}
})
