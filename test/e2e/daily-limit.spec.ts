import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { upsertRules } from '#features/delivery/server/sending-rules-queries.ts'
import { readSenderLimits } from '#features/whatsapp/server/service.ts'
import { campaignWhen } from '#test/full-stack.ts'
import { limitedShop, passHours } from '#test/scenes/limited-shop.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { openStep, seeBadge, send, startForm } from './pages/campaign-pages.ts'

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
			await openStep(page, 'when')
			await page.getByText(line).waitFor()
			const plan = /^25 people: about 3 days, until \d+ \w+ \d{4}, /
			await page.getByRole('status').getByText(plan).waitFor()
			await page.getByText('Advanced').click()
			await page.getByRole('radio', { name: 'People who read, replied or clicked in the last 90 days' }).check()
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
			await openScreen(page, campaignPaths.list)
		})
	})

test('Create Campaign shows that WhatsApp blocks the number, with its advice, and a daily start within quiet hours, and sends nothing', async () => {
	const { db, simulator, process } = product
	const shop = await limitedShop(product, { contacts: 25, limit: 10 })
	const { accountId } = shop
	const { waba_id } = shop.credentials
	const user = await app.signedIn(shop.email)
	await app.withPage({ as: user, size: SIZES[0] }, async ({ page }) => {
		await upsertRules(db, accountId, { frequency: null, quiet: { from: '21:00', until: '09:00' } })
		await startForm(page, { name: 'Diwali', template: 'hello' })
		await openStep(page, 'when')
		await page.getByText('Advanced').click()
		await page.getByLabel('start each day at').fill('22:00')
		await page.getByText('22:00 is within your quiet hours (21:00 to 09:00).').first().waitFor()
		await page.getByLabel('start each day at').fill('10:00')
		await page.getByText('22:00 is within your quiet hours').first().waitFor({ state: 'detached' })

		const possible_solution = 'Verify the business.'
		await simulator.control.setHealth({ waba_id, can_send_message: 'BLOCKED', possible_solution })
		await readSenderLimits(process.context, accountId)
		// The draft is restored with all steps done.
		await openScreen(page, campaignPaths.create)
		await openStep(page, 'check')
		const problem = page
			.locator('#problems')
			.getByText(/does not let your number send messages\. .*Verify the business\./)
		await problem.waitFor()
		await page.getByRole('button', { name: 'Send Campaign' }).click()
		await problem.waitFor()
		assert.equal((await db`select 1 from campaigns where account_id = ${accountId}`).length, 0)
	})
})
