import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { row } from './locators.ts'
import { openStep, seeBadge, send, startForm } from './pages/campaign-pages.ts'

const GROUP = 'VIP customers'
/** Maximum time for housekeeping, which counts due campaigns every ten seconds. */
const COUNTED_MS = 60_000

const app = await launchApp({ statuses: { readRate: 1, failRate: 0 } })
const user = await app.signedIn(DEMO_USER.email)

for (const [device, size] of [
	['desk', { width: 1440, height: 900 }],
	['phone', { width: 390, height: 844 }],
] as const) {
	test(`on a ${device}, a campaign with a control group shows its size before sending, and the report shows what the group did`, () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			const name = `Held out ${device}`
			await startForm(page, { name, template: 'new_arrivals' })
			await openStep(page, 'people')
			await page.getByRole('radio', { name: 'A contact group' }).check()
			await page.getByPlaceholder('Choose a group').click()
			await page.getByRole('option', { name: GROUP }).click()
			const percent = page.getByRole('textbox', { name: 'Test group' })
			await openStep(page, 'when')
			await page.getByText('Advanced').click()
			for (const wrong of ['60', '1.5']) {
				await percent.fill(wrong)
				await page.getByRole('button', { name: 'Send Campaign' }).click()
				await page.getByText('A test group has 1 to 50 percent').first().waitFor()
			}
			await percent.fill('25')
			const [controlGroup = 0, audience = 0] = await controlGroupOf(page)
			assert.ok(controlGroup > 0)
			assert.equal(controlGroup, Math.floor(audience / 4))
			assert.deepEqual(await axeFindings(page, 'the form'), [])
			await send(page)
			await seeBadge(page, 'completed')
			await oneWrites(name)
			await page.getByText(new RegExp(`^1 of ${controlGroup} \\(`)).waitFor({ timeout: COUNTED_MS })
			await page.getByText(`0 of ${audience - controlGroup} (0%)`).waitFor()
			await page.getByText('Too few people to tell').waitFor()
			assert.deepEqual(await axeFindings(page, 'the report'), [])
			await page.goto(`${campaignPaths.list}?view=results`)
			await page.getByText('Replied (test group)').first().waitFor({ state: 'attached' })
			await row(page, name)
				.getByText(new RegExp(`^1 [1-9][\\d.]*%\\s*of ${controlGroup} people`))
				.waitFor()
		}))
}

/** Returns the two numbers of the control group in the summary. */
async function controlGroupOf(page: Page): Promise<number[]> {
	await openStep(page, 'check')
	const shown = await page.getByText(/^\d+ of \d+ will get nothing, to compare$/).textContent()
	return (shown ?? '').match(/\d+/g)?.map(Number) ?? []
}

/** Sends a message from one person of the control group and makes the campaign due for counting. */
async function oneWrites(name: string) {
	const { db, simulator } = app.product
	const [recipient] = await db<{ number: string; sender: string; campaignId: number }[]>`
		select h.number, s.phone_number_id as sender, c.id as "campaignId"
		from campaigns c
		join campaign_held_out h on h.account_id = c.account_id and h.campaign_id = c.id
		join senders s on s.account_id = c.account_id
		where c.account_id = ${user.accountId} and c.name = ${name} limit 1
	`
	assert.ok(recipient)
	const { number: from, sender: phone_number_id, campaignId } = recipient
	await simulator.control.sendInbound({ phone_number_id, from, content: { body: 'Is the shop open today?' } })
	const isReceived = async () =>
		(await db`select 1 from chat_messages where chat = ${from} and direction = 'in'`).length > 0
	await until(isReceived)
	await db`update campaigns set hold_out_due_at = now() where account_id = ${user.accountId} and id = ${campaignId}`
}
