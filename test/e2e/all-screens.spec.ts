import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createHardData, HARD_ADMIN, HARD_USER, type HardData } from '../../scripts/demo/hard/data.ts'
import { launchApp } from './fixtures.ts'
import { screensByRole } from './screens.ts'
import { screenFindings } from './walk/walk.ts'

let data: HardData | undefined
const app = await launchApp({
	payments: true,
	env: { LANDING: 'page' },
	async fill({ process, simulator }) {
		data = await createHardData(process.context, simulator)
	},
})
const persons = {
	guest: undefined,
	admin: await app.signedIn(HARD_ADMIN.email),
	user: await app.signedIn(HARD_USER.email),
}

suite(
	'every screen fits windows of 1440 to 320 pixels and passes axe, in both colour schemes, with the longest names and sums',
	() => {
		for (const { role, screens } of screensByRole(data)) {
			test(`no screen of the role ${role} is wider than the window, cuts text, tears words, hides controls or breaks a rule of axe`, () => {
				const as = persons[role]
				return app.withPage(as ? { as } : {}, async ({ page }) => {
					const found: string[] = []
					for (const screen of screens) found.push(...(await screenFindings(page, screen)))
					assert.equal(found.length, 0, found.join('\n'))
				})
			})
		}
	},
)

test('with LANDING=page a guest sees the landing page at /, with a link to /login', () =>
	app.withPage({}, async ({ page }) => {
		await page.goto('/')
		await page.getByRole('heading', { name: 'Manage and send bulk messages' }).waitFor()
		await page.getByRole('link', { name: 'Sign in' }).click()
		await page.waitForURL('/login')
	}))

test('with LANDING=page a signed-in person is redirected from / to their dashboard', async () => {
	for (const [as, home] of [
		[persons.admin, '/admin/dashboard'],
		[persons.user, '/user/dashboard'],
	] as const) {
		await app.withPage({ as }, async ({ page }) => {
			await page.goto('/')
			await page.waitForURL(home)
		})
	}
})
