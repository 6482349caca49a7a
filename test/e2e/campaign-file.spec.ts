import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { formatCount } from '#lib/numbers.ts'
import { tableWorkbook, textRow, workbook } from '#test/files/workbook.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { seeCount, seeValue } from './locators.ts'
import {
	chooseFile,
	insertTag,
	openStep,
	seeBadge,
	seePreview,
	seeStatus,
	seeTally,
	send,
	startForm,
	variable,
} from './pages/campaign-pages.ts'

/** Number of rows of the file. CAMPAIGN_FILE_ROWS sets it, for example to 50,000. */
const ROWS = Number(process.env.CAMPAIGN_FILE_ROWS ?? 2000)
/** Messages a second. The network runs in the same process; a faster number would only time out on a busy machine. */
const PER_SECOND = 600
/** Maximum time to send all messages and to process their status webhooks, one or two each, on a busy machine. */
const FINISH_MS = 600_000

const BODY = {
	type: 'BODY',
	text: 'Dear {{1}}, your dues at our {{2}} branch are {{3}} rupees.',
	example: { body_text: [['Asha', 'Pune', '450']] },
}

const app = await launchApp({ statuses: { readRate: 1 } })
const folder = await mkdtemp(join(tmpdir(), 'test-campaign-file-'))
after(() => rm(folder, { recursive: true, force: true }))

async function newSender() {
	const { product } = app
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 10_000_000, perSecond: PER_SECOND })
	const { control } = product.simulator
	await control.addTemplate({
		waba_id: sender.credentials.waba_id,
		name: 'dues_reminder',
		category: 'UTILITY',
		components: [BODY],
	})
	await syncTemplates(product.process.context, sender.accountId)
	return { sender, person: await app.signedIn(sender.email) }
}

const numberOf = (index: number) => `98${String(10_000_000 + index)}`

async function writeDues(): Promise<string> {
	const rows = Array.from(
		{ length: ROWS },
		(_, index) => `Person ${index},${numberOf(index)},Branch ${index % 7},${index}`,
	)
	const path = join(folder, 'dues.csv')
	const rejected = ['Nobody,12,Pune,1', `Again,${numberOf(0)},Pune,2`]
	await writeFile(path, ['Customer,Mobile,Branch,Due', ...rows, ...rejected].join('\n'))
	return path
}

test('a campaign from a file of thousands of rows with merge tags completes, and the export of its report is accepted as an audience', async () => {
	const { person } = await newSender()
	const path = await writeDues()
	await app.withPage({ as: person, size: { width: 1440, height: 1400 } }, async ({ page }) => {
		await startForm(page, { name: 'Dues of November', template: 'dues_reminder' })
		await chooseFile(page, path)
		await page.getByText('File "dues.csv" uploaded successfully').waitFor({ timeout: 60_000 })
		await seeTally(page, 'Get the message', ROWS)
		await seeTally(page, 'Left out', 2)
		await page.getByText('1 wrong or missing number, 1 duplicate', { exact: true }).waitFor()
		await seeRejected(page)
		await nameColumn(page)
		const phone = page.getByRole('figure', { name: 'Message preview' })
		await phone.getByText('Dear Person 0, your dues at our Branch 0 branch are 0 rupees.').waitFor()
		await page.getByRole('button', { name: 'Send Campaign' }).click()
		const question = page.getByRole('dialog', { name: `Send ${formatCount(ROWS)} messages now?` })
		await question.getByText('dues.csv').waitFor()
		await question.getByText('Dues reminder').waitFor()
		await question.getByRole('button', { name: 'Cancel' }).click()
		await send(page)
		await seeBadge(page, 'completed', FINISH_MS)
		await seeStatus(page, 'Read', ROWS, FINISH_MS)
		await seeInReport(page)
		const exported = await exportAll(page)
		await uploadAgain(page, exported)
	})
	const { accepted, messages } = await app.product.simulator.control.received(`91${numberOf(ROWS - 1)}`)
	assert.equal(accepted, 1)
	assert.match(JSON.stringify(messages), new RegExp(`Person ${ROWS - 1}.*Branch ${(ROWS - 1) % 7}.*${ROWS - 1}`))
})

test('a file fills in the names of a campaign, and a person without a name reads the word for a customer', async () => {
	const sender = await sendingAccount(app.product, { contacts: 1, balancePaise: 100_000, perSecond: PER_SECOND })
	const path = join(folder, 'two.csv')
	await writeFile(path, 'Customer,Mobile\nAsha,9876500001\nRavi,9876500002\n,9876500043\n')
	await app.withPage({ as: await app.signedIn(sender.email) }, async ({ page }) => {
		await startForm(page, { name: 'File first', template: 'hello' })
		await chooseFile(page, path)
		await seeTally(page, 'Get the message', 3)
		await openStep(page, 'message')
		await page.getByText('1 person has no Customer.').waitFor()
		await seeValue(variable(page, 1), '‹Customer›')
		const fallback = page.getByRole('textbox', { name: 'If Customer is empty, write in Variable 1' })
		await seeValue(fallback, 'Customer')
		await send(page)
		await seeBadge(page, 'completed')
		await seeStatus(page, 'Read', 3)
	})
	const { messages } = await app.product.simulator.control.received('919876500043')
	assert.match(JSON.stringify(messages), /"Customer"/)
})

