import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { bubble, chatList, customersOf, log, openChat, row, TAKEN, toast } from './pages/live-chats.ts'

const app = await launchApp()
const { control } = app.product.simulator
const user = await app.signedIn(DEMO_USER.email)
const customer = customersOf(control)

const WHEEL_PX = 400
const topOf = async (page: Page, words: string) => (await bubble(page, words).boundingBox())?.y ?? 0

suite('starting a chat', () => {
	test('a new number gets a placeholder at the top of the list, and a template sent to it costs its price', () =>
		app.withPage({ as: user }, async ({ page }) => {
			const { digits } = customer()
			await openScreen(page, '/user/live/chats')
			await settled(page)
			await page.getByRole('button', { name: 'New chat' }).click()
			const field = page.getByRole('textbox', { name: 'Phone number' })
			await page.getByRole('button', { name: 'Start', exact: true }).click()
			await page.getByText('Please enter a phone number').waitFor()
			await field.fill('12345')
			await field.press('Enter')
			await page.getByText(/^Please valid phone number/).waitFor()
			await field.fill(digits.slice(2))
			await field.press('Enter')
			await toast(page, 'New chat started. Send a message to begin conversation.').waitFor()
			await page.waitForURL(`/user/live/chats?chat=${digits}`)
			await page.getByText('No messages yet. Start the conversation!').waitFor()
			const first = chatList(page).getByRole('link').first()
			await first.and(page.locator(`[data-number="${digits}"]`)).waitFor()

			await page.getByRole('button', { name: 'Send template' }).click()
			const dialog = page.getByRole('dialog', { name: /^Send template to/ })
			await dialog.getByRole('button', { name: 'Send template' }).click()
			await dialog.getByText('Please select a template').waitFor()
			await dialog.getByRole('combobox', { name: 'Template' }).fill('new_arr')
			await dialog.getByRole('option', { name: 'New arrivals (English)' }).click()
			await dialog.getByText('₹1.00').waitFor()
			await dialog.getByRole('button', { name: 'Send template' }).click()
			await dialog.getByText('Variable 1 is empty').waitFor()
			await dialog.getByRole('textbox', { name: 'Variable 1' }).fill('Asha')
			await page.reload()
			await dialog.getByText('Your draft has been restored.').waitFor()
			await seeValue(dialog.getByRole('textbox', { name: 'Variable 1' }), 'Asha')
			await dialog
				.getByRole('figure')
				.getByText(/Hi Asha, the new handloom/)
				.waitFor()
			await dialog.getByRole('button', { name: 'Send template' }).click()
			await dialog.waitFor({ state: 'detached' })
			await bubble(page, 'Hi Asha, the new handloom').getByRole('img', TAKEN).waitFor()
			assert.equal((await control.received(digits)).accepted, 1)
		}))

	test('a number in the list opens its chat', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/live/chats')
			await row(page, asha.name).waitFor()
			await page.getByRole('button', { name: 'New chat' }).click()
			const field = page.getByRole('textbox', { name: 'Phone number' })
			await field.fill(`+91 ${asha.digits.slice(2, 7)} ${asha.digits.slice(7)}`)
			await field.press('Enter')
			await toast(page, 'Opening existing chat').waitFor()
			await bubble(page, 'Hello').waitFor()
		})
	})
})

suite('the list and the history', () => {
	test('the search finds names and numbers, and shows a message when nothing matches', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/live/chats')
			await row(page, asha.name).waitFor()
			const search = page.getByRole('searchbox', { name: 'Search by name or number' })
			await search.fill(asha.digits.slice(4))
			await until(async () => (await chatList(page).getByRole('link').count()) === 1)
			await row(page, asha.name).waitFor()
			await search.fill('nobody is called this')
			await page.getByText('No contacts found').waitFor()
			await search.press('Escape')
			await row(page, asha.name).waitFor()
		})
	})

	test('Sync reloads contacts and messages, and shows a message', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page, allow }) => {
			await openChat(page, asha.digits)
			await bubble(page, 'Hello').waitFor()
			await page.getByRole('button', { name: 'Sync messages' }).click()
			await toast(page, 'Contacts refreshed successfully').waitFor()
			await toast(page, 'All messages synced successfully').waitFor()
			allow(/status of 418/)
			await page.route('**/api/chats/messages/*', (route) => route.fulfill({ status: 418, body: '' }))
			await page.getByRole('button', { name: 'Sync messages' }).click()
			await toast(page, 'Error syncing messages').waitFor()
		})
	})

	test('older messages load on scrolling up without moving the messages on screen', async () => {
		const asha = customer()
		await asha.saidBefore(Array.from({ length: 160 }, (_, line) => `Line ${String(line + 1).padStart(3, '0')}`))
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, asha.digits)
			await bubble(page, 'Line 160').waitFor()
			await log(page).hover()
			const moves: { by: number; least: number }[] = []
			await until(async () => {
				const top = await page.evaluate<number>("document.querySelector('[role=log]').scrollTop")
				// At the top, older messages are on their way.
				if (top === 0) return (await bubble(page, 'Line 001').count()) > 0
				const words = (await log(page).getByRole('article').nth(4).innerText()).match(/Line \d{3}/)?.[0] ?? ''
				const before = await topOf(page, words)
				await page.mouse.wheel(0, -WHEEL_PX)
				await until(async () => (await topOf(page, words)) !== before)
				await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
				moves.push({ by: (await topOf(page, words)) - before, least: Math.min(top, WHEEL_PX) })
				return false
			})
			assert.ok(moves.length > 5)
			assert.deepEqual(
				moves.filter(({ by, least }) => by < least - 60 || by > WHEEL_PX + 60),
				[],
			)
			await page.getByRole('button', { name: 'Latest messages' }).click()
			await bubble(page, 'Line 160').waitFor()
		})
	})

	test('a message that arrives while the user has scrolled up is counted, and the button scrolls to it', async () => {
		const asha = customer()
		await asha.saidBefore(Array.from({ length: 40 }, (_, line) => `Line ${line + 1} of a long conversation`))
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, asha.digits)
			await bubble(page, 'Line 40 of').waitFor()
			await log(page).hover()
			// The scroll happens while the list is still being measured.
			await page.mouse.wheel(0, -1500)
			await page.getByRole('button', { name: 'Latest messages' }).waitFor()
			await asha.says('Did you see this?')
			await page.getByRole('button', { name: '1 new message' }).click()
			await bubble(page, 'Did you see this?').waitFor()
			await page.getByRole('button', { name: 'Latest messages' }).waitFor({ state: 'detached' })
		})
	})

	test('HTML, scripts and direction marks in names and texts are shown as text', async () => {
		const eve = customer({ name: '<b onclick=alert(1)>\u202EEve</b>' })
		for (const body of [
			// These texts come first, because the list does not draw messages far above the newest.
			'😀'.repeat(1000),
			'<img src=x onerror=alert(1)>',
			'javascript:alert(1)',
			'https://example.com/<script>',
		])
			await eve.says(body)
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, eve.digits)
			await bubble(page, '<img src=x onerror=alert(1)>').waitFor()
			assert.equal(await log(page).locator('b, script, img').count(), 0)
			const link = log(page).getByRole('link')
			assert.equal(await link.count(), 1)
			assert.equal(await link.getAttribute('href'), 'https://example.com/')
			assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow')
		})
	})
})

