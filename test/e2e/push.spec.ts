import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { notify } from '#features/notifications/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { startPushService, type TestDevice } from '#test/servers/push-service.ts'
import { until } from '#test/until.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { send, startForm } from './pages/campaign-pages.ts'

const service = await startPushService()
after(() => service.close())
const app = await launchApp({ fill: async () => {}, env: { ALLOW_PRIVATE_TARGETS: '1' } })

async function newSender() {
	const sender = await sendingAccount(app.product, { contacts: 2, balancePaise: 100_000 })
	return app.signedIn(sender.email)
}

/**
 * Gives the page a subscription at the tests' push service, and grants its request for permission. A headless browser has no
 * push service and shows no prompt.
 */
async function subscribeTo(page: Page, { subscription }: TestDevice) {
	const { endpoint, p256dh, auth } = subscription
	const json = JSON.stringify({ endpoint, keys: { p256dh, auth } })
	await page.addInitScript(`
		Object.defineProperty(Notification, 'permission', { get: () => window.answered ?? 'default' })
		Notification.requestPermission = async () => (window.answered = 'granted')
		PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
			if (applicationServerKey.length !== 87) throw new Error('no key')
			return { toJSON: () => (${json}) }
		}
	`)
}

for (const size of SIZES)
	test(`notifications are turned on, set to include names, and turned off in the settings, at ${size.width} pixels`, async () => {
		const person = await newSender()
		const device = service.subscribe()
		await app.withPage({ as: person, size, hasWorker: true }, async ({ page }) => {
			await subscribeTo(page, device)
			await page.goto('/settings?part=alerts')
			await page.getByRole('button', { name: 'Turn on' }).click()
			await page.getByText('This device shows notifications now').waitFor()
			const names = page.getByRole('switch', { name: 'Show names and messages' })
			assert.equal(await names.isChecked(), false)
			assert.deepEqual(await axeFindings(page, 'the settings of a device that shows notifications'), [])
			// The switch is on when the server has stored it.
			await names.click()
			await until(() => names.isChecked())
			const { db } = app.product.process.context
			const event = notificationOf.campaignFailed({ id: 5, name: 'Diwali', reason: 'the file is gone' })
			await transaction(db, (sql) => notify(sql, person.accountId, event))
			await until(() => device.shown.length === 1)
			await page.getByRole('button', { name: 'Turn off' }).click()
			await page.getByText('This device shows no more notifications').waitFor()
			await page.getByRole('button', { name: 'Turn on' }).waitFor()
		})
	})

test('a user who has created a campaign is offered a notification of its end on this device until they accept it', async () => {
	const person = await newSender()
	const device = service.subscribe()
	await app.withPage({ as: person, hasWorker: true }, async ({ page }) => {
		await subscribeTo(page, device)
		await startForm(page, { name: 'Told of', template: 'hello' })
		await page.getByRole('textbox', { name: 'Variable 1' }).fill('friend')
		await send(page)
		const offer = page.getByRole('button', { name: 'Tell me when it has finished' })
		await offer.click()
		await page.getByText('This device shows notifications now').waitFor()
		await offer.waitFor({ state: 'detached' })
	})
})

test('an address opened without a network shows an offline page, and the app when the network is back', () =>
	app.withPage({ hasWorker: true }, async ({ page, tolerate }) => {
		tolerate(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
		await page.goto('/login')
		await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
		await page.context().setOffline(true)
		await page.goto('/user/dashboard')
		await page.getByRole('heading', { name: 'You are offline' }).waitFor()
		await page.context().setOffline(false)
		await page.getByRole('link', { name: 'Try again' }).click()
		await page.getByRole('button', { name: 'Login' }).waitFor()
	}))
