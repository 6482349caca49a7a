import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { createUser } from '#features/auth/server/service.ts'
import { PATIENCE_MS, until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { startFailingProxy, type FailingProxy } from './failing-proxy.ts'
import { launchApp } from './fixtures.ts'
import { seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { fillNewContact } from './pages/contact-form.ts'
import { fillSignIn, localStorageOf, type Person } from './people.ts'
import { ADMIN_SCREENS, COMMON_SCREENS, USER_SCREENS } from './screens.ts'

const OFFLINE = 'You are offline. What you see may be out of date.'
const UNREACHABLE = 'The server cannot be reached. Trying again…'
const PASSWORD = 'secret-1'

const app = await launchApp()
const { context } = app.product.process
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

async function newUser(name: string): Promise<Person> {
	const email = `${name.toLowerCase()}@example.test`
	await createUser(context, { name, email, password: PASSWORD, role: 'user', isActive: true })
	return app.signedIn(email)
}

async function endSessionsOf({ userId }: Person) {
	await app.product.db`delete from sessions where user_id = ${userId}`
}

const refuse = (route: Route) => route.abort('connectionrefused')
/** Waits up to PATIENCE_MS, the timeout of all waits for a page. */
const waitFor = (isSo: () => boolean | Promise<boolean>) => until(isSo, PATIENCE_MS, 50)
const draftsOf = async (page: Page) =>
	Object.entries(await localStorageOf(page)).filter(([key]) => key.startsWith('draft:'))

suite('the network', () => {
	test('a lost network shows one message and Retry at each failed part, keeps the rows, and recovers without a reload', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/ERR_INTERNET_DISCONNECTED/)
			await openScreen(page, '/contact/management')
			const rows = page.getByRole('table').getByRole('row')
			await rows.nth(1).waitFor()
			await page.locator('[data-down="false"]').waitFor()
			await page.context().setOffline(true)
			await page.getByText(OFFLINE).waitFor()
			await page.locator('[data-down="true"]').waitFor()
			await page.getByText('System Active').waitFor()
			assert.ok((await rows.count()) > 5)

			await page.getByRole('button', { name: 'Next' }).click()
			await page.getByRole('button', { name: 'Retry' }).waitFor()
			assert.equal(await page.locator('.mantine-Notification-root').count(), 0)

			await page.context().setOffline(false)
			await page.getByText(OFFLINE).waitFor({ state: 'detached' })
			await page.getByText(/^Page 2 of/).waitFor()
			await rows.nth(1).waitFor()
			await page.locator('[data-down="false"]').waitFor()
		}))

	test('a banner under the header is shown while the server does not respond', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/ERR_CONNECTION_REFUSED/)
			await openScreen(page, '/user/dashboard')
			await page.getByText(/^Welcome/).waitFor()
			await page.route(/\/(api|healthz)/, refuse)
			await page.getByRole('link', { name: 'Live Chats' }).click()
			await page.getByText(UNREACHABLE).waitFor()
			await page.getByRole('button', { name: 'Retry' }).waitFor()
			await page.unroute(/\/(api|healthz)/, refuse)
			await page.getByText(UNREACHABLE).waitFor({ state: 'detached' })
			await page.getByRole('listitem').getByRole('link').first().waitFor()
		}))
})

test('a part of the shell whose code fails to load is left out until it loads', () =>
	app.withPage({ as: user }, async ({ page, allow }) => {
		allow(/ERR_CONNECTION_REFUSED/)
		const parts = /assets\/(unread-chats|notices|toast-area|bars-drawing)-/
		await page.clock.install()
		await page.route(parts, refuse)
		const refused = page.waitForEvent('requestfailed', { predicate: (request) => /unread-chats/.test(request.url()) })
		await page.goto('/user/dashboard')
		await refused
		await page.getByText(/^Welcome/).waitFor()
		const unread = page.getByRole('link', { name: /^Live Chats \d+ unread$/ })
		assert.equal(await unread.count(), 0)
		await page.unroute(parts, refuse)
		await page.clock.runFor(15_000)
		await unread.waitFor()
		const toasts = 'document.querySelector(".mantine-Notifications-root") ?? document.body'
		await waitFor(() => page.evaluate<boolean>(`getComputedStyle(${toasts}).position === 'fixed'`))
		await page.getByText(/^Welcome/).waitFor()
	}))

