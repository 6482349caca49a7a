import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { campaignPath } from '#features/campaigns/paths.ts'
import { until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { box, bubble, chatList, customersOf } from './pages/live-chats.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const customer = customersOf(app.product.simulator.control)

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** Size of a window of 1440 × 900 pixels at a zoom of 200 %. */
const ZOOMED = { width: 720, height: 450 }

/** Returns the background colour of an element and the colours of all text in it. */
const coloursIn = (page: Page, selector: string) =>
	page.evaluate<{ background: string; texts: string[] }>(`(() => {
		const node = document.querySelector('${selector}')
		const texts = [node, ...node.querySelectorAll('*')]
			.filter(({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()))
			.map((part) => getComputedStyle(part).color)
		return { background: getComputedStyle(node).backgroundColor, texts }
	})()`)

suite('forced colours', () => {
	for (const colorScheme of ['light', 'dark'] as const)
		test(`all text in the chosen chat’s row has the system colour for its ${colorScheme} background`, async () => {
			const asha = customer()
			await asha.says('Is the blue one there?')
			await app.withPage({ as: user, size: DESKTOP }, async ({ page }) => {
				await page.emulateMedia({ forcedColors: 'active', colorScheme })
				await page.goto(`/user/live/chats?chat=${asha.digits}`)
				await chatList(page).getByRole('link', { name: asha.name }).waitFor()
				const { texts } = await coloursIn(page, `[data-number="${asha.digits}"]`)
				const highlighted = await page.evaluate<string>(`(() => {
					const probe = document.body.appendChild(document.createElement('i'))
					probe.style.forcedColorAdjust = 'none'
					probe.style.color = 'HighlightText'
					return getComputedStyle(probe).color
				})()`)
				assert.ok(texts.length >= 3)
				assert.deepEqual([...new Set(texts)], [highlighted])
			})
		})

	test('the main button of a screen has a background of its own', () =>
		app.withPage({ as: user, size: DESKTOP }, async ({ page }) => {
			await page.emulateMedia({ forcedColors: 'active' })
			await openScreen(page, '/contact/management')
			const setId = (name: string, id: string) =>
				page.getByRole('button', { name, exact: true }).evaluate((node, value) => {
					const button = node as { id: string }
					button.id = value
				}, id)
			await setId('Add New Contact', 'main-button')
			await setId('Search', 'other-button')
			const main = await coloursIn(page, '#main-button')
			const other = await coloursIn(page, '#other-button')
			assert.notEqual(main.background, other.background)
			assert.ok(!main.texts.includes(main.background))
		}))

	test('the chosen radio button of a form has a background of its own', () =>
		app.withPage({ as: user, size: DESKTOP }, async ({ page }) => {
			await page.emulateMedia({ forcedColors: 'active' })
			await openScreen(page, '/user/create/template')
			await page.getByRole('radio', { name: 'Marketing' }).check()
			const chosen = await coloursIn(page, 'input[value="MARKETING"]')
			const other = await coloursIn(page, 'input[value="UTILITY"]')
			assert.notEqual(chosen.background, other.background)
		}))
})

for (const size of [ZOOMED, PHONE, DESKTOP])
	test(`a chat shows its composer in a window of ${size.width} × ${size.height}`, async () => {
		const asha = customer()
		await asha.saidBefore(Array.from({ length: 12 }, (_, index) => `Question ${index}?`))
		await app.withPage({ as: user, size }, async ({ page }) => {
			await openScreen(page, `/user/live/chats?chat=${asha.digits}`)
			await box(page).waitFor()
			await bubble(page, 'Question 11?').waitFor()
			const bounds = await box(page).boundingBox()
			assert.ok(bounds && bounds.y + bounds.height <= size.height, JSON.stringify(bounds))
			assert.equal(await page.evaluate('document.documentElement.scrollHeight'), size.height)
		})
	})

async function bottomOf(part: Locator): Promise<number> {
	const at = await part.boundingBox()
	return at ? at.y + at.height : Infinity
}

for (const size of [ZOOMED, PHONE])
	test(`a dialog that is longer than a window of ${size.width} × ${size.height} keeps its button and the focused field in sight`, () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			await openScreen(page, '/contact/segments')
			await page.getByRole('button', { name: 'Add New Segment' }).click()
			const editor = page.getByRole('dialog', { name: 'Add New Segment' })
			for (let rules = 1; rules < 6; rules++) await editor.getByRole('button', { name: 'Add a rule' }).click()
			const save = editor.getByRole('button', { name: 'Save' })
			await editor.getByRole('textbox', { name: 'Name' }).focus()
			const top = await save.boundingBox().then((at) => at?.y ?? 0)
			assert.ok((await bottomOf(save)) <= size.height, 'the button is out of sight')
			for (let presses = 0; presses < 12; presses++) {
				await page.keyboard.press('Tab')
				const focused = page.locator(':focus')
				assert.ok((await bottomOf(focused)) <= top, `${await focused.getAttribute('aria-label')} is behind the button`)
			}
		}))

