import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { templateCampaignPath } from '#features/campaigns/paths.ts'
import type { AccountId } from '#lib/server/db.ts'
import { account, contact } from '#test/factories.ts'
import { rateCardCsv, rateCardWorkbook } from '#test/files/rate-card.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { button, row, text } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { openStep } from './pages/campaign-pages.ts'

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
		await openScreen(page, '/admin/pricing/management')
		await page.getByRole('link', { name: 'WhatsApp’s Rates' }).click()
		await row(page, 'India').getByText('₹0.8631', { exact: true }).waitFor()
		await page.getByRole('searchbox', { name: 'Search by country or number' }).fill('kenya')
		await page.keyboard.press('Enter')
		await row(page, 'Rest of Africa').getByText('₹1.6497', { exact: true }).waitFor()
		await page.getByText('₹0.8631', { exact: true }).waitFor({ state: 'detached' })

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
		await row(page, 'Rest of Africa').getByText('₹0.9000', { exact: true }).waitFor()
		await button(page, 'Remove these rates').click()
		await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
		await text(page, 'Rates removed').waitFor()
		await row(page, 'Rest of Africa').getByText('₹1.6497', { exact: true }).waitFor()
	}))

test('Pricing Management and Set-up mark the same price below WhatsApp’s rate, in the list and while it is typed', async () => {
	await account(context, { name: 'Lina Low' })
	await app.withPage({ as: admin }, async ({ page }) => {
		await openScreen(page, '/admin/pricing/management?search=lina')
		const sign = row(page, 'Lina Low').getByRole('img', { name: 'Below WhatsApp’s rate of ₹0.8631, before GST' })
		await button(page, 'Edit the prices of Lina Low').click()
		const marketing = page.getByRole('spinbutton', { name: 'Marketing Price' })
		await marketing.fill('0.86')
		await page.getByText('This price is below it, so each message costs you money.').waitFor()
		await marketing.press('Enter')
		await sign.waitFor()
		const inSetUp = page.getByText('Below WhatsApp’s rate of ₹0.8631 for a marketing message, before GST')
		await openScreen(page, '/admin/manage/users?search=lina')
		await button(page, 'Set-up of Lina Low').click()
		await inSetUp.waitFor()
		await openScreen(page, '/admin/pricing/management?search=lina')
		await button(page, 'Edit the prices of Lina Low').click()
		await marketing.fill('0.87')
		await page.getByText('This price is below it').waitFor({ state: 'detached' })
		await marketing.press('Enter')
		await sign.waitFor({ state: 'detached' })
		await openScreen(page, '/admin/manage/users?search=lina')
		await button(page, 'Set-up of Lina Low').click()
		await page.getByText('₹0.87 for a marketing message').waitFor()
		assert.equal(await inSetUp.count(), 0)
	})
})

test('Create Campaign counts the recipients of each country, and shows the message of none who is left out', async () => {
	const { db } = context
	const [template] = await db<{ id: string; accountId: AccountId }[]>`
		select t.template_id as id, t.account_id as "accountId" from templates t
		join users u on u.account_id = t.account_id
		where t.name = 'new_arrivals' and u.email = ${DEMO_USER.email}
	`
	assert.ok(template)
	const { id, accountId } = template
	await db`update prices set abroad_rule = 'card', abroad_percent = 10 where account_id = ${accountId}`
	await contact(db, accountId, { firstName: 'Aisha', number: '971501234567' })
	await contact(db, accountId, { firstName: 'Nabin', number: '9779841234567' })
	await app.withPage({ as: await app.signedIn(DEMO_USER.email) }, async ({ page }) => {
		await openScreen(page, templateCampaignPath(id))
		await page.getByRole('textbox', { name: 'Variable 1' }).fill('{{firstName}}')
		await openStep(page, 'check')
		const summary = page.getByRole('region', { name: 'Check' })
		await summary.getByText('1 in United Arab Emirates × ₹4.03').waitFor()
		await summary.getByText('1 in Nepal (no price yet)').waitFor()
		await page.getByText('Preview for Aisha').waitFor()
		await page.getByText('Nabin').first().waitFor({ state: 'detached' })
	})
})
