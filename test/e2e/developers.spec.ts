import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createUser } from '#features/auth/server/service.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { call } from '#test/http-app.ts'
import { startReceiver } from '#test/servers/webhook-receiver.ts'
import { until } from '#test/until.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { layoutFindings } from './walk/layout.ts'

const app = await launchApp({ env: { ALLOW_PRIVATE_TARGETS: '1' } })
const { context, url } = app.product.process

test('a key is created, shown once, used, and refused after it is revoked', async () => {
	const person = { name: 'Coder', email: 'coder@example.test', password: 'secret-1', role: 'user' } as const
	await createUser(context, { ...person, isActive: true })
	await app.withPage({ as: await app.signedIn(person.email) }, async ({ page, allow }) => {
		allow(/400 .*\/api\/developer\/keys/)
		await openScreen(page, '/user/dashboard')
		await page.getByRole('button', { name: /^Account menu/ }).click()
		await page.getByRole('menuitem', { name: 'Developers' }).click()
		await page.getByText('No API keys yet').waitFor()
		await page.getByRole('button', { name: 'Create API key' }).click()
		const dialog = page.getByRole('dialog', { name: 'Create API key' })
		await dialog.getByLabel('Name').fill('My shop')
		await dialog.getByLabel('Read balance and statement').check()
		await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.0/8\n::1')
		await dialog.getByLabel('Expires').fill('2099-12-31')
		await dialog.getByRole('button', { name: 'Create', exact: true }).click()
		await dialog.getByText('Current password is required').waitFor()
		await dialog.getByRole('textbox', { name: 'Current Password' }).fill(person.password)
		// The check starts at the dialog's top, because a scrolled dialog cuts off a box below its title.
		await dialog.getByLabel('Name').scrollIntoViewIfNeeded()
		assert.deepEqual(await axeFindings(page, 'the dialog'), [])
		await dialog.getByRole('button', { name: 'Create', exact: true }).click()
		const token = (await page.getByText(/^wbm_/).textContent()) ?? ''
		assert.equal((await call(url, v1.balance, { token })).status, 200)
		await page.reload()
		await page.getByRole('row', { name: /My shop .*127\.0\.0\.0\/8.*31 Dec 2099/ }).waitFor()
		assert.equal(await page.getByText(token).count(), 0)
		await page.getByRole('combobox', { name: 'Language', exact: true }).click()
		await page.getByRole('option', { name: 'Python' }).click()
		await page.getByText('urllib.request').first().waitFor()
		await page.getByRole('button', { name: 'Revoke My shop' }).click()
		await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
		await page.getByText('No API keys yet').waitFor()
		assert.equal((await call(url, v1.balance, { token })).status, 401)
	})
})

test('the documentation is read without signing in, in light and dark and on a phone, with the examples of a call', async () => {
	await app.withPage({ size: { width: 390, height: 844 } }, async ({ page }) => {
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme })
			await page.goto('/developers/docs')
			await page.getByRole('heading', { name: 'API documentation' }).waitFor()
			await page.locator(`html${colorScheme === 'dark' ? '.dark-mode' : ':not(.dark-mode)'}`).waitFor()
			await page.locator('.opblock-summary').filter({ hasText: '/v1/messages/batch' }).click()
			await page.getByText('names every fault with its place').first().waitFor()
			await page.getByText('recipient_opted_out').first().waitFor()
			assert.deepEqual([...(await layoutFindings(page)), ...(await axeFindings(page, colorScheme))], [])
		}
	})
})

test('the documentation shows an error when its document cannot be loaded', async () => {
	await app.withPage({}, async ({ page, allow }) => {
		allow(/503/)
		await page.route('**/v1/openapi.json', (route) => route.fulfill({ status: 503, body: '' }))
		await page.goto('/developers/docs')
		await page.getByText('The documentation could not be loaded. Reload this page.').waitFor()
	})
})

for (const size of SIZES)
	test(`a webhook is added, tested, watched, given a new secret and revoked with its deliveries, at ${size.width} pixels`, async (t) => {
		const receiver = await startReceiver()
		t.after(() => receiver.close())
		const email = `hooks-${size.width}@example.test`
		await createUser(context, { name: 'Hook', email, password: 'secret-1', role: 'user', isActive: true })
		await app.withPage({ as: await app.signedIn(email), size }, async ({ page }) => {
			await openScreen(page, '/developers')
			await page.getByText('No webhooks yet').waitFor()
			await page.getByRole('button', { name: 'Add webhook' }).click()
			const dialog = page.getByRole('dialog', { name: 'Add webhook' })
			await dialog.getByLabel('Address').fill(receiver.url)
			await dialog.getByLabel('A customer wrote').check()
			await dialog.getByRole('textbox', { name: 'Current Password' }).fill('secret-1')
			assert.deepEqual(await axeFindings(page, 'the dialog of a webhook'), [])
			await dialog.getByRole('button', { name: 'Add', exact: true }).click()
			const secret = (await page.getByText(/^whsec_/).textContent()) ?? ''
			const act = async (word: string) => {
				const menu = page.getByRole('button', { name: `Actions for ${receiver.url}` })
				const buttons = page.getByRole('button', { name: new RegExp(`^${word} .*${receiver.url}$`) })
				await menu.or(buttons).first().waitFor()
				if (!(await menu.isVisible())) return buttons.click()
				await menu.click()
				await page.getByRole('menuitem', { name: word }).click()
			}
			await act('Send test event')
			await until(() => receiver.received.length === 1)
			const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
			new Webhook(secret).verify(body, headers as Record<string, string>)
			await act('Deliveries')
			const list = page.getByRole('dialog', { name: 'Deliveries' })
			await list.getByText('Delivered').waitFor()
			await list.getByText(/^204 \(/).waitFor()
			assert.deepEqual(await axeFindings(page, 'the deliveries of a webhook'), [])
			await list.getByRole('button', { name: 'Send again' }).click()
			await until(() => receiver.received.length === 2)
			assert.equal(receiver.received[1]?.headers['webhook-id'], (headers as Record<string, string>)['webhook-id'])
			await page.keyboard.press('Escape')
			await list.waitFor({ state: 'hidden' })
			await act('New secret')
			await page.getByRole('button', { name: 'Make new secret' }).click()
			await until(async () => (await page.getByText(/^whsec_/).textContent()) !== secret)
			await page.getByRole('button', { name: 'Revoke everything' }).click()
			await page.getByRole('dialog').getByRole('button', { name: 'Revoke everything' }).click()
			await page.getByText('No webhooks yet').waitFor()
			assert.deepEqual(await axeFindings(page, 'the screen Developers'), [])
		})
	})
