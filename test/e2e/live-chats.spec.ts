import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { InboundMessage } from '#simulator/network/inbound.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'
import { until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled, walkFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'

const app = await launchApp()
const { control } = app.product.simulator
const user = await app.signedIn(DEMO_USER.email)

const WABA_ID = '104500000000001'
const PHONE_NUMBER_ID = '104500000000002'
const MAX_LIVE_MS = 1_000
const OUTAGE_MS = 10_000

let people = 0
/** A customer whom no other test knows. */
function customer() {
	const digits = `9198${String(30_000_000 + ++people * 17)}`
	const name = `Customer ${people}`
	return {
		digits,
		name,
		says: (body: string) =>
			control.sendInbound({ phone_number_id: PHONE_NUMBER_ID, from: digits, name, content: { body } }),
		/** In the minutes before now, a second apart. */
		async saidBefore(bodies: readonly string[]) {
			const begun = Math.floor(Date.now() / 1000) - bodies.length - 60
			const messages = bodies.map((body, index) => ({
				from: digits,
				id: `wamid.before.${digits}.${index}`,
				timestamp: String(begun + index),
				type: 'text',
				text: { body },
			}))
			const metadata = { display_phone_number: '915550100100', phone_number_id: PHONE_NUMBER_ID }
			const contacts = [{ profile: { name }, wa_id: digits }]
			const value = { messaging_product: 'whatsapp', metadata, contacts, messages }
			await control.sendWebhook({ waba_id: WABA_ID, field: 'messages', value })
			await control.waitIdle()
		},
		sends: (given: Pick<InboundMessage, 'type' | 'content' | 'context_id'>) =>
			control.sendInbound({ phone_number_id: PHONE_NUMBER_ID, from: digits, name, ...given }),
	}
}

const row = (page: Page, name: string) => page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name })
const log = (page: Page) => page.getByRole('log')
const bubble = (page: Page, text: string) => log(page).getByRole('article').filter({ hasText: text })
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()

async function open(page: Page, number: string) {
	await page.goto(`/user/live/chats?chat=${number}`)
	await page.getByRole('region', { name: /^Chat with/ }).waitFor()
}

suite('live updates', () => {
	test('two browsers see a customer’s message within a second, and reading it in one clears the badge in the other', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, ({ page: one }) =>
			app.withPage({ as: user }, async ({ page: two }) => {
				for (const page of [one, two]) {
					await page.goto('/user/live/chats')
					await row(page, asha.name).waitFor()
				}
				const sentAt = Date.now()
				await asha.says('Is the blue one still there?')
				const seen = [one, two].map((page) => row(page, asha.name).getByText('Is the blue one still there?').waitFor())
				await Promise.all(seen)
				const tookMs = Date.now() - sentAt
				assert.ok(tookMs <= MAX_LIVE_MS, `it took ${tookMs} ms`)
				for (const page of [one, two]) await row(page, asha.name).getByText('2 unread').waitFor()

				await row(one, asha.name).click()
				await bubble(one, 'Is the blue one still there?').waitFor()
				for (const page of [one, two]) await row(page, asha.name).getByText('unread').waitFor({ state: 'detached' })
			}),
		)
	})

	test('what came while the network was down for ten seconds is there when it is back', async () => {
		const ravi = customer()
		await ravi.says('Before')
		const proxy = await startTcpProxy({ port: Number(new URL(app.product.process.url).port) })
		const through = `http://127.0.0.1:${proxy.port}`
		await app.withPage({ as: user, through }, async ({ page, allow }) => {
			await open(page, ravi.digits)
			await bubble(page, 'Before').waitFor()
			await box(page).fill('An answer')
			await box(page).press('Enter')
			await bubble(page, 'An answer')
				.getByRole('img', { name: /Sent|Delivered|Read/ })
				.waitFor()

			allow(/net::ERR_/)
			// The browser's own switch leaves open streams alone.
			await page.context().setOffline(true)
			proxy.cut()
			for (const part of ['first', 'second', 'third', 'fourth']) {
				await ravi.says(`The ${part} of the outage`)
				await sleep(OUTAGE_MS / 4)
			}
			assert.equal(await bubble(page, 'of the outage').count(), 0)
			await page.getByText('live updates are interrupted').waitFor()
			await page.context().setOffline(false)
			for (const part of ['first', 'second', 'third', 'fourth'])
				await bubble(page, `The ${part} of the outage`).waitFor()
			assert.equal(await bubble(page, 'of the outage').count(), 4)
		})
		await proxy.close()
	})
})

