import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { authPaths } from '#features/auth/paths.ts'
import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { chatPaths } from '#features/chats/paths.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { developerPaths } from '#features/developer/paths.ts'
import { notificationPaths } from '#features/notifications/paths.ts'
import { paymentPath, paymentPaths } from '#features/payments/paths.ts'
import { accountMarginPath, pricingPaths } from '#features/pricing/paths.ts'
import { privacyPath } from '#features/privacy/paths.ts'
import { statementPaths, userStatementPath } from '#features/statements/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { whatsappPaths } from '#features/whatsapp/paths.ts'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { fillSignIn, localStorageOf } from './people.ts'
import { ADMIN_SCREENS, COMMON_SCREENS, GUEST_SCREENS, USER_SCREENS } from './screens.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

/**
 * Opens the paths and waits for the redirection of each, but not until the next screen is drawn. The first path loads the app,
 * and the app opens the others as after a click on Back: its guards are the same, and it need not load again.
 */
async function visit(page: Page, paths: readonly string[], redirectedTo: (path: string) => string): Promise<void> {
	for (const [at, path] of paths.entries()) {
		if (at === 0) await page.goto(path, { waitUntil: 'commit' })
		else await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
		await until(async () => (await page.evaluate('location.pathname + location.search')) === redirectedTo(path))
	}
}

suite('access to screens', () => {
	test('SCREENS contains every address in the features’ paths.ts', () => {
		const named = [
			authPaths,
			userPaths,
			walletPaths,
			statementPaths,
			pricingPaths,
			contactPaths,
			templatePaths,
			campaignPaths,
			dashboardPaths,
			developerPaths,
		]
			.flatMap((paths): string[] => Object.values(paths))
			.concat(
				chatPaths.live,
				notificationPaths.list,
				privacyPath,
				whatsappPaths.webhooks,
				campaignPath(1),
				paymentPath(1),
				paymentPaths.all,
				userStatementPath('2'),
				accountMarginPath('2'),
			)
			.map((path) => path.replace(/\?.*/, ''))
			.flatMap((path) => (path === authPaths.emailChange ? [`${path}/undo`, `${path}/agree`] : path))
		const known = [...GUEST_SCREENS, ...ADMIN_SCREENS, ...USER_SCREENS, ...COMMON_SCREENS]
		assert.deepEqual([...new Set(named)].toSorted(), known.toSorted())
	})

	test('every screen redirects a guest to /login, with the screen in `next`', () =>
		app.withPage({}, async ({ page }) => {
			const screens = [...ADMIN_SCREENS, ...USER_SCREENS, ...COMMON_SCREENS]
			await visit(page, screens, (path) => `/login?next=${encodeURIComponent(path)}`)
			await visit(page, ['/'], () => '/login')
		}))

	test('/login redirects a guest who signs in to the requested screen', () =>
		app.withPage({}, async ({ page }) => {
			await page.goto('/contact/management?page=2')
			await fillSignIn(page, DEMO_USER)
			await page.waitForURL('/contact/management?page=2')
			await page.getByRole('heading', { name: 'Manage Contacts' }).waitFor()
		}))

	test('a `next` that leads to another site is ignored after sign-in', () =>
		app.withPage({}, async ({ page }) => {
			await page.goto('/login?next=//example.com/')
			await fillSignIn(page, DEMO_USER)
			await page.waitForURL('/user/dashboard')
		}))

	test('a screen of the other role redirects to the person’s own dashboard', async () => {
		await app.withPage({ as: user }, async ({ page }) => {
			await visit(page, ADMIN_SCREENS, () => '/user/dashboard')
		})
		await app.withPage({ as: admin }, async ({ page }) => {
			await visit(page, USER_SCREENS, () => '/admin/dashboard')
		})
	})

	test('the guest screens redirect a signed-in person to their dashboard', async () => {
		for (const [person, home] of [
			[user, '/user/dashboard'],
			[admin, '/admin/dashboard'],
		] as const) {
			await app.withPage({ as: person }, async ({ page }) => {
				await visit(page, ['/', '/login', '/forgot'], () => home)
			})
		}
	})

	test('a session that was ended elsewhere redirects to /login on the next screen and clears local storage', async () => {
		const leaving = await app.signedIn(DEMO_USER.email)
		await app.withPage({ as: leaving }, async ({ page, tolerate }) => {
			// A call of the dashboard that is in progress may end the session first; the next screen then makes no call.
			tolerate(/status of 401/)
			await page.goto('/user/dashboard')
			await page.getByRole('link', { name: /^Wallet balance: ₹/ }).waitFor()
			// Ends only the newest session, because other tests use this person's older ones.
			await app.product.db`
				delete from sessions where token_hash = (
					select token_hash from sessions where user_id = ${leaving.userId} order by created_at desc limit 1
				)
			`
			await page.goto('/contact/management')
			await page.waitForURL('/login?next=%2Fcontact%2Fmanagement')
			assert.deepEqual(await localStorageOf(page), {})
		})
	})
})

