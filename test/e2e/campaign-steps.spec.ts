import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { campaignPath } from '#features/campaigns/paths.ts'
import { DAY_MS, MINUTE_MS } from '#lib/durations.ts'
import { sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp, type PageFixture } from './fixtures.ts'
import { seeCount, seeValue } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { chooseTime, openStep, seeBadge, seeStatus, send, startForm } from './pages/campaign-pages.ts'

const CONTACTS = 40
const app = await launchApp({ statuses: { readRate: 1 } })
const { control } = app.product.simulator

async function newSender(perSecond = 1000) {
	const sender = await sendingAccount(app.product, { contacts: CONTACTS, balancePaise: 100_000, perSecond })
	return { sender, person: await app.signedIn(sender.email) }
}

const firstNumber = async (accountId: number) => {
	const [row] = await app.product.db<{ number: string }[]>`
		select number from contacts where account_id = ${accountId} order by id limit 1
	`
	return row?.number ?? ''
}

test('a scheduled campaign is edited, starts within two seconds of its new time, and sends the new value', async () => {
	const { sender, person } = await newSender()
	await app.withPage({ as: person, size: { width: 1440, height: 1400 } }, async ({ page }) => {
		await startForm(page, { name: 'Sunday offer', template: 'hello' })
		await page.getByRole('textbox', { name: 'Variable 1' }).fill('old friend')
		await openStep(page, 'when')
		await page.getByRole('radio', { name: 'Schedule for later' }).check()
		await chooseTime(page, Date.now() + DAY_MS)
		await send(page)
		await page.getByText('This campaign starts on').waitFor()
		await page.getByRole('link', { name: 'Edit' }).click()
		await page.getByRole('heading', { name: 'Edit Campaign' }).waitFor()
		await page.getByRole('textbox', { name: 'Campaign name' }).fill('Sunday greeting')
		await page.getByRole('textbox', { name: 'Variable 1' }).fill('dear {{firstName}}')
		const soon = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 600_000
		await chooseTime(page, soon)
		await page.getByRole('button', { name: 'Save changes' }).click()
		const question = page.getByRole('dialog', { name: 'Send at this time?' })
		await question.getByText(`${CONTACTS} messages will be sent on`).waitFor()
		await question.getByRole('button', { name: 'Save changes' }).click()
		await page.getByText('Campaign updated').waitFor()
		await page.getByRole('heading', { name: 'Sunday greeting' }).waitFor()
		await bringForward(sender.accountId, { from: soon })
		await seeBadge(page, 'completed')
		await seeStatus(page, 'Read', CONTACTS)
	})
	const [times] = await app.product.db<{ late: number }[]>`
		select extract(epoch from started_at - opens_at)::float8 as late from campaigns where account_id = ${sender.accountId}
	`
	assert.ok(times && times.late >= 0 && times.late <= 2, `it started ${times?.late} s after its time`)
	const { accepted, messages } = await control.received(await firstNumber(sender.accountId))
	assert.equal(accepted, 1)
	assert.match(JSON.stringify(messages), /dear Contact 0/)
})

test('a double click on Pause pauses a scheduled campaign once, and does not resume it', async () => {
	const { person } = await newSender()
	await app.withPage({ as: person, size: { width: 1440, height: 1400 } }, async ({ page }) => {
		await startForm(page, { name: 'Monday offer', template: 'hello' })
		await page.getByRole('textbox', { name: 'Variable 1' }).fill('friend')
		await openStep(page, 'when')
		await page.getByRole('radio', { name: 'Schedule for later' }).check()
		await chooseTime(page, Date.now() + DAY_MS)
		await send(page)
		await page.getByText('This campaign starts on').waitFor()
		const steps: string[] = []
		page.on('request', (request) => void (request.method() === 'POST' && steps.push(new URL(request.url()).pathname)))
		await page.getByRole('button', { name: 'Pause' }).click({ clickCount: 2, delay: 150 })
		await page.getByText('This campaign is paused').waitFor()
		assert.equal(
			steps.filter((path) => /\/(pause|resume)$/.test(path)).join(),
			steps.find((path) => path.endsWith('/pause')),
		)
	})
})

/**
 * Moves the start of a scheduled campaign to the next second: the form takes only minutes, and the test need not wait for one.
 */
async function bringForward(accountId: number, { from }: { from: number }) {
	const moved = await app.product.db`
		update campaigns set opens_at = now() + interval '1 second'
		where account_id = ${accountId} and opens_at = ${new Date(from)} returning 1
	`
	assert.equal(moved.length, 1, 'the campaign does not have the time that was chosen')
}