const print = async (page: Page) => {
	await page.setViewportSize({ width: 703, height: 1000 })
	await page.emulateMedia({ media: 'print' })
	await page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
}
const phone = (page: Page) => page.getByRole('figure', { name: 'Message preview' })

suite('a printed report', () => {
	test('a printed report keeps the phone on one page', () =>
		app.withPage({ as: user, size: DESKTOP }, async ({ page }) => {
			await openScreen(page, campaignPath('1'))
			await phone(page).getByRole('img', { name: 'Header' }).waitFor()
			await print(page)
			const figure = 'document.querySelector(\'figure[aria-label="Message preview"]\')'
			assert.equal(await page.evaluate(`getComputedStyle(${figure}).breakInside`), 'avoid')
			const wall = await page.evaluate<number>(
				`Math.max(...Array.from(${figure}.querySelectorAll('*'), (part) => part.scrollHeight - part.clientHeight))`,
			)
			assert.ok(wall <= 1, `${wall} pixels of the phone are scrolled out of sight`)
		}))

	test('a chart that was in view is printed, as wide as the paper', () =>
		app.withPage({ as: user, size: DESKTOP }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			const chart = page.locator('main figure svg.recharts-surface').first()
			await chart.waitFor()
			await print(page)
			const [drawn, room] = [await chart.boundingBox(), await page.locator('main figure').first().boundingBox()]
			assert.ok(drawn && room && drawn.width >= room.width - 2 && drawn.height > 100, JSON.stringify([drawn, room]))
		}))

	test('a printed report omits the business’s name and picture before they are loaded', () =>
		app.withPage({ as: user, size: DESKTOP }, async ({ page }) => {
			const { promise: known, resolve: tell } = Promise.withResolvers<void>()
			for (const call of ['**/api/templates/profile', '**/api/templates/*/header'])
				await page.route(call, (route) => known.then(() => route.continue()))
			await page.goto(campaignPath('1'))
			await phone(page).waitFor()
			await print(page)
			for (const stand of ['Your Business', 'Image'])
				assert.equal(await phone(page).getByText(stand, { exact: true }).filter({ visible: true }).count(), 0, stand)
			await page.emulateMedia({ media: 'screen' })
			tell()
			await phone(page).getByRole('img', { name: 'Header' }).waitFor()
			await page.emulateMedia({ media: 'print' })
			assert.ok(await phone(page).getByRole('img', { name: 'Header' }).isVisible())
			assert.ok(await phone(page).getByText('Meera Textiles').isVisible())
		}))
})

for (const size of [PHONE, { width: 1440, height: 500 }])
	test(`a page opened by its address starts at its top although the page before was scrolled, at ${size.width} pixels`, () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			const top = () => page.evaluate<number>('Math.round(scrollY)')
			await page.goto('/contact/management')
			await page.getByText(/^Page 1 of/).waitFor()
			await settled(page)
			await until(async () => {
				await page.evaluate('scrollTo(0, 900)')
				return (await top()) > 0
			})
			await page.goto('/user/view/template/campaign/message')
			await page
				.getByRole('link', { name: /^View / })
				.first()
				.waitFor()
			await settled(page)
			assert.equal(await top(), 0)
		}))
