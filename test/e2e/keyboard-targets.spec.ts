import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { ADMIN_SCREENS, COMMON_SCREENS, GUEST_SCREENS, USER_SCREENS } from './screens.ts'
import { LEAST_PX, smallTargets, TOUCH_PX } from './targets.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

suite('every link, button and field of every screen is large enough', () => {
	const screens = [
		{ who: 'a guest', as: undefined, paths: GUEST_SCREENS },
		{ who: 'an admin', as: admin, paths: [...ADMIN_SCREENS, ...COMMON_SCREENS] },
		{ who: 'a user', as: user, paths: [...USER_SCREENS, ...COMMON_SCREENS] },
	]
	const devices = [
		{ device: 'a touch screen of 390 pixels', touch: true, size: { width: 390, height: 844 }, leastPx: TOUCH_PX },
		{ device: 'a window of 1440 pixels', touch: false, size: { width: 1440, height: 900 }, leastPx: LEAST_PX },
	]
	for (const { who, as, paths } of screens)
		for (const { device, touch, size, leastPx } of devices)
			test(`every target of ${who} on ${device} has at least ${leastPx} px`, () =>
				app.withPage({ ...(as && { as }), touch, size }, async ({ page }) => {
					const found: string[] = []
					for (const path of paths) {
						await page.goto(path)
						await settled(page)
						found.push(...(await smallTargets(page, leastPx, path)))
					}
					assert.equal(found.length, 0, found.join('\n'))
				}))
})
