import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { formatRupees } from '#lib/money.ts'
import { until } from '#test/until.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { launchApp } from './fixtures.ts'
import { goOnFrom, openStep, send } from './pages/campaign-pages.ts'
import { fillSignIn, localStorageOf } from './people.ts'

// Status plan: each status of a message is shown for longer than the second between two updates of a running campaign.
const statuses = { sentMs: 100, deliveredMs: 2000, readMs: 4000, jitter: 0, readRate: 1, failRate: 0 }
const MESSAGES_PER_SECOND = 20
const GROUP = 'VIP customers'
const MARKETING_PRICE = 1

const app = await launchApp({ statuses })

test('a user signs in, sends a campaign to a group, sees every message become read, and signs out', async () => {
	const { contacts, first, balance } = await demoAccount()
	await app.product.db`update senders set messages_per_second = ${MESSAGES_PER_SECOND}`
	await app.withPage({}, async ({ page, allow }) => {
		allow(/status of 401/)
		await signIn(page)
		await seeBalance(page, balance)
		await chooseDark(page)
		await fillCampaign(page, { first })
		await checkCost(page, { contacts, balance })
		await sendAtLast(page)
		await watchArrive(page, contacts)
		await seeBalance(page, balance - contacts * MARKETING_PRICE)
		await findInList(page, contacts)
		await signOut(page)
	})
	await assertPersonalised()
})

/** Asserts that the newest contact of the group received the template with their own name in it. */
async function assertPersonalised() {
	const [contact] = await app.product.db<{ number: string; name: string }[]>`
		select number, first_name as name from contacts
		where group_id in (select id from contact_groups where name = ${GROUP}) and opted_out_at is null
		order by id desc limit 1
	`
	const { messages } = await app.product.simulator.control.received(contact?.number ?? '')
	const sent = JSON.stringify(messages)
	assert.ok(sent.includes('new_arrivals') && sent.includes(contact?.name ?? 'nobody'), sent)
}

async function demoAccount() {
	const { db } = app.product
	const [group] = await db<{ contacts: number; first: string }[]>`
		select count(*) filter (where opted_out_at is null)::int as contacts,
			(array_agg(first_name order by created_at desc, id desc))[1] as first
		from contacts where group_id in (select id from contact_groups where name = ${GROUP})
	`
	const [wallet] = await db<{ paise: number }[]>`
		select available_paise as paise from wallets
		where account_id = (select account_id from users where email = ${DEMO_USER.email})
	`
	if (!group || !wallet) throw new Error('the demo data is incomplete')
	return { ...group, balance: wallet.paise / 100 }
}

async function signIn(page: Page) {
	await page.goto('/')
	await page.waitForURL('/login')
	await fillSignIn(page, { ...DEMO_USER, password: 'not the password' })
	await page.getByRole('alert').getByText('Invalid email or password').waitFor()
	assert.equal(await page.getByRole('textbox', { name: 'Email' }).inputValue(), DEMO_USER.email)
	await fillSignIn(page, DEMO_USER)
	await page.getByText('Login successful!').waitFor()
	await page.waitForURL('/user/dashboard')
}

async function seeBalance(page: Page, rupees: number) {
	await page.getByRole('link', { name: `Wallet balance: ${formatRupees(rupees)}` }).waitFor()
}

async function chooseDark(page: Page) {
	await page.getByRole('button', { name: 'Account menu' }).click()
	await page.getByRole('menuitemradio', { name: 'Dark' }).click()
	await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
	await page.keyboard.press('Escape')
}

async function fillCampaign(page: Page, { first }: { first: string }) {
	const menu = page.getByRole('navigation', { name: 'Main menu' })
	await menu.getByRole('button', { name: 'Manage Campaign' }).click()
	await menu.getByRole('link', { name: 'Create Campaign' }).click()
	const phone = page.getByRole('figure', { name: 'Message preview' })
	await phone.getByText('Choose a template to see your message here.').waitFor()

	await page.getByLabel('Campaign name').fill('Silk week')
	await page.getByPlaceholder('Choose a template').click()
	await page.getByRole('option', { name: /^New arrivals/ }).click()
	await phone.getByText('the new handloom collection has arrived').waitFor()
	await phone.getByText('Meera Textiles').waitFor()
	await phone.getByText(/^Hi \w+,/).waitFor()

	await openStep(page, 'people')
	await page.getByRole('radio', { name: 'A contact group' }).check()
	await page.getByPlaceholder('Choose a group').click()
	await page.getByRole('option', { name: GROUP }).click()
	await phone.getByText(`Hi ${first},`).waitFor()
}

