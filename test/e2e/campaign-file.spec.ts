import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { chooseFile, insertTag, seeBadge, seeStatus, seeTally, send, startForm } from './campaign-pages.ts'
import { launchApp } from './fixtures.ts'

/** 50,000 in a run of its own. */
const ROWS = Number(process.env.CAMPAIGN_FILE_ROWS ?? 5000)
/** The network runs in the same process: a faster number would only time out on a machine that is shared. */
const PER_SECOND = 600
/** So many messages, and a status webhook or two for each, on a machine that is shared. */
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
	await syncTemplates(product.process.context, sender.ownerId)
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

test('a file of thousands of rows with merge tags becomes a finished report, whose export is read as an audience again', async () => {
	const { person } = await newSender()
	const path = await writeDues()
	await app.withPage({ as: person, size: { width: 1440, height: 1400 } }, async ({ page }) => {
		await startForm(page, { name: 'Dues of November', template: 'dues_reminder' })
		await chooseFile(page, path)
		await page.getByText('File "dues.csv" uploaded successfully').waitFor({ timeout: 60_000 })
		await seeTally(page, 'valid', ROWS)
		await seeTally(page, 'invalid', 1)
		await seeTally(page, 'duplicate', 1)
		await seeRejected(page)
		await nameColumn(page)
		await insertTag(page, 1, 'Customer')
		await insertTag(page, 2, 'Branch')
		await insertTag(page, 3, 'Due')
		const phone = page.getByRole('figure', { name: 'Message preview' })
		await phone.getByText('Dear Person 0, your dues at our Branch 0 branch are 0 rupees.').waitFor()
		await send(page, { asks: true })
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

test('a campaign is sent when its file is chosen before its variables are typed', async () => {
	const sender = await sendingAccount(app.product, { contacts: 1, balancePaise: 100_000, perSecond: PER_SECOND })
	const path = join(folder, 'two.csv')
	await writeFile(path, 'Customer,Mobile\nAsha,9876500001\nRavi,9876500002\n')
	await app.withPage({ as: await app.signedIn(sender.email) }, async ({ page }) => {
		await startForm(page, { name: 'File first', template: 'hello' })
		await chooseFile(page, path)
		await seeTally(page, 'valid', 2)
		await page.getByRole('textbox', { name: 'Variable {{1}}' }).fill('friend')
		await send(page)
		await seeBadge(page, 'completed')
		await seeStatus(page, 'Read', 2)
	})
})

async function seeRejected(page: Page) {
	const download = page.waitForEvent('download')
	await page.getByRole('button', { name: 'Rejected rows (CSV)' }).click()
	const lines = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/)
	assert.equal(lines.length, 3)
	assert.match(lines[1] ?? '', /^Nobody,12,Pune,1,/)
	assert.match(lines[2] ?? '', /^Again,.*The same number as in row 2/)
}

/** Tells which column holds the name, which its header does not show. */
async function nameColumn(page: Page) {
	await page.getByPlaceholder('None').first().click()
	await page.getByRole('option', { name: 'Customer', exact: true }).click()
	await page.getByText('As Person 0 would see it').waitFor({ timeout: 60_000 })
}

async function seeInReport(page: Page) {
	const table = page.getByRole('region', { name: 'Sent messages' })
	await page.getByRole('searchbox', { name: 'Search by name or number' }).fill(numberOf(1234))
	await page.keyboard.press('Enter')
	await page.waitForURL(/search=/)
	const row = table.getByRole('row').filter({ hasText: '+91 98100 01234' })
	await row.getByText('read', { exact: true }).waitFor()
	assert.equal(await table.getByRole('row').count(), 2)
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

/** The export has the values of the merge tags, too: the same message can be sent to the same people. */
async function uploadAgain(page: Page, path: string) {
	await startForm(page, { name: 'Dues again', template: 'dues_reminder' })
	await chooseFile(page, path)
	await seeTally(page, 'valid', ROWS)
	await seeTally(page, 'invalid', 0)
	for (const [index, tag] of ['Customer', 'Branch', 'Due'].entries()) await insertTag(page, index + 1, tag)
	await page.getByText('Dear Person 0, your dues at our Branch 0 branch are 0 rupees.').waitFor()
}
