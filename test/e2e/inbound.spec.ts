import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { settingsPath } from '#features/users/paths.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { box, bubble, customersOf, log, openChat, row, sendUnknownWebhook, toast } from './pages/live-chats.ts'
import { walkFindings } from './walk/walk.ts'

const app = await launchApp()
const { control } = app.product.simulator
const user = await app.signedIn(DEMO_USER.email)
const customer = customersOf(control)

suite('every kind of message', () => {
	const asha = customer()

	test('each kind of message has its own display, and the chat passes axe in both colour schemes at every width', async () => {
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
			await openChat(page, asha.digits)
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
				.getByRole('button', { name: /Reply to: Look at/ })
				.waitFor()
			const [download] = await Promise.all([
				page.waitForEvent('download'),
				messages.getByRole('button', { name: 'Download order.pdf' }).click(),
			])
			assert.equal(download.suggestedFilename(), 'order.pdf')
			assert.deepEqual(await walkFindings(page, 'an open chat'), [])
		})
	})

	test('the chat shows a file that cannot be downloaded as loading, and after ten minutes as visible on the phone only', async () => {
		const ravi = customer()
		await ravi.sends({ type: 'image', content: { id: '404404', mime_type: 'image/jpeg' } })
		await control.waitIdle()
		await app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, ravi.digits)
			await log(page).getByText('Receiving the photo…').waitFor()
			await app.product.db`
				update chat_messages set at = (at at time zone 'UTC' - interval '11 minutes') at time zone 'UTC'
				where account_id = ${user.accountId} and chat = ${ravi.digits}
			`
			await page.reload()
			await log(page).getByText('This photo has not come from WhatsApp yet. Open it on a phone.').waitFor()
		})
	})

	test('a stopped sender is shown on every screen, and sends again once its user resumes it', async () => {
		const { db } = app.product
		await db`update senders set stopped_reason = 'Locked.', stopped_at = now() where account_id = ${user.accountId}`
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/live/chats')
			await page.getByRole('button', { name: /notices?$/ }).click()
			const notice = page.getByRole('dialog', { name: 'Notices' }).getByText('Sending has stopped', { exact: true })
			await notice.waitFor()
			await page.getByRole('button', { name: 'Start sending again' }).click()
			await notice.waitFor({ state: 'detached' })
		})
		const [sender] = await db`select 1 from senders where account_id = ${user.accountId} and stopped_reason is null`
		assert.ok(sender)
	})

	test('a closed window and the dialogs pass axe', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await openChat(page, customer().digits)
			await page.getByRole('button', { name: 'Send template' }).waitFor()
			const found = await axeFindings(page, 'a closed window')
			await page.getByRole('button', { name: 'Send template' }).click()
			await page.getByRole('dialog').getByRole('figure').waitFor()
			found.push(...(await axeFindings(page, 'the template dialog')))
			await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
			await page.getByRole('dialog').waitFor({ state: 'detached' })
			await openScreen(page, settingsPath('replies'))
			await page.getByRole('button', { name: 'Change words and replies' }).click()
			await page.getByRole('textbox', { name: 'After STOP' }).waitFor()
			found.push(...(await axeFindings(page, 'the replies to STOP')))
			assert.equal(found.length, 0, found.join('\n'))
		}))
})

suite('keyboard and phone', () => {
	test('a chat is found, answered and left with only the keyboard', async () => {
		const [older, newer] = [customer(), customer()]
		await older.says('Hello')
		await newer.says('Hello')
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/user/live/chats')
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

	test('below 900 pixels either the list or the chat is shown, with a back button', async () => {
		const asha = customer()
		await asha.says('Hello')
		await app.withPage({ as: user, size: { width: 390, height: 844 } }, async ({ page }) => {
			await openScreen(page, '/user/live/chats')
			await row(page, asha.name).click()
			await bubble(page, 'Hello').waitFor()
			await row(page, asha.name).waitFor({ state: 'hidden' })
			await page.getByRole('button', { name: 'Back to the chats' }).click()
			await row(page, asha.name).waitFor()
			await log(page).waitFor({ state: 'detached' })
		})
	})
})

suite('inbound events other than messages', () => {
	test('a customer who replies STOP is listed as opted out without a reload, and can be opted in again by hand', async () => {
		const asha = customer()
		await asha.says('Stop please!')
		await control.waitIdle()
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, `/contact/opt-outs?search=${asha.digits}`)
			const line = page.getByRole('row').filter({ hasText: 'Not in contacts' })
			await line.getByText('Replied STOP').waitFor()
			await line.getByRole('button', { name: /^Opt in again/ }).click()
			await toast(page, '1 number opted in to marketing again').waitFor()
			await page.getByText('No numbers match your search').waitFor()
		})
	})

	test('a list of numbers is opted out, and invalid entries stay in the field', () =>
		app.withPage({ as: user }, async ({ page }) => {
			const [one, two] = [customer().digits, customer().digits]
			await openScreen(page, '/contact/opt-outs')
			await page.getByRole('button', { name: 'Add numbers' }).click()
			const numbers = page.getByRole('textbox', { name: 'Numbers' })
			await numbers.fill(`${one}\n12, ${two}`)
			await page.reload()
			await page.getByText('Your draft has been restored.').waitFor()
			await seeValue(numbers, `${one}\n12, ${two}`)
			await page.getByRole('button', { name: 'Opt out of marketing' }).click()
			await toast(page, '2 numbers opted out of marketing').waitFor()
			await page.getByText('1 line is not a phone number. The others are saved.').waitFor()
			await seeValue(numbers, '12')
		}))

	test('an admin sees an unknown webhook, and can process it again', async () => {
		await sendUnknownWebhook(control, 'something_new')
		const admin = await app.signedIn(DEMO_ADMIN.email)
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, `/admin/webhooks?search=${DEMO_USER.email}`)
			await page.getByRole('button', { name: `Webhooks not processed of ${DEMO_USER.name}` }).click()
			const kept = page.getByRole('region', { name: `Webhooks not processed of ${DEMO_USER.name}` })
			await kept.getByText('something_new').first().waitFor()
			assert.deepEqual(await axeFindings(page, 'kept deliveries'), [])
			await kept.getByRole('button', { name: /^Replay delivery/ }).click()
			await toast(page, 'The delivery is being processed again').waitFor()
		})
	})
})
