import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { LIVE_PATH } from '#lib/live.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeValue } from './locators.ts'
import { openStep } from './pages/campaign-pages.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

/** Delays every script and stylesheet. Returns a function that ends the delay. */
async function holdAssets(page: Page): Promise<() => void> {
	const release = Promise.withResolvers<void>()
	await page.route('**/assets/**', (route) => release.promise.then(() => route.continue()))
	return release.resolve
}

const left = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())?.x
const backgroundOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
const hasPainted = (page: Page) =>
	page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)

suite('the page before its scripts and styles are loaded', () => {
	for (const size of SIZES)
		test(`a signed-in person sees the frame of the app at ${size.width} pixels, and no part of it moves when the app starts`, () =>
			app.withPage({ as: user, size }, async ({ page }) => {
				const release = await holdAssets(page)
				await page.goto('/user/dashboard', { waitUntil: 'commit' })
				await hasPainted(page)
				const isWide = size.width > 1024
				assert.equal(await page.locator('.shell-menu').isVisible(), isWide)
				const header = await page.locator('.shell-header').boundingBox()
				const tiles = page.locator('.shell-tile')
				for (let at = 0; at < 4; at++) assert.ok(await tiles.nth(at).isVisible(), `tile ${at}`)
				const width = await page.evaluate<number>('document.documentElement.scrollWidth')
				assert.ok(width <= size.width, `the skeleton is ${width} px wide`)
				release()
				await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
				assert.equal(await page.locator('.shell').count(), 0)
				assert.deepEqual(await page.locator('header').first().boundingBox(), header)
				if (isWide) assert.equal(await left(page, 'aside'), 0)
			}))

	for (const size of SIZES)
		test(`the skeleton of Create Campaign is two cards without tiles at ${size.width} pixels`, () =>
			app.withPage({ as: user, size }, async ({ page }) => {
				const release = await holdAssets(page)
				await page.goto('/user/create/template/campaign', { waitUntil: 'commit' })
				await hasPainted(page)
				const [form, preview] = await Promise.all([0, 1].map((at) => page.locator('.shell-card').nth(at).boundingBox()))
				assert.equal(await page.locator('.shell-tile:visible').count(), 0)
				assert.ok(form && preview)
				if (size.width > 1024) assert.equal(form.y, preview.y)
				else assert.ok(preview.y >= form.y + form.height)
				release()
				await page.getByRole('heading', { level: 2 }).waitFor()
				assert.equal(await page.locator('.shell').count(), 0)
			}))

	test('a guest sees the brand on a page without a menu, in the colours of the theme they chose', () =>
		app.withPage({}, async ({ page }) => {
			await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
			const release = await holdAssets(page)
			await page.goto('/login', { waitUntil: 'commit' })
			await hasPainted(page)
			await page.locator('.shell-brand').getByText('WhatsApp Bulk Message').waitFor()
			assert.equal(await page.locator('.shell-header').isVisible(), false)
			assert.equal(await page.locator('.shell-main').isVisible(), false)
			const background = await backgroundOf(page)
			assert.equal(background, 'rgb(12, 19, 16)')
			release()
			await page.getByRole('textbox', { name: 'Email' }).waitFor()
			assert.equal(await backgroundOf(page), background)
		}))
})

suite('the code of a screen', () => {
	for (const [name, path, as, screen] of [
		['the report', '/campaign/1', user, 'campaign-detail'],
		['the dashboard', '/user/dashboard', user, 'dashboard'],
		['the pane of an open chat', '/user/live/chats?chat=919876543210', user, 'chat-pane'],
		['sign-in, for a guest who opens the dashboard,', '/user/dashboard', undefined, 'login'],
	] as const)
		test(`the code of ${name} is requested while the code of all screens is still loading`, () =>
			app.withPage(as ? { as } : {}, async ({ page }) => {
				const release = Promise.withResolvers<void>()
				// An event of the demo, such as a late status, repeats the calls that it changes.
				await page.route(`**${LIVE_PATH}*`, () => {})
				await page.route('**/assets/index-*.js', (route) => release.promise.then(() => route.continue()))
				const asked = page.waitForResponse((response) => response.url().includes(`/assets/${screen}-`))
				await page.goto(path, { waitUntil: 'commit' })
				await asked
				release.resolve()
				await page.getByRole('heading', { level: 2 }).first().waitFor()
			}))
})

