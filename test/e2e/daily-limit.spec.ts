import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { campaignWhen } from '#test/full-stack.ts'
import { limitedShop, passHours } from '#test/scenes/limited-shop.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { insertTag, seeBadge, send, startForm } from './pages/campaign-pages.ts'

const app = await launchApp()
const { product } = app
const DAY_HOURS = 24.1

for (const size of SIZES)
	test(`at ${size.width} pixels, a campaign beyond WhatsApp’s daily limit shows its plan, waits with the reason, and continues`, async () => {
		const shop = await limitedShop(product, { contacts: 25, limit: 10 })
		const user = await app.signedIn(shop.email)
		await app.withPage({ as: user, size }, async ({ page }) => {
			await page.goto(dashboardPaths.user)
			const line = 'WhatsApp lets you start conversations with 10 people in 24 hours. 10 are left now. Quality: high.'
			await page.getByText(line).waitFor()
			await page.getByText('What raises the limit').click()
			await page.getByText('From 250 to 2,000 people:').waitFor()

			await startForm(page, { name: 'Diwali', template: 'hello' })
			await insertTag(page, 1, 'First name')
			await page.getByText(line).waitFor()
			const plan = /^25 people: about 3 days, until \d+ \w+ \d{4}, /
			await page.getByRole('status').getByText(plan).waitFor()
			await page.getByRole('radio', { name: 'Who read, replied or clicked in the last 90 days' }).check()
			assert.deepEqual(await axeFindings(page, 'the form with a plan'), [])
			await send(page)

			await page.getByText('Waits for WhatsApp’s daily limit').first().waitFor()
			await page.getByText('10 sent').waitFor()
			await page.getByText(/^15 people: about 2 days, until /).waitFor()
			assert.deepEqual(await axeFindings(page, 'the report of a campaign that waits'), [])
			const [campaign] = await product.db<{ id: number; order: string }[]>`
				select id, recipient_order as "order" from campaigns where account_id = ${shop.accountId}
			`
			assert.ok(campaign)
			assert.equal(campaign.order, 'engaged')
			for (const pending of [5, 0]) {
				await passHours(product, DAY_HOURS)
				await campaignWhen(product, { ...shop, campaignId: campaign.id }, (state) => state.pending === pending)
			}
			await seeBadge(page, 'completed')
			await page.goto(campaignPaths.list)
		})
	})