suite('sending', () => {
	test('Enter sends, Shift+Enter begins a line, and the ticks follow the network', async () => {
		const meera = customer()
		await meera.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await open(page, meera.digits)
			await box(page).fill('Two')
			await box(page).press('Shift+Enter')
			await page.keyboard.type('lines')
			await box(page).press('Enter')
			await toast(page, 'Message sent successfully').waitFor()
			assert.equal(await box(page).inputValue(), '')
			await bubble(page, 'lines')
				.getByRole('img', { name: /Delivered|Read/ })
				.waitFor()
			const { messages } = await control.received(meera.digits)
			assert.deepEqual(
				messages.map(({ payload }) => (payload as { text?: { body: string } }).text?.body),
				['Two\nlines'],
			)
		})
	})

	test('a message that did not get through shows why, and Retry sends it once', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page, allow }) => {
			await open(page, asha.digits)
			allow(/ERR_FAILED/)
			await page.route('**/api/chats/send', (route) => route.abort())
			await box(page).fill('Are you there?')
			await box(page).press('Enter')
			await toast(page, 'Error sending message. Please try again.').waitFor()
			await bubble(page, 'Are you there?').getByRole('img', { name: 'Not sent' }).waitFor()
			await page.unroute('**/api/chats/send')
			await log(page).getByRole('button', { name: 'Retry' }).click()
			await bubble(page, 'Are you there?')
				.getByRole('img', { name: /Sent|Delivered|Read/ })
				.waitFor()
			assert.equal(await bubble(page, 'Are you there?').count(), 1)
			assert.equal((await control.received(asha.digits)).accepted, 1)
		})
	})

	test('a message whose answer was lost is sent once, and Retry finds it', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page, allow }) => {
			await open(page, asha.digits)
			allow(/ERR_FAILED/)
			await page.route('**/api/chats/send', async (route) => {
				await route.fetch()
				await route.abort()
			})
			await box(page).fill('Only once')
			await box(page).press('Enter')
			await bubble(page, 'Only once')
				.getByRole('img', { name: /Sent|Delivered|Read/ })
				.waitFor()
			assert.equal(await bubble(page, 'Only once').count(), 1)
			assert.equal((await control.received(asha.digits)).accepted, 1)
		})
	})

	test('a wrong or too large file is refused with the specified words, and an allowed one is sent with its caption', async () => {
		const ravi = customer()
		await ravi.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await open(page, ravi.digits)
			const picker = page.getByLabel('File to attach')
			await picker.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
			await toast(page, 'Invalid file type. Allowed: JPEG, PNG, MP4, 3GP, PDF').waitFor()
			const large = Buffer.alloc(5 * 1024 * 1024 + 1)
			await picker.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: large })
			await toast(page, 'File size exceeds 5MB limit').waitFor()
			await page.getByRole('button', { name: 'Send', exact: true }).click()
			await toast(page, 'Please enter a message or select a file').waitFor()

			await picker.setInputFiles({ name: 'green.png', mimeType: 'image/png', buffer: PIXEL })
			await page.getByRole('button', { name: 'Remove green.png' }).waitFor()
			await page.getByRole('textbox', { name: 'Message' }).fill('This one?')
			await box(page).press('Enter')
			await bubble(page, 'This one?')
				.getByRole('img', { name: /Sent|Delivered|Read/ })
				.waitFor()
			await bubble(page, 'This one?').getByRole('button', { name: 'Photo: This one?' }).click()
			await page.getByRole('dialog', { name: 'Photo' }).waitFor()
			await page.keyboard.press('Escape')
			await page.getByRole('dialog').waitFor({ state: 'detached' })
			await page.getByRole('region', { name: /^Chat with/ }).waitFor()
			const { messages } = await control.received(ravi.digits)
			assert.deepEqual(
				messages.map(({ type }) => type),
				['image'],
			)
		})
	})

	test('a draft is kept per chat and over a reload, and a discarded one comes back with Undo', async () => {
		const [one, two] = [customer(), customer()]
		await one.says('Hello')
		await two.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await open(page, one.digits)
			await box(page).fill('Half a thought')
			await row(page, two.name).click()
			await page.getByRole('region', { name: `Chat with ${two.name}` }).waitFor()
			assert.equal(await box(page).inputValue(), '')
			await row(page, one.name).click()
			await page.getByRole('region', { name: `Chat with ${one.name}` }).waitFor()
			assert.equal(await box(page).inputValue(), 'Half a thought')
			await page.reload()
			await box(page).waitFor()
			assert.equal(await box(page).inputValue(), 'Half a thought')
			await page.getByRole('button', { name: 'Discard draft' }).click()
			assert.equal(await box(page).inputValue(), '')
			await page.getByRole('button', { name: 'Undo' }).click()
			assert.equal(await box(page).inputValue(), 'Half a thought')
		})
	})
})

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
	'base64',
)