async function checkCost(page: Page, { contacts, balance }: { contacts: number; balance: number }) {
	await openStep(page, 'check')
	const summary = page.getByRole('region', { name: 'Check' })
	const cost = contacts * MARKETING_PRICE
	await line(summary, 'Audience').getByText(GROUP).waitFor()
	await line(summary, 'Recipients').getByText(String(contacts), { exact: true }).waitFor()
	await line(summary, 'Estimated cost').getByText(formatRupees(cost), { exact: true }).waitFor()
	await line(summary, 'Wallet balance').getByText(formatRupees(balance), { exact: true }).waitFor()
	await line(summary, 'Balance after')
		.getByText(formatRupees(balance - cost), { exact: true })
		.waitFor()
}

/**
 * Closes the steps, empties the name, sends, sees the refusal at the name, which has the focus, and
 * sends the form with a name.
 */
async function sendAtLast(page: Page) {
	const name = page.getByLabel('Campaign name')
	await openStep(page, 'message')
	await goOnFrom(page, 'message')
	await goOnFrom(page, 'when')
	await page.getByRole('region', { name: 'Check' }).getByText('Wallet balance').waitFor()
	await openStep(page, 'message')
	await name.fill('')
	await openStep(page, 'people')
	await name.waitFor({ state: 'detached' })
	await page.getByRole('button', { name: 'Send Campaign' }).press('Enter')
	await name.and(page.locator(':focus')).waitFor()
	await page.getByText('Campaign name is required', { exact: true }).waitFor()
	await name.fill('Silk week')
	await send(page)
}

function line(summary: ReturnType<Page['getByRole']>, name: string) {
	return summary
		.locator('div')
		.filter({ has: summary.page().getByText(name, { exact: true }) })
		.last()
}

/** Awaits all counts concurrently, because their order is unknown. The page is not reloaded meanwhile. */
async function watchArrive(page: Page, contacts: number) {
	await page.waitForURL(/\/campaign\/\d+$/)
	await page.getByRole('heading', { name: 'Silk week' }).waitFor()
	const overview = page.getByRole('list', { name: 'Messages by latest status' })
	const row = (word: string, count: string) =>
		overview
			.getByRole('listitem')
			.filter({ hasText: new RegExp(`^${word}\\s*${count}$`) })
			.waitFor()
	await Promise.all([
		row('Pending', '[1-9]\\d*'),
		row('Sent', '[1-9]\\d*'),
		row('Delivered', '[1-9]\\d*'),
		row('Read', String(contacts)),
		page.getByText('completed', { exact: true }).waitFor(),
	])
	await page.getByRole('region', { name: 'Sent messages' }).getByText('read').first().waitFor()
}

async function findInList(page: Page, contacts: number) {
	await page.getByRole('link', { name: 'Back' }).click()
	const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Silk week', exact: true }) })
	await row.waitFor()
	const cost = formatRupees(contacts * MARKETING_PRICE)
	const cells = ['Silk week', 'completed', String(contacts), String(contacts), '0', cost]
	await until(async () => isDeepStrictEqual((await row.getByRole('cell').allTextContents()).slice(0, 6), cells))
	await page.getByRole('link', { name: 'View Silk week' }).click()
	await page.waitForURL(/\/campaign\/\d+$/)
}

async function signOut(page: Page) {
	const ask = async () => {
		await page.getByRole('button', { name: 'Account menu' }).click()
		await page.getByRole('menuitem', { name: 'Logout' }).click()
		return page.getByRole('dialog', { name: 'Confirm Logout' })
	}
	const dialog = await ask()
	await dialog.getByText('Are you sure you want to log out?').waitFor()
	await dialog.getByRole('button', { name: 'Cancel' }).click()
	await dialog.waitFor({ state: 'hidden' })
	await (await ask()).getByRole('button', { name: 'Logout' }).click()
	await page.waitForURL('/login')
	await page.getByText('Logged out successfully').waitFor()
	assert.deepEqual(await localStorageOf(page), { theme: 'dark' })
	await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
}
