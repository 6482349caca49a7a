import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { account } from '#test/factories.ts'
import { rateCardCsv, rateCardWorkbook } from '#test/files/rate-card.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { button, row, text } from './locators.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)

const NEXT_YEAR = new Date().getUTCFullYear() + 1
const DAY = `${NEXT_YEAR}-01-01`

const choose = (page: Page, name: string, content: string | Buffer) =>
	page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

test('an admin loads a rate card after a faulty one, sees it as upcoming, and removes it', () =>
	app.withPage({ as: admin }, async ({ page, allow }) => {
		allow(/status of 400/)
		await page.goto('/admin/pricing/management')
		await page.getByRole('link', { name: 'WhatsApp’s Rates' }).click()
		await row(page, 'India').getByText('₹0.8631').waitFor()
		await page.getByRole('searchbox', { name: 'Search by country or number' }).fill('kenya')
		await page.keyboard.press('Enter')
		await row(page, 'Rest of Africa').getByText('₹1.6497').waitFor()
		assert.equal(await page.getByText('₹0.8631').count(), 0)

		await button(page, 'Load rate card').click()
		await choose(page, 'zero.csv', rateCardCsv({ rows: { Kuwait: ['0', '1', '1', 'n/a', '1'] } }))
		await text(
			page,
			'Row 19 (Kuwait): the rate "0" of Marketing must be above 0. Write n/a where there is no rate',
		).waitFor()
		await button(page, 'Remove zero.csv').click()
		await choose(page, 'inr.csv', rateCardWorkbook({ title: 'INR rates' }))
		await text(page, 'The file does not say from which day its rates count. Enter the day').waitFor()
		assert.ok(await button(page, 'Load these rates').isDisabled())
		await page.getByLabel('Effective from').fill(DAY)
		await page.getByRole('dialog').getByText('+4.3%').first().waitFor()
		await button(page, 'Load these rates').click()
		await page.getByRole('dialog').waitFor({ state: 'detached' })

		await button(page, `From 1 Jan ${NEXT_YEAR}`).click()
		await text(page, 'inr.csv').waitFor()
		await row(page, 'Rest of Africa').getByText('₹0.9000').waitFor()
		await button(page, 'Remove these rates').click()
		await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
		await text(page, 'Rates removed').waitFor()
		await row(page, 'Rest of Africa').getByText('₹1.6497').waitFor()
	}))

test('Pricing Management marks a price below WhatsApp’s rate, in the list and while it is typed', async () => {
	await account(context, { name: 'Lina Low' })
	await app.withPage({ as: admin }, async ({ page }) => {
		await page.goto('/admin/pricing/management?search=lina')
		const sign = row(page, 'Lina Low').getByRole('img', { name: 'Below WhatsApp’s rate of ₹0.8631, before GST' })
		await button(page, 'Edit the prices of Lina Low').click()
		const marketing = page.getByRole('spinbutton', { name: 'Marketing Price' })
		await marketing.fill('0.86')
		await page.getByText('This price is below it, so each message costs you money.').waitFor()
		await marketing.press('Enter')
		await sign.waitFor()
		await button(page, 'Edit the prices of Lina Low').click()
		await marketing.fill('0.87')
		await page.getByText('This price is below it').waitFor({ state: 'detached' })
		await marketing.press('Enter')
		await sign.waitFor({ state: 'detached' })
	})
})
