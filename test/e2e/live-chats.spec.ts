import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_PATH } from '#lib/live.ts'
import { startTcpProxy } from '#test/servers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { seeCount, seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { box, bubble, chatList, customersOf, log, openChat, row, TAKEN, toast } from './pages/live-chats.ts'

const app = await launchApp()
const { control } = app.product.simulator
const user = await app.signedIn(DEMO_USER.email)
const customer = customersOf(control)

const OUTAGE_MS = 10_000
/** Time within which every browser has received a change. */
const ANNOUNCED_MS = 1000

suite('live updates', () => {
	test('two browsers show a customer’s message without a reload, and reading it in one clears the badge in the other', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, ({ page: one }) =>
			app.withPage({ as: user }, async ({ page: two }) => {
				for (const page of [one, two]) {
					await openScreen(page, '/user/live/chats')
					await row(page, asha.name).waitFor()
				}
				await asha.says('Is the blue one still there?')
				const seen = [one, two].map((page) => row(page, asha.name).getByText('Is the blue one still there?').waitFor())
				await Promise.all(seen)
				for (const page of [one, two]) await row(page, asha.name).getByText('2 unread').waitFor()

				await row(one, asha.name).click()
				await bubble(one, 'Is the blue one still there?').waitFor()
				for (const page of [one, two]) await row(page, asha.name).getByText('unread').waitFor({ state: 'detached' })
			}),
		)
	})

	test('a message that arrives while the page loads, before its live updates are connected, is shown', async () => {
		const ravi = customer()
		await app.withPage({ as: user }, async ({ page }) => {
			const connecting = Promise.withResolvers<void>()
			await page.route(`**${LIVE_PATH}*`, async (route) => {
				await connecting.promise
				await route.continue()
			})
			await openScreen(page, '/user/live/chats')
			await chatList(page).getByRole('link').first().waitFor()
			await ravi.says('Are you open today?')
			await control.waitIdle()
			await until(async () => (await app.product.db`select from chats where key = ${ravi.digits}`).length > 0)
			await sleep(ANNOUNCED_MS)
			assert.equal(await row(page, ravi.name).count(), 0)
			connecting.resolve()
			await row(page, ravi.name).getByText('Are you open today?').waitFor()
		})
	})

	test('a message that arrives while another screen is open is in the list afterwards', async () => {
		const ravi = customer()
		await ravi.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/live/chats')
			await row(page, ravi.name).waitFor()
			await page.getByRole('link', { name: 'Dashboard' }).click()
			await chatList(page).waitFor({ state: 'detached' })
			await ravi.says('Are you still there?')
			await control.waitIdle()
			await sleep(ANNOUNCED_MS)
			await page.goBack()
			await row(page, ravi.name).getByText('Are you still there?').waitFor()
		})
	})

	test('messages that arrived while the network was down for ten seconds are shown afterwards', async (t) => {
		const ravi = customer()
		await ravi.says('Before')
		const proxy = await startTcpProxy({ port: Number(new URL(app.product.process.url).port) })
		t.after(() => proxy.close())
		const through = `http://127.0.0.1:${proxy.port}`
		await app.withPage({ as: user, through }, async ({ page, allow }) => {
			await openChat(page, ravi.digits)
			await bubble(page, 'Before').waitFor()
			await box(page).fill('An answer')
			await box(page).press('Enter')
			await bubble(page, 'An answer').getByRole('img', TAKEN).waitFor()

			allow(/net::ERR_/)
			// The browser's offline switch does not close open streams.
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
			await seeCount(bubble(page, 'of the outage'), 4)
		})
	})
})

