import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { button, seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)
await app.product.process.context.db`update users set created_at = '2024-05-20' where id = ${user.userId}`

suite('a month’s statement', () => {
	for (const [role, path] of [
		['its user', '/user/recharge/transaction'],
		['an admin', '/admin/recharge/wallet/statement/'],
	] as const) {
		test(`the statement of a chosen month downloads for ${role}, and the download button is busy meanwhile`, async () => {
			const [as, address] = role === 'an admin' ? [admin, `${path}${user.userId}`] : [user, path]
			await app.withPage({ as }, async ({ page }) => {
				const release = Promise.withResolvers<void>()
				await page.route('**/api/wallet/statement/*/pdf?*', async (route) => {
					await release.promise
					await route.continue()
				})
				await page.goto(address)
				const months = page.getByRole('combobox', { name: 'Month of the statement' })
				await months.getByText('May 2024').waitFor({ state: 'attached' })
				assert.equal(await months.getByText('April 2024').count(), 0)
				await months.selectOption({ label: 'May 2024' })
				const download = page.waitForEvent('download')
				await button(page, 'Download Statement').click()
				await button(page, 'Preparing...').waitFor()
				if (role === 'its user') assert.ok(await button(page, 'Print Receipt').first().isEnabled())
				release.resolve()
				assert.equal((await download).suggestedFilename(), `statement_2024-05_${user.userId}.pdf`)
				await button(page, 'Download Statement').waitFor()
			})
		})
	}

	test('a statement that cannot be created or does not arrive shows an error', () =>
		app.withPage({ as: user }, async ({ page, allow }) => {
			allow(/status of 403/)
			await openScreen(page, '/user/recharge/transaction')
			const paper = '**/api/wallet/statement/*/pdf?*'
			await page.route(paper, (route) => route.fulfill({ status: 403, json: {} }))
			await button(page, 'Download Statement').click()
			const failed = page.getByRole('alert').filter({ hasText: 'Failed to generate statement' })
			await failed.getByRole('button').click()
			await failed.waitFor({ state: 'detached' })
			await page.unroute(paper)
			await page.route(paper, (route) => route.abort('aborted'))
			await button(page, 'Download Statement').click()
			await page.getByRole('alert').getByText('Error downloading statement').waitFor()
		}))
})

suite('business details', () => {
	test('a user enters business details in the settings, with an error for a wrong GSTIN, and an admin sees and changes them', async () => {
		await app.withPage({ as: user }, async ({ page }) => {
			await openScreen(page, '/settings')
			await page.getByLabel('Business Name').fill('शर्मा टेक्सटाइल')
			await page.getByLabel('Business Address').fill('14 MG Road\nPune 411001')
			await page.getByLabel('GSTIN').fill('27AAPFU0939F1ZW')
			await button(page, 'Save').click()
			await page.getByText('This GSTIN is not valid. Check its 15 characters.').waitFor()
			await page.getByLabel('GSTIN').fill('27 aapfu0939f1zv')
			await button(page, 'Save').click()
			await page.getByText('Profile updated successfully').waitFor()
			await page.reload()
			await until(async () => (await page.getByLabel('GSTIN').inputValue()) === '27AAPFU0939F1ZV')
			await seeValue(page.getByLabel('Business Name'), 'शर्मा टेक्सटाइल')
			await seeValue(page.getByRole('combobox', { name: 'State' }), 'Maharashtra')
		})
		await app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, `/admin/manage/users?search=${DEMO_USER.email}`)
			await page.getByRole('button', { name: /^Edit/ }).first().click()
			const name = page.getByRole('dialog').getByLabel('Business Name')
			await seeValue(name, 'शर्मा टेक्सटाइल')
			await name.fill('Sharma Textiles')
			await button(page, 'Save Changes').click()
			await page.getByText('User updated successfully').waitFor()
		})
	})
})

suite('a printed screen', () => {
	test('a printed screen shows light colours, whole tables and a title with the date, and no menus, header or buttons', () =>
		app.withPage({ as: user }, async ({ page }) => {
			await page.emulateMedia({ colorScheme: 'dark' })
			await page.goto('/user/recharge/transaction?tab=statement')
			const table = page.getByRole('table').first()
			await table.waitFor()
			await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
			await page.setViewportSize({ width: 703, height: 1000 })
			await page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
			for (const role of ['banner', 'complementary', 'button', 'tab', 'combobox'] as const)
				assert.equal(await page.getByRole(role).filter({ visible: true }).count(), 0, role)
			const line = await page.evaluate<string>("getComputedStyle(document.body, '::before').content")
			assert.match(line, /Payment Transactions · WhatsApp Bulk Message, printed on \d+ \w+ 20\d\d/)
			assert.equal(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), 0)
			const head = await page.evaluate("getComputedStyle(document.querySelector('thead')).display")
			assert.equal(head, 'table-header-group')
			assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'light')
			await page.evaluate("window.dispatchEvent(new Event('afterprint'))")
			assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
		}))
})