/** Calls whose failure shows no error, such as those of the header: the part of the screen keeps its content. */
const SILENT = [
	/^\/api\/users\/wallet\/balance/,
	/^\/api\/users\/profile\/me/,
	/^\/api\/notifications$/,
	/^\/api\/chats\/contacts\?limit=1$/,
	/^\/api\/campaigns\/(?:standing|best-time|limit)/,
	/^\/api\/(?:templates\/profile|pricing\/rates\/summary)/,
	/^\/api\/templates\/\d+\/header/,
	/^\/api\/admin\/set-ups/,
]
/** Calls by screen whose failure shows a placeholder, or an error only in the dialog that uses the response. */
const STANDINS: Record<string, RegExp> = {
	'/campaign/1': /^\/api\/templates\/\d+$/,
	'/developers': /^\/api\/templates\?/,
	'/upload/contact': /^\/api\/contact-(?:groups|fields)/,
	'/admin/recharge/wallet/statement/2': /^\/api\/wallet\/statement\/2\/campaigns$/,
}

const READS_NOTHING = '/second-factor'

suite('an error of the server', () => {
	let proxy: FailingProxy
	before(async () => {
		proxy = await startFailingProxy(app.product.process.url)
	})
	after(() => proxy.close())

	for (const screen of [...USER_SCREENS, ...COMMON_SCREENS, ...ADMIN_SCREENS].filter((one) => one !== READS_NOTHING))
		test(`each call of ${screen} that fails once shows an error in its place, and Retry repeats it`, () => {
			const as = screen.startsWith('/admin') ? admin : user
			return app.withPage({ as, through: proxy.origin }, async ({ page, allow }) => {
				allow(/status of 500|answer 500/)
				const { answered, inFlight } = proxy.failAgain()
				await Promise.all([page.waitForResponse((response) => response.status() === 500), page.goto(screen)])
				await page.getByRole('heading', { level: 2 }).first().waitFor()
				const retry = page.getByRole('button', { name: 'Retry', exact: true, disabled: false })
				const left = () =>
					[...answered].filter(([call, isAnswered]) => !isAnswered && !isSilent(call, screen)).map(([call]) => call)
				const isAllAnswered = async () => {
					if (inFlight() > 0 || answered.size === 0) return false
					if ((await retry.count()) === 0) return left().length === 0
					await retry.first().click()
					return false
				}
				const allAnswered = () =>
					waitFor(isAllAnswered).catch(() => assert.deepEqual(left(), [], 'calls that nothing repeats'))
				await allAnswered()
				await assertNothingLoads(page)
				// A part that has loaded may have made further calls.
				await allAnswered()
			})
		})
})

function isSilent(call: string, screen: string): boolean {
	return [...SILENT, ...(STANDINS[screen] ? [STANDINS[screen]] : [])].some((pattern) => pattern.test(call))
}

async function assertNothingLoads(page: Page) {
	const loading = page
		.locator('main')
		.locator('.mantine-Skeleton-root[data-visible], [role=status][aria-label^=Loading]')
	await waitFor(async () => (await loading.count()) === 0)
	const waiting = page.locator('main').getByText(/^(Loading\.\.\.|…|Counting\.\.\.|Counting contacts\.\.\.)$/)
	await until(async () => (await waiting.count()) === 0, PATIENCE_MS, 50)
}

suite('a slow server', () => {
	test('a table shows its skeleton, and a form that is being saved is busy and is sent once', async () => {
		const person = await newUser('Slow')
		await app.withPage({ as: person }, async ({ page }) => {
			let saved = 0
			await page.route('**/api/contacts**', async (route) => {
				if (route.request().method() === 'POST') saved++
				await new Promise((resolve) => setTimeout(resolve, 3000))
				await route.continue()
			})
			await openScreen(page, '/contact/management')
			await page.getByRole('status', { name: 'Loading Contacts' }).waitFor()
			const form = await fillNewContact(page, { first: 'Asha', number: '98765 43210' })
			await form.getByRole('button', { name: 'Save' }).dblclick()
			const busy = page.getByRole('button', { name: 'Saving...' })
			await busy.waitFor()
			assert.ok(await busy.isDisabled())
			await page.keyboard.press('Enter')
			await page.keyboard.press('Escape')
			await page.getByRole('dialog').waitFor({ state: 'detached' })
			assert.equal(saved, 1)
		})
	})
})