suite('menu and header', () => {
	test('below 1024 pixels the menu is a drawer that closes when a link is followed', () =>
		app.withPage({ as: user, size: { width: 1023, height: 800 } }, async ({ page }) => {
			await page.goto('/user/dashboard')
			const menu = page.getByRole('navigation', { name: 'Main menu' })
			assert.equal(await menu.isVisible(), false)
			await page.getByRole('button', { name: 'Open the menu' }).click()
			await menu.getByRole('link', { name: 'Live Chats' }).click()
			await page.waitForURL('/user/live/chats')
			await menu.waitFor({ state: 'hidden' })
		}))

	test('from 1024 pixels the menu stays open beside the screen', () =>
		app.withPage({ as: user, size: { width: 1024, height: 800 } }, async ({ page }) => {
			await page.goto('/user/dashboard')
			const menu = page.getByRole('navigation', { name: 'Main menu' })
			await menu.getByRole('link', { name: 'Live Chats' }).click()
			await page.waitForURL('/user/live/chats')
			assert.equal(await menu.isVisible(), true)
			assert.equal(await page.getByRole('button', { name: 'Open the menu' }).count(), 0)
		}))

	test('the menu lists the entries of the person’s role only', async () => {
		const common = ['Dashboard']
		for (const [person, entries] of [
			[admin, ['User Management', 'Manage Transaction', 'Pricing Management']],
			[
				user,
				[
					'Manage Campaign',
					'Manage Template',
					'Manage Contacts',
					'Contact Groups',
					'Live Chats',
					'Payment Transaction',
				],
			],
		] as const) {
			await app.withPage({ as: person }, async ({ page }) => {
				await page.goto('/')
				const menu = page.getByRole('navigation', { name: 'Main menu' })
				await menu.getByRole('link', { name: 'Dashboard' }).waitFor()
				const shown = await menu.locator('ul').first().locator('> li > :is(a, button)').allInnerTexts()
				// Live Chats may have a count after its name.
				const names = shown.map((text) => text.split('\n')[0])
				assert.deepEqual(names, [...common, ...entries])
			})
		}
	})

	test('the account menu and the notifications close on a click outside them', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await page.goto('/user/dashboard')
			await page.getByRole('button', { name: 'Account menu' }).click()
			const item = page.getByRole('menuitem', { name: 'My Profile' })
			await item.waitFor()
			await page.mouse.click(700, 850)
			await item.waitFor({ state: 'hidden' })

			await page.getByRole('button', { name: 'Notifications' }).click()
			const all = page.getByRole('link', { name: 'View all notifications' })
			await all.waitFor()
			await page.mouse.click(700, 850)
			await all.waitFor({ state: 'hidden' })
		}))
})

suite('the sign-in form', () => {
	const messages = {
		nothing: ['Email is required', 'Password is required'],
		nonsense: ['Invalid email format', 'Password must be at least 6 characters'],
	}

	test('the sign-in form shows each validation error until its field is edited', () =>
		app.withPage({}, async ({ page }) => {
			await page.goto('/login')
			const [email, password] = [
				page.getByRole('textbox', { name: 'Email' }),
				page.getByRole('textbox', { name: 'Password' }),
			]
			await page.getByRole('button', { name: 'Login' }).click()
			for (const message of messages.nothing) await page.getByText(message, { exact: true }).waitFor()
			await email.fill('meera')
			await page.getByText(messages.nothing[0] ?? '', { exact: true }).waitFor({ state: 'detached' })
			await password.fill('12345')
			await page.getByText(messages.nothing[1] ?? '', { exact: true }).waitFor({ state: 'detached' })

			await password.press('Enter')
			for (const message of messages.nonsense) await page.getByText(message, { exact: true }).waitFor()
			await email.fill('meera@example.com')
			await page.getByText(messages.nonsense[0] ?? '', { exact: true }).waitFor({ state: 'detached' })
			await password.fill('123456')
			await page.getByText(messages.nonsense[1] ?? '', { exact: true }).waitFor({ state: 'detached' })
		}))
})

const nextEvent = (event: string) => `new Promise((resolve) => addEventListener('${event}', resolve, { once: true }))`

suite('withPage', () => {
	for (const [fault, script, complaint] of [
		['an error on the console', 'console.error("injected")', /console error: injected/],
		['a warning on the console', 'console.warn("injected")', /console warning: injected/],
		[
			'an uncaught error',
			`setTimeout(() => { throw new Error("injected") }); ${nextEvent('error')}.then(() => {})`,
			/page error: Error: injected/,
		],
		['a call to another origin', 'fetch("http://127.0.0.1:9/injected").catch(() => {})', /127\.0\.0\.1:9\/injected/],
		[
			'a violation of the content security policy',
			`document.head.append(document.createElement('style').appendChild(new Text('a {}')).parentNode);
			${nextEvent('securitypolicyviolation')}.then(() => {})`,
			/CSP forbids inline as style-src/,
		],
	] as const) {
		test(`withPage rejects after ${fault}`, () =>
			assert.rejects(
				app.withPage({}, async ({ page }) => {
					await page.goto('/login')
					await page.evaluate(script)
				}),
				complaint,
			))
	}
})
