import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { keyboard, pointer, type Hands } from './hands.ts'
import { search, seeFocus } from './keyboard-steps.ts'
import { openScreen } from './open-screen.ts'
import { openStep, seeBadge, seeCreated, sendQuestion } from './pages/campaign-pages.ts'
import { approveTemplate, holdReviews } from './pages/template-review.ts'

const PHONE = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'

const app = await launchApp({ statuses: { readRate: 1, failRate: 0 } })
const user = await app.signedIn(DEMO_USER.email)
await holdReviews(app.product)

for (const { device, size, handsOf } of [
	{ device: 'desk', size: { width: 1440, height: 900 }, handsOf: keyboard },
	{ device: 'phone', size: { width: 390, height: 844 }, handsOf: pointer },
]) {
	const how = handsOf === keyboard ? 'with only the keyboard' : 'by touch'
	test(`on a ${device} ${how}, a file's columns define a segment, whose campaign's link is clicked, and the clickers are listed`, () =>
		app.withPage({ as: user, size, touch: handsOf === pointer }, async ({ page }) => {
			const journey = { page, hands: handsOf(page), device }
			await upload(journey)
			await addBuyers(journey)
			await createTemplate(journey)
			await sendToSegment(journey, `Buyers ${device}`, `Silk week ${device}`)
			await seeBadge(page, 'completed')
			await clickOnPhone(page)
			await seeClick(journey)
			await addClicked(journey)
			await seeAudience(journey)
		}))
}

interface Journey {
	page: Page
	hands: Hands
	device: string
}

/** Uploads two buyers, one of them from Pune, and a third person. */
async function upload({ page, hands, device }: Journey) {
	const digit = device === 'desk' ? 1 : 2
	const file = [
		`name,mobile,City ${device},Kind`,
		`Nandini,98${digit}2300451,Pune,"Wholesale ${device}, Festive"`,
		`Omkar,98${digit}2300452,Delhi,Wholesale ${device}`,
		`Rekha,98${digit}2300453,Pune,Retail`,
	]
	await openScreen(page, '/upload/contact?tab=bulk')
	await settled(page)
	const buffer = Buffer.from(file.join('\r\n'))
	await hands.chooseFile(page.locator('.mantine-Dropzone-root'), {
		name: 'people.csv',
		mimeType: 'text/csv',
		buffer,
	})
	if (device === 'desk') await seeFocus(page, page.getByRole('button', { name: 'Remove people.csv' }))
	await select(page, 'Kind').and(page.locator(':enabled')).waitFor()
	await hands.choose(select(page, 'Kind'), 'Tags')
	await hands.press(page.getByRole('button', { name: 'Upload Contacts' }))
	await page.getByText('3 customers added', { exact: true }).waitFor()
}

async function addBuyers({ page, hands, device }: Journey) {
	const { editor, rule } = await startSegment({ page, hands, device }, `Buyers ${device}`)
	await hands.choose(select(rule(1), 'Rule about'), 'Tag')
	await hands.choose(select(rule(1), 'Tag'), `Wholesale ${device}`)
	await editor.getByRole('status').getByText('2 contacts').waitFor()
	await hands.press(editor.getByRole('button', { name: 'Add a rule' }))
	await hands.choose(select(rule(2), 'Rule about'), `City ${device}`)
	await editor.getByRole('status').getByText('Complete each rule to see how many match').waitFor()
	await hands.fill(rule(2).getByRole('combobox', { name: 'Value' }), 'Pune')
	await saveSegment({ page, hands, device }, editor)
}

async function startSegment({ page, hands }: Journey, name: string) {
	await openScreen(page, '/contact/segments')
	await settled(page)
	await hands.press(page.getByRole('button', { name: 'Add New Segment' }))
	const editor = page.getByRole('dialog', { name: 'Add New Segment' })
	await hands.fill(editor.getByRole('textbox', { name: 'Name' }), name)
	return { editor, rule: (at: number) => editor.getByRole('listitem', { name: `Rule ${at}` }) }
}

async function saveSegment({ page, hands }: Journey, editor: Locator) {
	await editor.getByRole('status').getByText('1 contact', { exact: true }).waitFor()
	await hands.press(editor.getByRole('button', { name: 'Save' }))
	await editor.waitFor({ state: 'detached' })
	assert.deepEqual(await axeFindings(page, 'the segments'), [])
}