test('on a phone the report of a running campaign has Cancel and Pause at the end of the window, below its content', async () => {
	const { sender, person } = await newSender(2)
	const id = await startCampaign(app.product, sender)
	await app.withPage({ as: person, size: { width: 390, height: 844 }, touch: true }, async ({ page }) => {
		await openScreen(page, campaignPath(id))
		const cancel = page.getByRole('button', { name: 'Cancel' })
		await cancel.waitFor()
		const boxes = await Promise.all(
			[cancel, page.getByRole('button', { name: 'Pause' })].map((button) => button.boundingBox()),
		)
		assert.deepEqual(
			boxes.map((box) => box && box.y >= 780 && box.y + box.height <= 844 && box.height >= 44 && box.width > 160),
			[true, true],
		)
		await page.getByRole('button', { name: 'Pause' }).tap()
		await page.getByText('This campaign is paused').waitFor()
		await page.getByRole('region', { name: 'Sent messages' }).waitFor()
		await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
		const end = await page.evaluate<number>(
			"document.querySelector('main').lastElementChild.getBoundingClientRect().bottom",
		)
		assert.ok(end <= (boxes[0]?.y ?? 0), `the report ends at ${end}, below the bar`)
		assert.deepEqual(await axeFindings(page, 'the report on a phone'), [])
		await cancel.tap()
		const dialog = page.getByRole('dialog', { name: 'Cancel this campaign?' })
		await dialog.getByRole('button', { name: 'Cancel the campaign' }).tap()
		await seeBadge(page, 'cancelled')
		await cancel.waitFor({ state: 'detached' })
	})
})

test('a campaign paused because of a rejected token resumes with one click after the admin has saved the token again', async () => {
	const { sender, person } = await newSender(2)
	const { access_token: token } = sender.credentials
	const id = await startCampaign(app.product, sender)
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, campaignPath(id))
		await page.getByText(/^\d+ of 40 messages, \d+%/).waitFor()
		await control.rejectToken({ token })
		await page.getByText('Sending stopped automatically').waitFor()
		await page
			.getByText(/access token is no longer valid/i)
			.first()
			.waitFor()
		await control.rejectToken({ token, restore: true })
		await app.withPage({ as: await app.signedIn(DEMO_ADMIN.email) }, (admin) => saveToken(admin, sender.name, token))
		await app.product.db`update senders set messages_per_second = 1000 where account_id = ${sender.accountId}`
		await page.getByRole('button', { name: 'Resume' }).click()
		await seeBadge(page, 'completed', 60_000)
		await seeStatus(page, 'Failed', 0)
	})
	const counts = await control.receivedCounts()
	const [contacts] = await app.product.db<{ numbers: string[] }[]>`
		select array_agg(number) as numbers from contacts where account_id = ${sender.accountId}
	`
	assert.deepEqual(new Set(contacts?.numbers.map((number) => counts[number])), new Set([1]))
})

async function saveToken({ page }: PageFixture, name: string, token: string) {
	await openScreen(page, `/admin/manage/users?search=${encodeURIComponent(name)}`)
	await page.getByRole('button', { name: `Manage Key of ${name}`, exact: true }).click()
	const dialog = page.getByRole('dialog', { name: `Manage Key: ${name}` })
	await dialog.getByRole('textbox', { name: 'Access Token' }).fill(token)
	await dialog.getByRole('button', { name: 'Save' }).click()
	await page.getByRole('status').getByText('Credentials saved').waitFor()
}

test('Retry failed shows the number of messages and the cost, and sends failed ones again, but none that WhatsApp held back', async () => {
	const { sender, person } = await newSender()
	const numbers = await app.product.db<{ number: string }[]>`
		select number from contacts where account_id = ${sender.accountId} order by id limit 6
	`
	const [unreachable, heldBack, ...busy] = numbers.map(({ number }) => number)
	await control.addFault({ kind: 'fail-later', code: 131026, to: unreachable ?? '', times: 1 })
	await control.addFault({ kind: 'fail-later', code: 131049, to: heldBack ?? '', times: 1 })
	await control.addFault({ kind: 'fail-later', code: 131000, to: busy, times: 1 })
	const id = await startCampaign(app.product, sender)
	await app.withPage({ as: person, size: { width: 1440, height: 1400 } }, async ({ page }) => {
		await openScreen(page, campaignPath(id))
		await seeBadge(page, 'completed')
		await seeStatus(page, 'Failed', 6)
		const reasons = page.getByRole('list', { name: 'Reasons' })
		await reasons.getByRole('heading', { name: 'Not reachable on WhatsApp' }).waitFor()
		await reasons.getByRole('heading', { name: 'A fault at WhatsApp' }).waitFor()
		await saveHeldBack(page)
		await page.getByRole('button', { name: 'Retry failed' }).click()
		const dialog = page.getByRole('dialog', { name: 'Retry failed messages' })
		await dialog.getByText('₹4.00', { exact: true }).waitFor()
		await dialog.getByRole('button', { name: 'Send 4 messages' }).click()
		await page.getByRole('heading', { name: /\(retry\)$/ }).waitFor()
		await seeBadge(page, 'completed')
		await seeStatus(page, 'Read', 4)
		await makeGroup(page)
	})
	const counts = await control.receivedCounts()
	assert.deepEqual(
		[unreachable, heldBack, ...busy].map((number) => counts[number ?? '']),
		[1, 1, 2, 2, 2, 2],
	)
})