for (const size of SIZES)
	test(`a file’s columns and chips, also by keyboard, fill in the variables, at ${size.width} pixels`, async () => {
		const { person } = await newSender()
		const path = join(folder, `chips-${size.width}.csv`)
		const more = ['A', 'B', 'C', 'D'].map((letter) => `Note ${letter}`)
		await writeFile(
			path,
			`Customer,Mobile,Branch,Due,${more.join()}\nAsha,9876500001,Pune,450,w,x,y,z\nRavi,9876500002,Surat,9\nRavi,98765 00002,Surat,9\n`,
		)
		await app.withPage({ as: person, size }, async ({ page }) => {
			await startForm(page, { name: 'Chips', template: 'dues_reminder' })
			await seeValues(page, ['‹First name›', '', ''])
			await chooseFile(page, path)
			await seeTally(page, 'Get the message', 2)
			await openStep(page, 'message')
			await seeValues(page, ['‹Customer›', '‹Branch›', '‹Due›'])
			await variable(page, 2).fill('new ')
			await page.keyboard.press('Tab')
			await page.keyboard.press('Tab')
			await page.keyboard.press('Tab')
			await page.getByRole('button', { name: 'Branch Pune' }).nth(1).and(page.locator(':focus')).waitFor()
			await page.keyboard.press('Enter')
			await seeValue(variable(page, 2), 'new ‹Branch›')
			await insertTag(page, 2, 'Customer')
			await seeValue(variable(page, 2), 'new ‹Branch› ‹Customer›')
			await variable(page, 2).fill('new {{Branch}}')
			await variable(page, 3).fill('')
			await page.getByRole('group', { name: 'Insert name or column into Variable 3' }).getByText('2 more').click()
			await page.getByRole('menuitem', { name: 'Note D z' }).click()
			await seeValue(variable(page, 3), '‹Note D›')
			await variable(page, 3).press('End')
			await variable(page, 3).press('Backspace')
			await seeValue(variable(page, 3), '')
			await insertTag(page, 3, 'Due')
			await seePreview(page, { size, next: 'Ravi' }, 'Dear Ravi, your dues at our new Surat branch are 9 rupees.')
			await openStep(page, 'check')
			await page.locator('dt:text-is("Left out") + dd').getByText('1 duplicate', { exact: true }).waitFor()
			assert.deepEqual(await axeFindings(page, 'Create Campaign with a file'), [])
		})
	})

for (const size of SIZES)
	test(`unlikely numbers and hidden rows of a file are left out until they are ticked, and second numbers are named, at ${size.width} pixels`, async () => {
		const { person } = await newSender()
		const people = ['Asha,9876500001 / 9876500002', 'Ravi,9876500003', 'Meena,98123 45', 'Hema,9876500004']
		const [asha, ravi, meena, hema] = people.map((row) => textRow(row.split(',')))
		const sheet = [textRow(['Customer', 'Mobile']), asha, ravi, meena, hema?.replace('<row', '<row hidden="1"')]
		const path = join(folder, `odd-${size.width}.xlsx`)
		await writeFile(path, workbook(sheet.join('')))
		await app.withPage({ as: person, size }, async ({ page }) => {
			await startForm(page, { name: 'Odd numbers', template: 'hello' })
			await chooseFile(page, path)
			await seeTally(page, 'Get the message', 2)
			await seeTally(page, 'Looks wrong', 1)
			const first = page.getByRole('table', { name: 'First rows of the file' }).getByRole('row')
			await first.nth(1).getByText('Too short for a mobile number (Iran)').waitFor()
			await first.nth(2).getByText('Left out: the second number +91 98765 00002').waitFor()
			await page.getByText('1 second number left out').waitFor()
			await openStep(page, 'check')
			await page
				.locator('dt:text-is("Left out") + dd')
				.getByText('1 number that looks wrong', { exact: true })
				.waitFor()
			await openStep(page, 'people')
			await page.getByText('1 row hidden in the file').waitFor()
			await page.getByRole('checkbox', { name: 'Include them' }).check()
			await seeTally(page, 'Get the message', 3)
			const tick = page.getByRole('checkbox', { name: 'Also send to the 1 number that looks wrong' })
			assert.equal(await tick.isChecked(), false)
			await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
			assert.deepEqual(await axeFindings(page, 'Create Campaign with unlikely numbers'), [])
			await tick.check()
			await seeTally(page, 'Get the message', 4)
			await openStep(page, 'check')
			await page.locator('dt:text-is("Recipients") + dd').getByText('4', { exact: true }).waitFor()
			await openStep(page, 'message')
			await page.getByRole('textbox', { name: 'Variable 1' }).fill('friend')
			await send(page)
			await page.getByText('Odd numbers').first().waitFor()
		})
		const [made] = await app.product.process.context.db<{ total: number }[]>`
			select count(*)::int as total from campaign_messages where account_id = ${person.accountId}
		`
		assert.equal(made?.total, 4)
	})