suite('beginning a chat', () => {
	test('a new number gets a placeholder on top, and a template is sent for its price', () =>
		app.withPage({ as: user }, async ({ page }) => {
			const { digits } = customer()
			await page.goto('/user/live/chats')
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
			const first = page.getByRole('navigation', { name: 'Chats' }).getByRole('link').first()
			assert.equal(await first.getAttribute('data-number'), digits)

			await page.getByRole('button', { name: 'Send template' }).click()
			const dialog = page.getByRole('dialog', { name: /^Send template to/ })
			await dialog.getByRole('button', { name: 'Send template' }).click()
			await dialog.getByText('Please select a template').waitFor()
			await dialog.getByRole('combobox', { name: 'Template' }).fill('new_arr')
			await dialog.getByRole('option', { name: 'new_arrivals (en)' }).click()
			await dialog.getByText('₹1.00').waitFor()
			await dialog.getByRole('button', { name: 'Send template' }).click()
			await dialog.getByText('Variable {{1}} is empty').waitFor()
			await dialog.getByRole('textbox', { name: 'Variable {{1}}' }).fill('Asha')
			await dialog
				.getByRole('figure')
				.getByText(/Hi Asha, the new handloom/)
				.waitFor()
			await dialog.getByRole('button', { name: 'Send template' }).click()
			await dialog.waitFor({ state: 'detached' })
			await bubble(page, 'Hi Asha, the new handloom')
				.getByRole('img', { name: /Sent|Delivered|Read/ })
				.waitFor()
			assert.equal((await control.received(digits)).accepted, 1)
		}))

	test('a number in the list opens its chat', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await page.goto('/user/live/chats')
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
	test('the search finds names and numbers, and says when nobody fits', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await page.goto('/user/live/chats')
			await row(page, asha.name).waitFor()
			const search = page.getByRole('searchbox', { name: 'Search by name or number' })
			await search.fill(asha.digits.slice(4))
			await until(async () => (await page.getByRole('navigation', { name: 'Chats' }).getByRole('link').count()) === 1)
			await row(page, asha.name).waitFor()
			await search.fill('nobody is called this')
			await page.getByText('No contacts found').waitFor()
			await search.press('Escape')
			await row(page, asha.name).waitFor()
		})
	})

	test('syncing reads contacts and messages anew, and says so', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page, allow }) => {
			await open(page, asha.digits)
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

	test('older messages load on the way up without moving what is read', async () => {
		const asha = customer()
		await asha.saidBefore(Array.from({ length: 160 }, (_, line) => `Line ${String(line + 1).padStart(3, '0')}`))
		await app.withPage({ as: user }, async ({ page }) => {
			await open(page, asha.digits)
			await bubble(page, 'Line 160').waitFor()
			const top = async () => log(page).evaluate((node) => node.scrollTop)
			await log(page).hover()
			const jumps: number[] = []
			for (let step = 0; step < 60 && (await bubble(page, 'Line 001').count()) === 0; step++) {
				const anchor = log(page).getByRole('article').nth(4)
				const words = (await anchor.innerText()).match(/Line \d{3}/)?.[0] ?? ''
				const before = (await bubble(page, words).boundingBox())?.y ?? 0
				await page.mouse.wheel(0, -400)
				await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
				const after = (await bubble(page, words).boundingBox())?.y
				if (after !== undefined) jumps.push(Math.abs(after - before - 400))
			}
			await bubble(page, 'Line 001').waitFor()
			assert.ok((await top()) >= 0)
			assert.ok(jumps.length > 5)
			assert.ok(
				jumps.slice(0, -2).every((jump) => jump <= 60),
				`what was read moved by ${jumps.join(', ')} px`,
			)
			await page.getByRole('button', { name: 'Latest messages' }).click()
			await bubble(page, 'Line 160').waitFor()
		})
	})

	test('a message that comes while somebody reads further up is counted, and the button leads to it', async () => {
		const asha = customer()
		await asha.saidBefore(Array.from({ length: 40 }, (_, line) => `Line ${line + 1} of a long conversation`))
		await app.withPage({ as: user }, async ({ page }) => {
			await open(page, asha.digits)
			await bubble(page, 'Line 40 of').waitFor()
			await log(page).hover()
			await page.mouse.wheel(0, -1500)
			await page.getByRole('button', { name: 'Latest messages' }).waitFor()
			await asha.says('Did you see this?')
			await page.getByRole('button', { name: '1 new message' }).click()
			await bubble(page, 'Did you see this?').waitFor()
			await page.getByRole('button', { name: 'Latest messages' }).waitFor({ state: 'detached' })
		})
	})

	test('HTML, scripts and direction marks in names and texts are only text', async () => {
		const digits = customer().digits
		const name = '<b onclick=alert(1)>\u202EEve</b>'
		const texts = [
			'<img src=x onerror=alert(1)>',
			'javascript:alert(1)',
			'https://example.com/<script>',
			'😀'.repeat(1000),
		]
		for (const body of texts)
			await control.sendInbound({ phone_number_id: PHONE_NUMBER_ID, from: digits, name, content: { body } })
		await app.withPage({ as: user }, async ({ page }) => {
			await open(page, digits)
			await bubble(page, '<img src=x onerror=alert(1)>').waitFor()
			assert.equal(await log(page).locator('b, script, img').count(), 0)
			const links = await log(page)
				.getByRole('link')
				.evaluateAll((nodes) => nodes.map((node) => [node.getAttribute('href'), node.getAttribute('rel')]))
			assert.deepEqual(links, [['https://example.com/', 'noopener noreferrer nofollow']])
		})
	})
})