suite('a screen before the rest of its code is loaded', () => {
	const size = SIZES[1]

	test('Create Campaign shows its steps, and when the rest appears none of them moves and the focus and the text stay', () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			const release = Promise.withResolvers<void>()
			for (const held of ['**/assets/{campaign-forms,later-steps}-*.js', '**/api/campaigns/dashboard'])
				await page.route(held, (route) => release.promise.then(() => route.continue()))
			await page.goto('/user/create/template/campaign')
			const name = page.getByRole('textbox', { name: 'Campaign name' })
			await name.fill('Diwali')
			await name.press('ArrowLeft')
			await name.press('ArrowLeft')
			const sections = ['Message', 'People', 'When', 'Check']
			const boxes = () =>
				Promise.all(sections.map((title) => page.getByRole('region', { name: title, exact: true }).boundingBox()))
			const before = await boxes()
			release.resolve()
			await page.getByText(/\(yours \d/).waitFor()
			await page.getByPlaceholder('Choose a template').waitFor()
			assert.deepEqual(await boxes(), before)
			await page.keyboard.type('ww')
			assert.equal(await name.inputValue(), 'Diwawwli')
			await openStep(page, 'people')
			await page.getByRole('radio', { name: 'All contacts' }).waitFor()
		}))

	test('what a person types and presses in Create Campaign before the rest is loaded is in the form afterwards', () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			const release = Promise.withResolvers<void>()
			await page.route('**/assets/campaign-forms-*.js', (route) => release.promise.then(() => route.continue()))
			await page.goto('/user/create/template/campaign')
			const description = page.getByRole('textbox', { name: 'Description' })
			await description.fill('For Pune')
			await page.getByRole('button', { name: 'Open when' }).click()
			release.resolve()
			await page.getByRole('radio', { name: 'Send now' }).waitFor()
			await page.getByRole('button', { name: 'Change message' }).click()
			assert.equal(await description.inputValue(), 'For Pune')
		}))

	test('Create Campaign that is left before the rest is loaded has the typed texts as its draft', () =>
		app.withPage({ as: user }, async ({ page }) => {
			const release = Promise.withResolvers<void>()
			await page.route('**/assets/campaign-forms-*.js', (route) => release.promise.then(() => route.continue()))
			await page.goto('/user/create/template/campaign')
			const name = page.getByRole('textbox', { name: 'Campaign name' })
			await name.fill('Pongal offer')
			await page.getByRole('link', { name: 'Live Chats' }).click()
			await page.getByText('Choose a chat').waitFor()
			release.resolve()
			await page.goBack()
			await page.getByText('Your draft has been restored.').waitFor()
			await seeValue(name, 'Pongal offer')
			await page.getByRole('button', { name: 'Start over' }).click()
		}))

	test('a phone shows the list of chats, and an opened chat when its code is loaded', () =>
		app.withPage({ as: user, size, touch: true }, async ({ page }) => {
			const release = Promise.withResolvers<void>()
			await page.route('**/assets/{chat-pane,forms}-*.js', (route) => release.promise.then(() => route.continue()))
			await page.goto('/user/live/chats')
			await page.locator('a[href*="chat="]').first().click()
			await page.getByRole('status', { name: 'Loading the chat' }).waitFor()
			release.resolve()
			await page.getByRole('button', { name: 'Back to the chats' }).waitFor()
			await page.getByRole('status', { name: 'Loading the chat' }).waitFor({ state: 'detached' })
			const name = await page.getByRole('heading', { level: 3 }).boundingBox()
			const timeLeft = await page.getByText(/^open, \d+h/).boundingBox()
			assert.ok(name && timeLeft && name.y + name.height <= timeLeft.y, 'the time left covers the name')
		}))
})

suite('the first call of a screen', () => {
	for (const [name, path, as, call] of [
		['the dashboard', '/user/dashboard', user, '/api/campaigns/dashboard'],
		["the admin's dashboard", '/admin/dashboard', admin, '/api/admin/dashboard'],
		['Create Campaign', '/user/create/template/campaign', user, '/api/templates?status=APPROVED&limit=30'],
		['the report', '/campaign/1', user, '/api/campaigns/1/refresh?page=1&limit=10'],
		['the chats', '/user/live/chats', user, '/api/chats/contacts?limit=50'],
	] as const)
		test(`the first call of ${name} is made while the scripts are still loading, and is not repeated afterwards`, () =>
			app.withPage({ as }, async ({ page }) => {
				const release = Promise.withResolvers<void>()
				// An event of the demo, such as a late status, repeats the calls that it changes.
				await page.route(`**${LIVE_PATH}*`, () => {})
				await page.route('**/assets/index-*.js', (route) => release.promise.then(() => route.continue()))
				let asked = 0
				page.on('request', (request) => {
					if (request.url().endsWith(call)) asked++
				})
				const answered = page.waitForResponse((response) => response.url().endsWith(call))
				// This call is made after the scripts have loaded, with those of the screen.
				const shell = page.waitForResponse('**/api/users/profile/me')
				await page.goto(path, { waitUntil: 'commit' })
				await answered
				release.resolve()
				await page.getByRole('heading', { level: 2 }).first().waitFor()
				await shell
				assert.equal(asked, 1)
			}))

	test('the dashboard makes no call for a guest', () =>
		app.withPage({}, async ({ page }) => {
			const asked: string[] = []
			page.on('request', (request) => void asked.push(request.url()))
			await page.goto('/user/dashboard')
			await page.getByRole('textbox', { name: 'Email' }).waitFor()
			assert.deepEqual(
				asked.filter((url) => url.includes('/api/')),
				[],
			)
		}))
})
