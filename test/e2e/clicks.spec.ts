import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { openStep, seeBadge, send, startForm } from './pages/campaign-pages.ts'
import { approveTemplate, holdReviews } from './pages/template-review.ts'

const TARGET = 'https://meeratextiles.example/silk'
const PHONE = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'
const GROUP = 'VIP customers'

const app = await launchApp({ statuses: { readRate: 1, failRate: 0 } })
const user = await app.signedIn(DEMO_USER.email)
await holdReviews(app.product)

for (const [device, size] of [
	['desk', { width: 1440, height: 900 }],
	['phone', { width: 390, height: 844 }],
] as const) {
	test(`on a ${device}, the report of a campaign with a counted link shows the recipients who followed it`, () =>
		app.withPage({ as: user, size }, async ({ page }) => {
			const template = `silk_week_${device}`
			await createTemplate(page, template)
			const row = page.getByRole('row').filter({ hasText: template })
			await row.getByText('PENDING').waitFor()
			await approveTemplate(app.product, { accountId: user.accountId, name: template })
			await row.getByText('APPROVED').waitFor()
			await startForm(page, { name: `Silk week ${device}`, template })
			await openStep(page, 'people')
			await page.getByRole('radio', { name: 'A contact group' }).check()
			await page.getByPlaceholder('Choose a group').click()
			await page.getByRole('option', { name: GROUP }).click()
			await send(page)
			await seeBadge(page, 'completed')
			const [first = '', second = ''] = await linksOf(template)
			for (const link of [first, first, second]) await follow(link)
			await seeReport(page, device === 'phone')
		}))
}

async function createTemplate(page: Page, name: string) {
	await page.goto('/user/create/template')
	await settled(page)
	await page.getByRole('textbox', { name: 'Template name' }).fill(name)
	await page.getByRole('textbox', { name: 'Body text' }).fill('Our silk week begins today, with new colours.')
	await page.getByRole('button', { name: 'Add button' }).click()
	await page.getByRole('menuitem', { name: 'Visit website' }).click()
	await page.getByRole('textbox', { name: 'Button text' }).fill('Shop now')
	await page.getByRole('textbox', { name: 'URL', exact: true }).fill(TARGET)
	await page.getByRole('switch', { name: 'Count who clicks', checked: true }).waitFor()
	assert.deepEqual(await axeFindings(page, 'the form'), [])
	await page.getByRole('button', { name: 'Create Template' }).click()
	await page.waitForURL('/user/template/management')
}

/** Returns the addresses behind the messages' buttons, as two recipients received them. */
async function linksOf(template: string): Promise<string[]> {
	const { db, simulator, process } = app.product
	const rows = await db<{ number: string }[]>`
		select m.number from campaign_messages m join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id
		where c.account_id = ${user.accountId} and c.template ->> 'name' = ${template} order by m.seq limit 2
	`
	return Promise.all(
		rows.map(async ({ number }) => {
			const { messages } = await simulator.control.received(number)
			const token = /"sub_type":"url".*?"text":"([\w-]+)"/.exec(JSON.stringify(messages.at(-1)?.payload))?.[1]
			return `${process.url}/l/${token}`
		}),
	)
}

async function follow(link: string) {
	const response = await fetch(link, { redirect: 'manual', headers: { 'user-agent': PHONE } })
	assert.deepEqual([response.status, response.headers.get('location')], [302, TARGET])
}

async function seeReport(page: Page, isNarrow: boolean) {
	const funnel = page.getByRole('list', { name: 'Messages accepted, delivered, read and answered' })
	await funnel
		.getByRole('listitem')
		.filter({ hasText: /^Clicked a link\s*2/ })
		.waitFor()
	await page.getByText('3 clicks in all: some people clicked more than once.').waitFor()
	await funnel.getByRole('link', { name: 'Clicked a link' }).click()
	if (isNarrow) await page.getByRole('button', { name: /^Filters/ }).click()
	await page.getByRole('button', { name: /^Clicked\s*2$/, pressed: true }).waitFor()
	await page.getByText('2 clicks', { exact: true }).waitFor()
	assert.deepEqual(await axeFindings(page, 'the report'), [])
}
