import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { settingsPath } from '#features/users/paths.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { chooseRare, fillNewContact } from './pages/contact-form.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)

suite('a receipt', () => {
	test('a receipt whose download fails on the network shows an error, and only its own row is busy meanwhile', () =>
		app.withPage({ as: user }, async ({ page }) => {
			const release = Promise.withResolvers<void>()
			await page.route('**/api/recharge/receipt/*', async (route) => {
				await release.promise
				await route.abort('aborted')
			})
			await page.goto('/user/recharge/transaction')
			await page.getByRole('button', { name: 'Print Receipt' }).first().click()
			await page.getByRole('button', { name: 'Printing...' }).waitFor()
			assert.ok(await page.getByRole('button', { name: 'Print Receipt' }).first().isEnabled())
			release.resolve()
			await page.getByRole('alert').getByText('Error downloading receipt').waitFor()
		}))
})

suite('Create Campaign', () => {
	test('Create Campaign offers to load the templates again when they could not be loaded', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/status of 403/)
			// The page may retry without the user: only a request after a click gets an answer.
			await page.addInitScript('addEventListener("click", () => (window.isClicked = true), true)')
			await page.route('**/api/templates?*', async (route) =>
				(await page.evaluate('window.isClicked'))
					? route.continue()
					: route.fulfill({ status: 403, json: { message: 'Not now' } }),
			)
			await page.goto('/user/create/template/campaign')
			await page.getByText('Your templates could not be loaded.').waitFor()
			await page.getByPlaceholder('Not available').waitFor()
			await page.getByRole('button', { name: 'Retry' }).click()
			await page.getByPlaceholder('Choose a template').waitFor()
		}))
})

suite('Manage Contacts', () => {
	test('the list of contacts shows "30+" for a search that is not counted to its end', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await page.goto('/contact/management?search=a')
			await page.getByText('30+ found').waitFor()
			await page.getByText('Page 1 of 4+').waitFor()
		}))

	test('a second attempt that fails for the same reason shows its toast for its whole duration', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/answer 500|status of 500/)
			await page.clock.install()
			await page.route('**/api/contacts', (route) =>
				route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'down' }) : route.continue(),
			)
			await page.goto('/contact/management')
			const dialog = await fillNewContact(page, { first: 'Asha', number: '98200 33445' })
			const save = async () => {
				await Promise.all([page.waitForResponse('**/api/contacts'), page.keyboard.press('Enter')])
				await dialog.getByRole('button', { name: 'Save' }).waitFor()
			}
			await save()
			const failed = page.getByRole('alert').getByText('Failed to save contact')
			await failed.waitFor()
			// A toast of this screen is shown for three seconds.
			await page.clock.runFor(2000)
			await save()
			await page.clock.runFor(2000)
			assert.equal(await failed.count(), 1)
		}))

	test('the toast of a failed call shows the id by which the server logs it', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/answer 500|status of 500/)
			let sent: string | undefined
			await page.route('**/api/contacts', (route) => {
				if (route.request().method() !== 'POST') return route.continue()
				sent = route.request().headers()['x-request-id']
				return route.fulfill({ status: 500, body: 'down' })
			})
			await page.goto('/contact/management')
			await fillNewContact(page, { first: 'Asha', number: '98200 33445' })
			await page.keyboard.press('Enter')
			const shown = await page
				.getByRole('alert')
				.getByText(/^Reference /)
				.textContent()
			assert.equal(shown, `Reference ${sent}`)
		}))

	test('a contact that opted out shows when and why in the list and in its dialog', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await page.goto('/contact/management')
			await chooseRare(page, /^More actions for /, 'Opt out of marketing')
			const row = page.getByRole('row').filter({ hasText: /\d+ \w+ \d{4}, set here by hand/ })
			await row
				.first()
				.getByRole('button', { name: /^Edit / })
				.click()
			const history = page.getByRole('dialog', { name: 'Edit Contact' }).getByRole('group', { name: 'Opt-out history' })
			await history.getByText('Opted out of marketing').first().waitFor()
			await history
				.getByText(/, set here by hand$/)
				.first()
				.waitFor()
		}))
})

suite('a toast on a phone', () => {
	const size = { width: 390, height: 844 }

	test('a toast covers no button of a dialog', () =>
		app.withPage({ as: user, size, touch: true }, async ({ page, allow }) => {
			allow(/answer 500|status of 500/)
			await page.route('**/api/contacts', (route) =>
				route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'down' }) : route.continue(),
			)
			await openScreen(page, '/contact/management')
			const dialog = await fillNewContact(page, { first: 'Asha', number: '98200 33446' })
			await dialog.getByRole('button', { name: 'Save' }).click()
			await page.getByText('Failed to save contact').waitFor()
			assert.deepEqual(await coveredButtons(page), [])
		}))

	test('a toast covers no button of a form that ends at the end of the window', () =>
		app.withPage({ as: user, size, touch: true }, async ({ page }) => {
			await openScreen(page, settingsPath('alerts'))
			const save = page.getByRole('button', { name: 'Save', exact: true })
			await save.waitFor()
			await page.evaluate('document.body.style.paddingBottom = "100vh"')
			await save.evaluate('(button) => button.scrollIntoView({ block: "end" })')
			await save.click()
			await page.locator('.mantine-Notification-root').first().waitFor()
			assert.deepEqual(await coveredButtons(page), [])
		}))
})

/** Returns the buttons of forms and dialogs that a toast covers, once all toasts have slid in. */
function coveredButtons(page: Page): Promise<string[]> {
	return page.evaluate<string[]>(`(async () => {
		const toasts = document.querySelector('.mantine-Notifications-root[data-position="top-right"]')
		const slides = toasts.getAnimations({ subtree: true }).map(({ finished }) => finished)
		await Promise.allSettled(slides)
		await new Promise(requestAnimationFrame)
		await new Promise(requestAnimationFrame)
		const { top, bottom } = toasts.getBoundingClientRect()
		if (bottom - top < 40) throw new Error('No toast is shown')
		return [...document.querySelectorAll('form .mantine-Button-root, [role=dialog] button')]
			.filter((button) => {
				const box = button.getBoundingClientRect()
				return box.height > 0 && box.top < bottom && box.bottom > top
			})
			.map((button) => button.textContent || button.getAttribute('aria-label'))
	})()`)
}
