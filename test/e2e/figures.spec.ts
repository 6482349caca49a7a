import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import {
	confirmSending,
	openStep,
	seeBadge,
	seeCreated,
	seeStatus,
	sendQuestion,
	startForm,
} from './pages/campaign-pages.ts'

const CONTACTS = 30
/** Maximum time for housekeeping, which attributes and counts replies every five seconds. */
const COUNTED_MS = 60_000
const app = await launchApp({ statuses: { readRate: 1, failRate: 0 }, fill: async () => {} })
const { db, simulator } = app.product

type Sender = Awaited<ReturnType<typeof sendingAccount>>

/** Creates a shop with 30 contacts, of whom one has no WhatsApp. */
async function newShop() {
	const sender = await sendingAccount(app.product, { contacts: CONTACTS, balancePaise: 100_000 })
	const contacts = await db<{ number: string }[]>`
		select number from contacts where account_id = ${sender.accountId} order by id
	`
	const numbers = contacts.map(({ number }) => number)
	await simulator.control.addFault({ call: 'messages', kind: 'error', code: 131026, to: numbers.at(-1) ?? '' })
	return { sender, numbers, person: await app.signedIn(sender.email) }
}

for (const size of SIZES) {
	const { width } = size
	const testNumber = width === SIZES[0].width ? '98765 00043' : '98765 00044'
	test(`at ${width} px, 30 messages are sent only after a confirmation, and the report counts typed and quoted replies`, async () => {
		const { sender, numbers, person } = await newShop()
		await app.withPage({ as: person, size }, async ({ page }) => {
			await startForm(page, { name: 'Silk week', template: 'hello' })
			await page.getByRole('textbox', { name: 'Variable 1' }).fill('{{firstName}}')
			await page.getByRole('button', { name: 'Send Campaign' }).click()
			await page.getByRole('dialog', { name: 'Send 30 messages now?' }).getByText('₹30.00').waitFor()
			await sendQuestion(page).getByRole('button', { name: 'Cancel' }).click()
			assert.equal(await campaignsOf(sender), 0)
			await page.getByRole('button', { name: 'Send Campaign' }).click()
			await confirmSending(page)
			await seeCreated(page)
			await seeBadge(page, 'completed')
			await seeStatus(page, 'Read', CONTACTS - 1)
			await reply(sender, numbers)
			await seeStep(page, 'Delivered', '29 97%')
			await seeStep(page, 'Replied', '2 6.7%', COUNTED_MS)
			await seeStep(page, 'Replied to this message directly', '1 3.3%', COUNTED_MS)
			await page.getByText('What these figures mean').click()
			await page.getByText('within 72 hours after the campaign').first().waitFor()
			assert.deepEqual(await axeFindings(page, 'the report'), [])
			await openScreen(page, `${campaignPaths.list}?view=results`)
			await page.getByText('1 directly').waitFor()
			await page.getByText('97%').first().waitFor()
			await openScreen(page, '/user/dashboard')
			await page.getByText('97% / 97%').waitFor()
		})
	})

	test(`at ${width} px, a test message asks for an unknown value, and the form shows first that sending has stopped`, async () => {
		const { sender, person } = await newShop()
		await app.withPage({ as: person, size }, async ({ page }) => {
			await startForm(page, { name: 'Silk week', template: 'hello' })
			await openStep(page, 'people')
			await page.getByRole('radio', { name: 'An uploaded file' }).check()
			await openStep(page, 'message')
			await page.getByRole('textbox', { name: 'Variable 1' }).fill('{{firstName}}')
			await openStep(page, 'check')
			await page.getByRole('button', { name: 'Send a test' }).click()
			const dialog = page.getByRole('dialog', { name: 'Send a test message' })
			await dialog.getByLabel('Your WhatsApp number').fill(testNumber)
			await dialog.getByRole('button', { name: 'Send test' }).click()
			await dialog.getByText('Type a value to test with').waitFor()
			await dialog.getByLabel('First name in this test').fill('Meera')
			await dialog.getByRole('button', { name: 'Send test' }).click()
			await dialog.getByText(`The test is on its way to +91 ${testNumber}.`).waitFor()
			await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
			await until(async () =>
				/Meera/.test(JSON.stringify(await simulator.control.received(`91${testNumber.replace(' ', '')}`))),
			)
			const reason = 'WhatsApp has locked this account. See WhatsApp Manager, then resume.'
			await db`update senders set stopped_reason = ${reason}, stopped_at = now() where account_id = ${sender.accountId}`
			await page.reload()
			// The form is complete when its draft is restored and the notice is shown.
			await page.getByText('Your draft has been restored').waitFor()
			await page.getByText('Sending has stopped').filter({ visible: true }).first().waitFor()
			await openStep(page, 'check')
			await page.getByRole('button', { name: 'Send a test' }).click()
			await dialog.getByText('Sending has stopped').waitFor()
			await dialog.getByText(reason).waitFor()
			assert.equal(await dialog.getByRole('button', { name: 'Send test' }).count(), 0)
			assert.deepEqual(await axeFindings(page, 'the stopped test'), [])
		})
	})
}

async function campaignsOf({ accountId }: Sender): Promise<number> {
	const [row] = await db<{ count: number }[]>`select count(*) as count from campaigns where account_id = ${accountId}`
	return row?.count ?? 0
}

/** Sends replies: the first recipient types one, the second quotes the message, and both write once more. */
async function reply(sender: Sender, [typing = '', quoting = '']: readonly string[]) {
	const { phone_number_id } = sender.credentials
	const isArrived = async () =>
		(await db`select 1 from campaign_messages where account_id = ${sender.accountId} and arrived_at is not null`)
			.length ===
		CONTACTS - 1
	await until(isArrived)
	const [quoted] = await db<{ wamid: string }[]>`
		select wamid from campaign_messages where account_id = ${sender.accountId} and number = ${quoting}
	`
	const write = (from: string, context_id?: string) =>
		simulator.control.sendInbound({
			phone_number_id,
			from,
			...(context_id && { context_id }),
			content: { body: 'Yes' },
		})
	await write(typing)
	await write(typing)
	await write(quoting, quoted?.wamid)
	await write(quoting)
}

/** Waits until the funnel shows this number and share. */
function seeStep(page: Page, name: string, figures: string, timeout = 20_000): Promise<void> {
	return page
		.getByRole('list', { name: 'Messages accepted, delivered, read and answered' })
		.getByRole('listitem')
		.filter({ hasText: new RegExp(`^${name}\\s*${figures.replace(' ', '\\s*').replace('.', '\\.')}$`) })
		.waitFor({ timeout })
}