/** Saves the segment of the one message that WhatsApp held back, and sees that Create Campaign takes it. */
async function saveHeldBack(page: Page) {
	await page.getByRole('link', { name: 'Save as a segment' }).click()
	const dialog = page.getByRole('dialog', { name: 'Add New Segment' })
	await dialog.getByText('1 contact', { exact: true }).waitFor()
	assert.match(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), /: held back$/)
	assert.deepEqual(await axeFindings(page, 'the segment of held back messages'), [])
	await dialog.getByRole('button', { name: 'Save' }).click()
	await page.getByRole('link', { name: /^Send a campaign to .*: held back$/ }).click()
	await openStep(page, 'people')
	await page.getByRole('radio', { name: /segment/i, checked: true }).waitFor()
	await page.goBack()
	await page.goBack()
}

async function makeGroup(page: Page) {
	await page.getByRole('button', { name: 'Save people as a group' }).click()
	const dialog = page.getByRole('dialog', { name: 'New group from recipients' })
	await dialog.getByRole('radio', { name: 'Read (4)' }).check()
	await dialog.getByRole('textbox', { name: 'Name of the group' }).fill('Second time lucky')
	await page.reload()
	await dialog.getByText('Your draft has been restored.').waitFor()
	await dialog.getByRole('radio', { name: 'Read (4)', checked: true }).waitFor()
	await seeValue(dialog.getByRole('textbox', { name: 'Name of the group' }), 'Second time lucky')
	await dialog.getByText('4 people will be in it.').waitFor()
	await dialog.getByRole('button', { name: 'Create group' }).click()
	await dialog.getByRole('link', { name: 'See its contacts' }).click()
	await page.getByText('4 contacts found').waitFor()
}

test('Message those who did not read opens Create Campaign with their segment, which the second time is the same', async () => {
	const person = await app.signedIn(DEMO_USER.email)
	const [campaign] = await app.product.db<{ id: number }[]>`
		select id from campaigns
		where account_id = ${person.accountId} and audience_type = 'group' and delivered_count > 0 and kind = 'campaign'
		order by id limit 1
	`
	assert.ok(campaign)
	await app.withPage({ as: person }, async ({ page }) => {
		const addresses: string[] = []
		for (let time = 0; time < 2; time++) {
			await page.goto(campaignPath(campaign.id))
			await page.getByText(/^[\d,]+ of [\d,]+ people got it, [\d,]+ read it, .*₹[\d,.]+\.$/).waitFor()
			await page.getByText(/^Preview for .*\(1 of 10\)$/).waitFor()
			await page.getByRole('button', { name: 'Next recipient' }).click()
			await page.getByText(/^Preview for .*\(2 of 10\)$/).waitFor()
			assert.equal(await page.getByText('{{').count(), 0)
			await page.getByRole('button', { name: 'Message those who did not read' }).click()
			await page.getByRole('button', { name: 'Choose a message' }).click()
			await page.waitForURL(/\?segment=\d+$/)
			addresses.push(page.url())
		}
		assert.equal(addresses[0], addresses[1])
	})
})

test('Duplicate fills in the form of a campaign, whose test number survives a reload and whose test is not in the list', async () => {
	const { sender, person } = await newSender()
	const id = await startCampaign(app.product, sender, { name: 'Weekly news' })
	await app.withPage({ as: person, size: { width: 1440, height: 1400 } }, async ({ page }) => {
		await openScreen(page, '/user/view/template/campaign/message')
		await page.getByRole('link', { name: 'Duplicate Weekly news' }).click()
		await page.getByText('This is a copy of').waitFor()
		await seeValue(page.getByLabel('Campaign name'), 'Weekly news (copy)')
		await seeValue(page.getByRole('textbox', { name: 'Variable 1' }), '‹First name›')
		await openStep(page, 'check')
		await page.getByRole('button', { name: 'Send a test' }).click()
		const dialog = page.getByRole('dialog', { name: 'Send a test message' })
		await dialog.getByText('It costs ₹1.00').waitFor()
		await dialog.getByRole('button', { name: 'Send test' }).click()
		await dialog.getByText('Please enter a phone number').waitFor()
		await dialog.getByLabel('Your WhatsApp number').fill('98765 00042')
		await page.reload()
		await dialog.getByText('Your draft has been restored.').waitFor()
		await seeValue(dialog.getByLabel('Your WhatsApp number'), '98765 00042')
		await dialog.getByRole('button', { name: 'Send test' }).click()
		await dialog.getByText('The test is on its way to +91 98765 00042.').waitFor()
		await page.keyboard.press('Escape')
		await openScreen(page, '/user/view/template/campaign/message')
		await page.getByRole('link', { name: 'View Weekly news' }).waitFor()
		await seeCount(page.getByRole('link', { name: /^View / }), 1)
		await page.getByRole('button', { name: 'With tests' }).click()
		await page.getByRole('link', { name: 'View Test of Hello' }).waitFor()
	})
	await until(async () => (await control.received('919876500042')).messages.length > 0)
	const { messages } = await control.received('919876500042')
	assert.match(JSON.stringify(messages), /Contact \d+/)
	assert.ok(id > 0)
})
