import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { ALL_SCREENS } from './screens.ts'
import { screenFindings } from './walk/walk.ts'

const app = await launchApp({ env: { LANDING: 'page' } })
const persons = {
	guest: undefined,
	admin: await app.signedIn(DEMO_ADMIN.email),
	user: await app.signedIn(DEMO_USER.email),
}

suite('every screen fits windows of 1440 to 320 pixels and passes axe, in both colour schemes', () => {
	for (const { role, screens } of ALL_SCREENS) {
		test(`no screen of the role ${role} is wider than the window, cuts text, tears words, hides controls or breaks a rule of axe`, () => {
			const as = persons[role]
			return app.withPage(as ? { as } : {}, async ({ page }) => {
				const found: string[] = []
				for (const screen of screens) found.push(...(await screenFindings(page, screen)))
				assert.equal(found.length, 0, found.join('\n'))
			})
		})
	}
})