suite('a half-filled form', () => {
	test('an expired session leads to the sign-in page and back to the open dialog with its input', async () => {
		const person = await newUser('Expired')
		await app.withPage({ as: person }, async ({ page, allow }) => {
			allow(/status of 401/)
			await openScreen(page, '/contact/management')
			const dialog = await fillNewContact(page, { first: 'Lakshmi', number: '98765 43211' })
			await endSessionsOf(person)
			// The page may be redirecting already: a click that still waited would save after the sign-in.
			const save = page.getByRole('button', { name: 'Save' })
			await save.click({ timeout: 2000 }).catch(() => assert.match(page.url(), /\/login\?/))
			await page.waitForURL('/login?next=%2Fcontact%2Fmanagement')
			await page.getByText('Your session has ended.').waitFor()
			await fillSignIn(page, { email: person.email, password: PASSWORD })
			await dialog.getByText('Your draft has been restored.').waitFor()
			await seeValue(dialog.getByRole('textbox', { name: 'First name' }), 'Lakshmi')
			await dialog.getByRole('button', { name: 'Save' }).click()
			await dialog.waitFor({ state: 'detached' })
			await waitFor(async () => (await draftsOf(page)).length === 0)
		})
	})

	test('a reload keeps everything but the password, and Start over empties the form', () =>
		app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/admin/create/user')
			await page.getByRole('textbox', { name: 'Full Name' }).fill('Ravi Kumar')
			await page.getByRole('textbox', { name: 'Password' }).fill('never-kept')
			await waitFor(async () => (await draftsOf(page)).length === 1)
			assert.doesNotMatch(JSON.stringify(await localStorageOf(page)), /never-kept/)
			await page.reload()
			await page.getByText('Your draft has been restored. The password has to be entered again.').waitFor()
			const name = page.getByRole('textbox', { name: 'Full Name' })
			await seeValue(name, 'Ravi Kumar')
			await page.getByRole('button', { name: 'Start over' }).click()
			await seeValue(name, '')
			await waitFor(async () => (await draftsOf(page)).length === 0)
		}))

	test('a campaign form that was left is restored with its input', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/create/template/campaign')
			// The whole form asks before it is left; what is typed before it has loaded is in first-paint.spec.ts.
			await page.getByPlaceholder('Choose a template').waitFor()
			await page.getByLabel('Campaign name').fill('Pongal offer')
			await page.getByRole('link', { name: 'Live Chats' }).click()
			await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
			await page.getByText('Choose a chat').waitFor()
			await page.goBack()
			await page.getByText('Your draft has been restored.').waitFor()
			await seeValue(page.getByLabel('Campaign name'), 'Pongal offer')
			await page.getByRole('button', { name: 'Start over' }).click()
		}))
})

suite('two tabs', () => {
	test('a tab whose user signs out in another tab shows a message on the sign-in page', async () => {
		const person = await newUser('Leaving')
		await app.withPage({ as: person }, async ({ page }) => {
			await openScreen(page, '/contact/management')
			await fillNewContact(page, { first: 'Lakshmi' })
			await waitFor(async () => (await draftsOf(page)).length === 1)
			const other = await page.context().newPage()
			await other.goto('/user/dashboard')
			await other.getByRole('button', { name: 'Account menu' }).click()
			await other.getByRole('menuitem', { name: 'Logout' }).click()
			await other.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
			await page.getByText('You signed out in another tab.').waitFor()
			assert.equal(new URL(page.url()).pathname, '/login')
			await waitFor(async () => (await draftsOf(page)).length === 0)
			const left = await page.evaluate('Object.keys(sessionStorage).filter((key) => key.startsWith("draft:"))')
			assert.deepEqual(left, [])
		})
	})

	test('a tab shows no data of its user after another user has signed in in another tab', async () => {
		const [first, second] = [await newUser('First'), await newUser('Second')]
		await app.withPage({ as: first }, async ({ page }) => {
			await openScreen(page, '/contact/management')
			await page.getByRole('button', { name: 'Account menu, First' }).waitFor()
			const other = await page.context().newPage()
			await other.goto('/healthz')
			const { origins } = second.storedAt(new URL(page.url()).origin)
			for (const { name, value } of origins[0]?.localStorage ?? [])
				await other.evaluate(`localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(value)})`)
			await page.getByText('Second has signed in in another tab, so this tab shows their account.').waitFor()
			await page.getByRole('button', { name: 'Account menu, Second' }).waitFor()
			await page.waitForURL('/user/dashboard')
		})
	})
})

test('a problem that keeps an account from sending is shown on every screen until it is solved', async () => {
	const person = await newUser('Beginner')
	await app.withPage({ as: person }, async ({ page }) => {
		for (const screen of ['/contact/management', '/profile']) {
			await openScreen(page, screen)
			await page.getByRole('button', { name: /^WhatsApp is not connected \d notices$/ }).click()
			await page.getByText(/^₹0.00 is left, too little for one message/).waitFor()
		}
		const token = admin.storedAt('').origins[0]?.localStorage.find(({ name }) => name === 'token')?.value
		await fetch(new URL(`/api/recharge/${person.userId}`, app.product.process.url), {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			body: JSON.stringify({ amount: 500 }),
		})
		await page.getByText(/too little for one message/).waitFor({ state: 'detached' })
	})
})
