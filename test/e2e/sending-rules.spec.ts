import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { upsertRules } from '#features/delivery/server/sending-rules-queries.ts'
import { indianClock } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS } from '#lib/durations.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { chooseTime, insertTag, openStep, seeBadge, send, startForm } from './pages/campaign-pages.ts'

const GROUP = 'VIP customers'

const app = await launchApp({ statuses: { readRate: 1, failRate: 0 } })
const user = await app.signedIn(DEMO_USER.email)

for (const [device, size] of [
	['desk', { width: 1440, height: 900 }],
	['phone', { width: 390, height: 844 }],
] as const) {
	test(`on a ${device}, a campaign leaves out recipients at the marketing limit, and waits during quiet hours`, () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			await setRules(page, { days: 30 })
			await fillForm(page, device)
			await openStep(page, 'check')
			await page.getByText(/\d+ written to less than 30 days ago/).waitFor()
			await setRules(page, { days: null })
			// The draft is restored.
			await page.goto('/user/create/template/campaign')
			await openStep(page, 'check')
			await page.locator('dt:text-is("When") + dd').getByText('when your quiet hours are over').waitFor()
			await send(page)
			await page.getByText('These are your quiet hours.').waitFor()
			assert.deepEqual(await axeFindings(page, 'a waiting campaign'), [])
			await setRules(page, { days: null, isQuiet: false })
			await page.goBack()
			await seeBadge(page, 'completed')
		}))
}

test('the form shows the reachable recipients of a file for the scheduled day', async () => {
	const { db } = app.product
	const people = await db<{ number: string }[]>`
		select m.number from campaign_messages m
		join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id and c.template ->> 'category' = 'MARKETING'
		where m.account_id = ${user.accountId} and m.status <> 'failed' and m.sent_at > now() - interval '20 days' limit 1
	`
	await upsertRules(db, user.accountId, { frequency: { messages: 1, days: 30 }, quiet: null })
	await app.withPage({ as: user }, async ({ page }) => {
		await startForm(page, { name: 'For later', template: 'new_arrivals' })
		await openStep(page, 'people')
		await page.getByRole('radio', { name: 'An uploaded file' }).check()
		const buffer = Buffer.from(['number', ...people.map(({ number }) => number), '9700000401'].join('\n'))
		await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
		await openStep(page, 'check')
		await page.getByText('1 written to less than 30 days ago').waitFor()
		await openStep(page, 'when')
		await page.getByRole('radio', { name: 'Schedule for later' }).check()
		await chooseTime(page, Date.now() + 45 * DAY_MS)
		await openStep(page, 'check')
		await page.getByText('written to less than').waitFor({ state: 'detached' })
		await page.locator('dt:text-is("Recipients") + dd').getByText('2', { exact: true }).waitFor()
	})
})

/** Sets the rules in the settings. Quiet hours include the present time. */
async function setRules(page: Page, { days, isQuiet = true }: { days: number | null; isQuiet?: boolean }) {
	await page.goto('/settings?part=rules')
	await settled(page)
	const limit = page.getByRole('switch', { name: 'Limit marketing for each person' })
	const quiet = page.getByRole('switch', { name: 'Quiet hours' })
	await limit.setChecked(days !== null)
	await quiet.setChecked(isQuiet)
	if (days !== null) {
		await page.getByRole('textbox', { name: 'Messages at most' }).fill('1')
		await page.getByRole('textbox', { name: 'Within days' }).fill(String(days))
	}
	if (isQuiet) {
		await page
			.getByLabel('From', { exact: false })
			.last()
			.fill(indianClock(Date.now() - HOUR_MS))
		await page
			.getByLabel('Until', { exact: false })
			.last()
			.fill(indianClock(Date.now() + HOUR_MS))
	}
	assert.deepEqual(await axeFindings(page, 'the rules'), [])
	await page.getByRole('button', { name: 'Save', exact: true }).click()
	await page.getByText('Sending rules saved').waitFor()
}

async function fillForm(page: Page, device: string) {
	await startForm(page, { name: `Quiet ${device}`, template: 'new_arrivals' })
	await insertTag(page, 1, 'First name')
	await openStep(page, 'people')
	await page.getByRole('radio', { name: 'A contact group' }).check()
	await page.getByPlaceholder('Choose a group').click()
	await page.getByRole('option', { name: GROUP }).click()
}