suite('the customer of a chat', () => {
	for (const size of [SIZES[0], { width: 768, height: 1024 }, SIZES[1]])
		test(`details beside the chat, or behind a button, at ${size.width} pixels: the customer becomes a contact, and notes are added and deleted`, async () => {
			const asha = customer({ name: `Asha ${size.width}` })
			await asha.says('Hello')
			await app.withPage({ as: user, size }, async ({ page }) => {
				await openChat(page, asha.digits)
				await bubble(page, 'Hello').waitFor()
				if (size.width < 1360) await page.getByRole('button', { name: 'Customer details' }).click()
				const details = page.getByRole(size.width < 1360 ? 'dialog' : 'complementary', { name: 'Customer details' })
				await details.getByText('No campaign has been sent to this customer.').waitFor()
				await details.getByRole('button', { name: 'Add to contacts' }).click()
				const form = page.getByRole('dialog', { name: 'Add New Contact' })
				await seeValue(form.getByRole('textbox', { name: 'First name' }), asha.name)
				await form.getByRole('textbox', { name: 'Last name' }).fill('Rao')
				await form.getByRole('button', { name: 'Save' }).click()
				await details.getByText(`${asha.name} Rao`).waitFor()
				await details.getByRole('button', { name: 'Edit' }).waitFor()

				await details.getByRole('button', { name: 'Add note' }).click()
				await details.getByText('Write a note').waitFor()
				await details.getByRole('textbox', { name: 'Note' }).fill('Prefers silk')
				await details.getByRole('button', { name: 'Add note' }).click()
				await details.getByRole('listitem').getByText('Prefers silk').waitFor()
				await seeValue(details.getByRole('textbox', { name: 'Note' }), '')
				assert.deepEqual(await axeFindings(page, 'the details of a customer'), [])
				await details.getByRole('button', { name: 'Delete note Prefers silk' }).click()
				await details.getByRole('listitem').getByText('Prefers silk').waitFor({ state: 'detached' })
			})
		})

	test('the bell has one line for each chat without an answer, unread or read, until the answer is sent', async () => {
		const asha = customer({ name: 'Asha of the bell' })
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/dashboard')
			await asha.says('Is the blue one there?')
			await asha.says('And the green one?')
			const bell = page.getByRole('button', { name: /^Notifications, \d+ unread$/ })
			await bell.click()
			const waiting = page.getByRole('region', { name: 'Customers who wait for an answer' })
			await waiting.getByText('And the green one?').waitFor()
			assert.deepEqual(await axeFindings(page, 'the bell with a chat'), [])
			await page.getByRole('link', { name: 'View all notifications' }).click()
			await page.getByRole('heading', { name: 'Notifications' }).waitFor()
			await waiting.getByRole('link', { name: 'Asha of the bell: 2 new messages' }).click()
			await bubble(page, 'And the green one?').waitFor()
			await until(async () => {
				const [chat] = await app.product.db<{ unread: number }[]>`select unread from chats where key = ${asha.digits}`
				return chat?.unread === 0
			})
			await page.getByRole('button', { name: /^Notifications/ }).click()
			await waiting.getByRole('link', { name: 'Asha of the bell: not answered yet' }).click()
			await waiting.waitFor({ state: 'detached' })
			await page.getByRole('textbox', { name: 'Message' }).fill('Both are here')
			await page.getByRole('textbox', { name: 'Message' }).press('Enter')
			await page.getByRole('button', { name: /^Notifications/ }).click()
			await page.getByRole('link', { name: 'View all notifications' }).waitFor()
			await page.getByRole('link', { name: /^Asha of the bell:/ }).waitFor({ state: 'detached' })
		})
	})
})