for (const size of SIZES)
	test(`numbers and dates of a workbook are sent in Indian formats, and a fallback fills empty cells, at ${size.width} pixels`, async () => {
		const { person } = await newSender()
		const path = join(folder, `bills-${size.width}.xlsx`)
		const numbers = [1, 2].map((at) => 9_800_000_000 + size.width * 10 + at)
		const rows = [
			['Customer', 'Mobile', 'Branch', 'Due amount', 'Due date'],
			['Asha', numbers[0] ?? 0, 'Pune', 8_276_075.02, '2026-11-25'],
			['Ravi', numbers[1] ?? 0, null, 1250, '2026-11-28'],
		]
		await writeFile(path, tableWorkbook(rows))
		await app.withPage({ as: person, size }, async ({ page }) => {
			await startForm(page, { name: 'Bills', template: 'dues_reminder' })
			await chooseFile(page, path)
			await seeTally(page, 'Get the message', 2)
			await openStep(page, 'message')
			await variable(page, 3).fill('{{Due amount}} by {{Due date}}')
			const asha = 'Dear Asha, your dues at our Pune branch are'
			await seePreview(page, { size }, `${asha} 82,76,075.02 by 25 Nov 2026 rupees.`)
			await page.getByRole('combobox', { name: 'Format of Due amount' }).click()
			await page.getByRole('option', { name: '₹82,76,075.02' }).click()
			await page.getByRole('combobox', { name: 'Format of Due date' }).click()
			await page.getByRole('option', { name: '25/11/2026' }).click()
			await seePreview(page, { size }, `${asha} ₹82,76,075.02 by 25/11/2026 rupees.`)
			await page.getByRole('button', { name: 'Send Campaign' }).click()
			await page.getByText('1 person has no Branch. Type what they should read instead, e.g. friend.').first().waitFor()
			await page.getByRole('textbox', { name: 'If Branch is empty, write in Variable 2' }).pressSequentially('M G Road')
			await seeValue(variable(page, 2), '‹Branch›')
			const ravi = 'Dear Ravi, your dues at our M G Road branch are ₹1,250.00 by 28/11/2026 rupees.'
			await seePreview(page, { size, next: 'Ravi' }, ravi)
			await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
			assert.deepEqual(await axeFindings(page, 'Create Campaign with a workbook'), [])
			await send(page)
			await seeBadge(page, 'completed', FINISH_MS)
		})
		const { messages } = await app.product.simulator.control.received(`91${numbers[1]}`)
		assert.match(JSON.stringify(messages), /Ravi.*M G Road.*₹1,250\.00 by 28\/11\/2026/)
	})

async function seeValues(page: Page, values: string[]) {
	for (const [at, value] of values.entries()) await seeValue(variable(page, at + 1), value)
}

async function seeRejected(page: Page) {
	const download = page.waitForEvent('download')
	await page.getByRole('button', { name: 'Rows left out (CSV)' }).click()
	const lines = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/)
	assert.equal(lines.length, 3)
	assert.match(lines[1] ?? '', /^Nobody,12,Pune,1,/)
	assert.match(lines[2] ?? '', /^Again,.*The same number as in row 2/)
}

/** Chooses the column of the name, whose header does not show that it is one. */
async function nameColumn(page: Page) {
	await page.getByPlaceholder('None').first().click()
	await page.getByRole('option', { name: 'Customer', exact: true }).click()
	await page.getByText('Preview for Person 0').waitFor({ timeout: 60_000 })
}

async function seeInReport(page: Page) {
	const table = page.getByRole('region', { name: 'Sent messages' })
	await page.getByRole('searchbox', { name: 'Search by name or number' }).fill(numberOf(1234))
	await page.keyboard.press('Enter')
	await page.waitForURL(/search=/)
	const row = table.getByRole('row').filter({ hasText: '+91 98100 01234' })
	await row.getByText('read', { exact: true }).waitFor()
	await seeCount(table.getByRole('row'), 2)
}

async function exportAll(page: Page): Promise<string> {
	const download = page.waitForEvent('download')
	await page.getByRole('button', { name: 'Export CSV' }).click()
	const file = await download
	const path = join(folder, file.suggestedFilename())
	await file.saveAs(path)
	const lines = (await readFile(path, 'utf8')).trim().split(/\r?\n/)
	assert.equal(lines.length, ROWS + 1)
	return path
}

/**
 * Uploads the export of the report as the audience of a new campaign, and checks that every row is valid and filled in:
 * the export contains the values of the merge tags.
 */
async function uploadAgain(page: Page, path: string) {
	await startForm(page, { name: 'Dues again', template: 'dues_reminder' })
	await chooseFile(page, path)
	await seeTally(page, 'Get the message', ROWS)
	await seeTally(page, 'Left out', 0)
	const phone = page.getByRole('figure', { name: 'Message preview' })
	await phone.getByText('Dear Person 0, your dues at our Branch 0 branch are 0 rupees.').waitFor()
}
