import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { LIVE_PATH } from '#lib/live.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, axeFindingsInSchemes, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { seeCount, seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'

const PICTURE = fileURLToPath(new URL('../../scripts/demo/festive-sale.jpg', import.meta.url))
const MANY = 6000

const app = await launchApp()
const user = await app.signedIn(DEMO_USER.email)
const { db } = app.product

const BODY = [{ type: 'BODY', text: 'Hi {{1}}, the season has begun.', example: { body_text: [['Asha']] } }]
await db`
	insert into templates (account_id, template_id, name, language, status, category, quality, components)
	select ${user.accountId}, 'season' || n, 'season_' || n, case when n % 2 = 0 then 'ta' else 'en' end,
		case when n % 3 = 0 then 'PAUSED' else 'APPROVED' end, 'MARKETING', 'GREEN', ${JSON.stringify(BODY)}::jsonb
	from generate_series(1, ${MANY}) as n
`
await db`
	insert into templates (account_id, template_id, name, language, status, category, components)
	values (${user.accountId}, 'elsewhere', 'made_elsewhere', 'en', 'APPROVED', 'UTILITY',
		${JSON.stringify([
			{ type: 'HEADER', format: 'IMAGE' },
			{ type: 'BODY', text: 'Look at this.' },
		])}::jsonb)
`

test('a campaign finds one template among thousands by a part of its name', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/create/template/campaign')
		await settled(page)
		const choice = page.getByRole('combobox', { name: 'Template' })
		await choice.fill('season_5999')
		await page.getByRole('option', { name: /^Season 5999 \(English\)/ }).click()
		await seeValue(choice, 'Season 5999 (English)')
		await page.getByRole('textbox', { name: 'Variable 1' }).waitFor()
		// Another template is found while the first is chosen; a paused one cannot be chosen.
		await choice.fill('season_5997')
		assert.equal(await page.getByRole('option', { name: /^Season 5997/ }).getAttribute('aria-disabled'), 'true')
		await choice.fill('season_4001')
		await page.getByRole('option', { name: /^Season 4001/ }).click()
		await seeValue(choice, 'Season 4001 (English)')
	}))

test('the list keeps search, filters and page in the address', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/template/management')
		await settled(page)
		await page.getByRole('searchbox', { name: 'Search by template name' }).fill('season_')
		await page.keyboard.press('Enter')
		await page.getByRole('button', { name: 'Paused' }).click()
		await page.getByRole('combobox', { name: 'Language' }).click()
		await page.getByRole('option', { name: 'Tamil (ta)' }).click()
		await page.getByText('Page 1 of 100').waitFor()
		await page.getByRole('button', { name: 'Next' }).click()
		await page.getByText('Page 2 of 100').waitFor()
		assert.equal(new URL(page.url()).search, '?search=season_&status=PAUSED&language=ta&page=2')
		await page.reload()
		await page.getByText('Page 2 of 100').waitFor()
		const statuses = await page.getByRole('row').locator('td:nth-child(3)').allTextContents()
		assert.deepEqual([...new Set(statuses)], ['PAUSED'])
		await page.getByRole('combobox', { name: 'Category' }).click()
		await page.getByRole('option', { name: 'Utility' }).click()
		await page.getByText('No templates match').waitFor()
		await page.getByRole('button', { name: 'Clear the filters' }).click()
		await page.getByText(/^Page 1 of 6/).waitFor()
		assert.equal(new URL(page.url()).search, '')
	}))

test('a campaign links to the missing header file of a template created elsewhere, and uses the file after its upload', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/create/template/campaign')
		await settled(page)
		await page.getByLabel('Campaign name').fill('Look')
		await page.getByRole('combobox', { name: 'Template' }).fill('made_else')
		await page.getByRole('option', { name: /^Made elsewhere/ }).click()
		await page.getByText('The header file is missing').waitFor()
		await page.getByRole('button', { name: 'Send Campaign' }).click()
		await page.getByText('Please upload the header file of this template first', { exact: true }).waitFor()
		// The refusal has opened the list of templates, which covers the link.
		await page.keyboard.press('Escape')
		await page.getByRole('link', { name: 'Upload the file' }).click()
		await page.getByRole('button', { name: 'Leave', exact: true }).click()
		await page.getByRole('button', { name: 'View Made elsewhere' }).click()
		const dialog = page.getByRole('dialog', { name: 'Made elsewhere' })
		await dialog.getByText('The header file is missing').waitFor()
		assert.deepEqual(await axeFindings(page, 'a template without its header file'), [])
		await dialog.locator('input[type=file]').setInputFiles(PICTURE)
		await dialog.getByRole('img', { name: 'Header' }).waitFor()
		await dialog.getByText('The header file is missing').waitFor({ state: 'detached' })
		await dialog.getByRole('link', { name: 'Use in a campaign' }).click()
		await page.getByRole('combobox', { name: 'Template' }).waitFor()
		await page.getByRole('figure', { name: 'Message preview' }).getByText('Look at this.').waitFor()
		await page.getByText('The header file is missing').waitFor({ state: 'detached' })
	}))

test('the error of a list that cannot be loaded fills the page, and Retry loads the list', () =>
	app.withPage({ as: user }, async ({ page, allow }) => {
		allow(/status of 4(03|29)/)
		// Events are off: changes of earlier tests would load the list again and remove Retry.
		await page.route(`**${LIVE_PATH}?*`, (route) => route.fulfill({ status: 429, json: { message: 'Too many tabs' } }))
		await page.route('**/api/templates?*', (route) => route.fulfill({ status: 403, json: { message: 'Not today' } }))
		await page.goto('/user/template/management')
		await page.getByText('Not today').waitFor()
		await page.unroute('**/api/templates?*')
		await page.getByRole('button', { name: 'Retry' }).click()
		await page.getByRole('table').waitFor()
	}))

test('a text of WhatsApp’s library is found, gets addresses for its buttons, and can be sent at once', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/create/template?gallery=1')
		const gallery = page.getByRole('dialog', { name: 'Ready texts' })
		await gallery.getByRole('button', { name: 'WhatsApp’s library' }).click()
		await gallery.getByRole('button', { name: 'Orders' }).click()
		await gallery.getByRole('searchbox', { name: 'Search the library' }).fill('on its way')
		await page.keyboard.press('Enter')
		await seeCount(gallery.getByRole('listitem'), 1)
		await settled(page)
		assert.deepEqual(await axeFindingsInSchemes(page, 'WhatsApp’s library'), [])
		await gallery.getByRole('button', { name: 'Use this text: Order on the way 1' }).click()
		await page.getByText('{{2}} takes a date, such as 4 December 2026').waitFor()
		const phone = page.getByRole('figure', { name: 'Message preview' })
		await phone.getByText('Order A-1042 is on its way. Expect it on 4 December 2026.').waitFor()
		await page.getByRole('button', { name: 'Create Template' }).click()
		await page.getByText('URL is required for URL button').first().waitFor()
		await page.getByText('Phone number is required for Phone Number button').waitFor()
		await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://silk.example/track')
		await page.getByRole('textbox', { name: 'Phone number' }).fill('98765 43210')
		assert.deepEqual(await axeFindingsInSchemes(page, 'a text of the library'), [])
		await page.getByRole('button', { name: 'Create Template' }).click()
		await page.getByText('Template created. WhatsApp has approved it.').waitFor()
		await page.getByRole('row').filter({ hasText: 'order_on_the_way_1' }).getByText('APPROVED').waitFor()
	}))