suite('every kind of message', () => {
	const asha = customer()

	test('each kind is shown in a way of its own, and the chat passes axe in both colour schemes at every width', async () => {
		const first = await asha.says('Look at *this*: https://example.com/sarees')
		for (const type of [
			'image',
			'video',
			'audio',
			'document',
			'sticker',
			'location',
			'contacts',
			'button',
			'unsupported',
		])
			await asha.sends({ type })
		await asha.sends({ type: 'reaction', content: { message_id: first.id, emoji: '❤️' } })
		await asha.sends({ context_id: first.id, type: 'text', content: { body: 'I mean that one' } })
		await control.waitIdle()
		await app.withPage({ as: user, size: { width: 1440, height: 2400 } }, async ({ page }) => {
			await open(page, asha.digits)
			const messages = log(page)
			await messages.getByRole('button', { name: 'Photo', exact: true }).waitFor()
			await messages.getByRole('button', { name: 'Play video' }).waitFor()
			await messages.getByRole('button', { name: 'Play audio message' }).waitFor()
			await messages.getByRole('button', { name: 'Download order.pdf' }).waitFor()
			await messages.getByRole('img', { name: 'Sticker' }).waitFor()
			await messages.getByRole('link', { name: /Camp.*Open in Google Maps/ }).waitFor()
			await bubble(page, 'Meera Joshi').waitFor()
			await bubble(page, 'Yes').waitFor()
			await bubble(page, 'This kind of message cannot be shown here').waitFor()
			await messages.getByText('❤️').waitFor()
			await bubble(page, 'I mean that one')
				.getByRole('button', { name: /In answer to: Look at/ })
				.waitFor()
			const [download] = await Promise.all([
				page.waitForEvent('download'),
				messages.getByRole('button', { name: 'Download order.pdf' }).click(),
			])
			assert.equal(download.suggestedFilename(), 'order.pdf')
			const found = await walkFindings(page, 'an open chat')
			assert.equal(found.length, 0, found.join('\n'))
		})
	})

	test('a closed window and the dialogs pass axe', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await open(page, customer().digits)
			await page.getByRole('button', { name: 'Send template' }).waitFor()
			const found = await axeFindings(page, 'a closed window')
			await page.getByRole('button', { name: 'Send template' }).click()
			await page.getByRole('dialog').getByRole('figure').waitFor()
			found.push(...(await axeFindings(page, 'the template dialog')))
			await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
			await page.getByRole('dialog').waitFor({ state: 'detached' })
			await page.getByRole('button', { name: 'Replies to STOP and START' }).click()
			await page.getByRole('textbox', { name: 'After STOP' }).waitFor()
			found.push(...(await axeFindings(page, 'the replies to STOP')))
			assert.equal(found.length, 0, found.join('\n'))
		}))
})

suite('keyboard and phone', () => {
	test('a chat is found, answered and left with the keyboard alone', async () => {
		const [older, newer] = [customer(), customer()]
		await older.says('Hello')
		await newer.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await page.goto('/user/live/chats')
			await row(page, newer.name).waitFor()
			await row(page, newer.name).focus()
			await page.keyboard.press('j')
			await row(page, older.name).and(page.locator(':focus')).waitFor()
			await page.keyboard.press('ArrowUp')
			await row(page, newer.name).and(page.locator(':focus')).waitFor()
			await page.keyboard.press('Enter')
			await box(page).and(page.locator(':focus')).waitFor()
			await page.keyboard.type('By keyboard')
			await page.keyboard.press('Enter')
			await bubble(page, 'By keyboard').waitFor()
			await page.keyboard.press('Escape')
			await row(page, newer.name).and(page.locator(':focus')).waitFor()
			assert.equal(new URL(page.url()).search, '')
		})
	})

	test('under 900 pixels there is the list or the chat, with a way back', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user, size: { width: 390, height: 844 } }, async ({ page }) => {
			await page.goto('/user/live/chats')
			await row(page, asha.name).click()
			await bubble(page, 'Hello').waitFor()
			assert.equal(await row(page, asha.name).isVisible(), false)
			await page.getByRole('button', { name: 'Back to the chats' }).click()
			await row(page, asha.name).waitFor()
			assert.equal(await log(page).count(), 0)
		})
	})
})