async function createTemplate({ page, hands, device }: Journey) {
	const name = `silk_journey_${device}`
	await openScreen(page, '/user/create/template')
	await settled(page)
	await hands.fill(page.getByRole('textbox', { name: 'Template name' }), name)
	await hands.fill(page.getByRole('textbox', { name: 'Body text' }), 'Our silk week begins today, with new colours.')
	await hands.press(page.getByRole('button', { name: 'Add button' }))
	await page.getByRole('menuitem', { name: 'Quick reply' }).waitFor()
	await chooseItem({ page, hands, device }, 'Visit website')
	await hands.fill(page.getByRole('textbox', { name: 'Button text' }), 'Shop now')
	await hands.fill(page.getByRole('textbox', { name: 'URL', exact: true }), 'https://meeratextiles.example/silk')
	await page.getByRole('switch', { name: 'Count who clicks', checked: true }).waitFor()
	await hands.press(page.getByRole('button', { name: 'Create Template' }))
	const row = page.getByRole('row').filter({ hasText: name })
	await row.getByText('PENDING').waitFor()
	await approveTemplate(app.product, { accountId: user.accountId, name })
	await row.getByText('APPROVED').waitFor()
}

/** Chooses an item of an open menu by a tap on a phone, and by the arrow keys and Enter elsewhere. */
async function chooseItem({ page, hands, device }: Journey, name: string) {
	const item = page.getByRole('menuitem', { name })
	if (device === 'phone') return hands.press(item)
	await item.waitFor()
	const focused = item.and(page.locator(':focus'))
	for (let presses = 0; presses < 10 && (await focused.count()) === 0; presses++) await page.keyboard.press('ArrowDown')
	await focused.press('Enter')
}

/** Starts a campaign from the list of segments. */
async function startCampaign({ page, hands }: Journey, segment: string) {
	await openScreen(page, '/contact/segments')
	await settled(page)
	await hands.press(page.getByRole('link', { name: `Send a campaign to ${segment}` }))
	await page.waitForURL((url) => url.pathname === campaignPaths.create)
	await openStep(page, 'check')
	await page.locator('dt:text-is("Recipients") + dd').getByText('1', { exact: true }).waitFor()
}

async function sendToSegment(journey: Journey, segment: string, name: string) {
	const { page, hands, device } = journey
	await startCampaign(journey, segment)
	await openStep(page, 'message')
	await hands.fill(page.getByLabel('Campaign name'), name)
	const template = `Silk journey ${device}`
	if (device === 'phone') {
		await hands.press(page.getByPlaceholder('Choose a template'))
		await hands.press(page.getByRole('option', { name: new RegExp(`^${template} `) }))
	} else await search(page, 'Template', template)
	await hands.press(page.getByRole('button', { name: 'Send Campaign' }))
	// A campaign that is sent from another step than the last is asked about.
	await hands.press(sendQuestion(page).getByRole('button', { name: 'Send Campaign' }))
	await seeCreated(page)
}

/**
 * Clicks the link on the recipient's phone, at the address in the demo's notice. The shop behind the link does not exist, but
 * the click is counted.
 */
async function clickOnPhone(page: Page) {
	await page.getByRole('button', { name: 'Demo 1 notice' }).click()
	const phones = await page.getByRole('link', { name: 'See phones' }).getAttribute('href')
	await page.keyboard.press('Escape')
	const browser = page.context().browser()
	assert.ok(browser && phones)
	const context = await browser.newContext({
		ignoreHTTPSErrors: true,
		userAgent: PHONE,
		viewport: { width: 390, height: 844 },
		hasTouch: true,
	})
	const phone = await context.newPage()
	await phone.goto(phones)
	assert.deepEqual(await axeFindings(phone, 'the phones'), [])
	await phone.getByRole('link', { name: /^\+91/ }).first().tap()
	const link = phone.getByRole('link', { name: 'Shop now' }).first()
	await link.waitFor()
	assert.deepEqual(await axeFindings(phone, 'a phone'), [])
	const redirect = context.waitForEvent('response', (response) => response.url().includes('/l/'))
	await link.tap()
	const { status, headers } = await redirect.then((response) => ({
		status: response.status(),
		headers: response.headers(),
	}))
	assert.deepEqual([status, headers['location']], [302, 'https://meeratextiles.example/silk'])
	await context.close()
}

async function seeClick({ page }: Journey) {
	await page
		.getByRole('list', { name: 'Messages accepted, delivered, read and answered' })
		.getByRole('listitem')
		.filter({ hasText: /^Clicked a link\s*1/ })
		.waitFor()
}

async function addClicked({ page, hands, device }: Journey) {
	const { editor, rule } = await startSegment({ page, hands, device }, `Clicked ${device}`)
	await hands.choose(select(rule(1), 'Rule about'), 'Clicked')
	await hands.choose(select(rule(1), 'Campaign'), `Silk week ${device}`)
	await saveSegment({ page, hands, device }, editor)
}

async function seeAudience(journey: Journey) {
	await startCampaign(journey, `Clicked ${journey.device}`)
	assert.deepEqual(await axeFindings(journey.page, 'a campaign to those who clicked'), [])
}

function select(within: Page | Locator, name: string): Locator {
	const options = { name, exact: true }
	return within.getByRole('combobox', options).or(within.getByRole('textbox', options)).first()
}