suite('sending', () => {
	test('Enter sends, Shift+Enter starts a new line, and the ticks follow the network’s status updates', async () => {
		const meera = customer()
		await meera.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, meera.digits)
			await box(page).fill('Two')
			await box(page).press('Shift+Enter')
			await page.keyboard.type('lines')
			await box(page).press('Enter')
			await toast(page, 'Message sent successfully').waitFor()
			await seeValue(box(page), '')
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

	test('a message that was not sent shows the reason, and Retry sends it once', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page, allow }) => {
			await openChat(page, asha.digits)
			allow(/ERR_FAILED/)
			await page.route('**/api/chats/send', (route) => route.abort())
			await box(page).fill('Are you there?')
			await box(page).press('Enter')
			await toast(page, 'Error sending message. Please try again.').waitFor()
			await bubble(page, 'Are you there?').getByRole('img', { name: 'Not sent' }).waitFor()
			await page.unroute('**/api/chats/send')
			await log(page).getByRole('button', { name: 'Retry' }).click()
			await bubble(page, 'Are you there?').getByRole('img', TAKEN).waitFor()
			assert.equal(await bubble(page, 'Are you there?').count(), 1)
			assert.equal((await control.received(asha.digits)).accepted, 1)
		})
	})

	test('a reload keeps the messages that the server does not have, and only those', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page, allow }) => {
			await openChat(page, asha.digits)
			allow(/ERR_FAILED/)
			await page.route('**/api/chats/send', async (route) => {
				if (route.request().postData()?.includes('It has arrived')) await route.fetch()
				await route.abort()
			})
			for (const text of ['It has arrived', 'It has not']) {
				await box(page).pressSequentially(text)
				await box(page).press('Enter')
			}
			await bubble(page, 'It has not').getByRole('img', { name: 'Not sent' }).waitFor()
			await page.reload()
			await bubble(page, 'It has not').getByRole('img', { name: 'Not sent' }).waitFor()
			await bubble(page, 'It has arrived').getByRole('img', TAKEN).waitFor()
			await page.unroute('**/api/chats/send')
			await log(page).getByRole('button', { name: 'Retry' }).click()
			await bubble(page, 'It has not').getByRole('img', TAKEN).waitFor()
			await page.reload()
			await bubble(page, 'It has not').getByRole('img', TAKEN).waitFor()
			assert.equal(await log(page).getByRole('button', { name: 'Retry' }).count(), 0)
			assert.equal((await control.received(asha.digits)).accepted, 2)
		})
	})

	test('a message whose answer was lost is sent once, and Retry finds it', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user }, async ({ page, allow }) => {
			await openChat(page, asha.digits)
			allow(/ERR_FAILED/)
			await page.route('**/api/chats/send', async (route) => {
				await route.fetch()
				await route.abort()
			})
			await box(page).fill('Only once')
			await box(page).press('Enter')
			await bubble(page, 'Only once').getByRole('img', TAKEN).waitFor()
			assert.equal(await bubble(page, 'Only once').count(), 1)
			assert.equal((await control.received(asha.digits)).accepted, 1)
		})
	})

	test('a message that fails by a status update shows the reason, and Retry sends a new one', async () => {
		const asha = customer()
		await asha.says('Hello')
		await control.addFault({ kind: 'fail-later', code: 131026, to: asha.digits, times: 1 })
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, asha.digits)
			await box(page).fill('Good morning')
			await box(page).press('Enter')
			await bubble(page, 'Good morning').getByRole('img', { name: 'Not sent' }).waitFor()
			await log(page)
				.getByText(/This number cannot be reached/)
				.waitFor()
			await log(page).getByRole('button', { name: 'Retry' }).click()
			await bubble(page, 'Good morning').getByRole('img', TAKEN).waitFor()
			assert.equal((await control.received(asha.digits)).accepted, 2)
		})
	})

	test('a wrong or too large file is refused with the specified words, and an allowed one is sent with its caption', async () => {
		const ravi = customer()
		await ravi.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, ravi.digits)
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
			await bubble(page, 'This one?').getByRole('img', TAKEN).waitFor()
			const photo = bubble(page, 'This one?').getByAltText('Photo: This one?')
			const { x, y } = (await photo.boundingBox()) ?? { x: 0, y: 0 }
			const top = await page.evaluate<string>(`document.elementFromPoint(${x + 9}, ${y + 9}).alt`)
			assert.equal(top, 'Photo: This one?', 'the blurred backdrop covers the picture')
			await photo.click()
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

	test('a pasted text that is too long is refused whole, and a second click on Send shows no second message', async () => {
		const lena = customer()
		await lena.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, lena.digits)
			const long = `${'word '.repeat(1000)}end`
			await box(page).fill(long)
			await box(page).press('Enter')
			await toast(page, 'A message may have at most 4,096 characters. This one has 5,003.').waitFor()
			await seeValue(box(page), long)
			await box(page).fill('Short')
			await page.getByRole('button', { name: 'Send', exact: true }).click({ clickCount: 2, delay: 120 })
			await bubble(page, 'Short').getByRole('img', TAKEN).waitFor()
			assert.equal(await page.getByText('Please enter a message or select a file').count(), 0)
		})
	})

	test('a draft is kept per chat and over a reload, and Undo restores a discarded one', async () => {
		const [one, two] = [customer(), customer()]
		await one.says('Hello')
		await two.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, one.digits)
			await box(page).fill('Half a thought')
			await row(page, two.name).click()
			await page.getByRole('region', { name: `Chat with ${two.name}` }).waitFor()
			await seeValue(box(page), '')
			await row(page, one.name).click()
			await page.getByRole('region', { name: `Chat with ${one.name}` }).waitFor()
			await seeValue(box(page), 'Half a thought')
			await page.reload()
			await box(page).waitFor()
			await seeValue(box(page), 'Half a thought')
			await page.getByRole('button', { name: 'Discard draft' }).click()
			await seeValue(box(page), '')
			await page.getByRole('button', { name: 'Undo' }).click()
			await seeValue(box(page), 'Half a thought')
		})
	})
})

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
	'base64',
)
