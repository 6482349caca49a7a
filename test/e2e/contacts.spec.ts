import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createUser } from '#features/auth/server/service.ts'
import { contacts } from '#features/contacts/contract.ts'
import { listCountDrift } from '#features/contacts/server/count-queries.ts'
import { tableWorkbook, textRow, workbook } from '#test/files/workbook.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings, settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { chooseRare, fillNewContact, pick } from './pages/contact-form.ts'

const ROWS = 50_000
const app = await launchApp()
const folder = await mkdtemp(join(tmpdir(), 'test-contacts-'))
after(() => rm(folder, { recursive: true, force: true }))

/** Chooses a file on disk: unpacking a file from memory would keep the page busy. */
async function choose(page: Page, lines: string[]) {
	const path = join(folder, `${lines.length}.csv`)
	await writeFile(path, lines.join('\r\n'))
	await page.locator('input[type=file]').setInputFiles(path)
}

const upload = (page: Page) => page.getByRole('button', { name: 'Upload Contacts' }).click()

/** Waits until the preview of a file counts this many rows of a kind. */
function seeTile(page: Page, kind: string, count: number): Promise<void> {
	return page
		.getByRole('region', { name: 'Preview' })
		.getByRole('button', { name: new RegExp(`^${kind}\\s*${count}\\b`) })
		.waitFor()
}

async function newUser(name: string) {
	const email = `${name}@example.test`
	await createUser(app.product.process.context, { name, email, password: 'secret-1', role: 'user', isActive: true })
	return app.signedIn(email)
}

/** Returns the duration in milliseconds of the longest task of the page while it read a file of these people. */
async function longestTaskMs(page: Page, people: string[]): Promise<number> {
	await page.evaluate(`window.busy = new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration)
	}); window.longest = 0; window.busy.observe({ type: 'longtask' })`)
	await choose(page, ['firstName,lastName,number', ...people])
	await page.getByText(people.length.toLocaleString('en-IN'), { exact: true }).first().waitFor()
	return page.evaluate<number>('window.busy.disconnect(); window.longest')
}

test('a CSV of 50,000 rows is stored without duplicates after the connection is lost and the upload resumed', async () => {
	const person = await newUser('uploader')
	const lines = Array.from({ length: ROWS }, (_, index) => `Person ${index},Rao,9${String(800_000_000 + index)}`)
	await app.withPage({ as: person }, async ({ page }) => {
		await page.goto('/upload/contact?tab=bulk')
		await settled(page)
		// The page's longest task with all rows is compared with that of a few rows, because a busy machine has long tasks
		// anyway.
		const longest = { few: 0, all: 0 }
		for (let attempt = 0; attempt < 5; attempt++) {
			longest.few = Math.max(longest.few, await longestTaskMs(page, lines.slice(0, 500)))
			await page.getByRole('button', { name: 'Remove 501.csv' }).click()
			longest.all = await longestTaskMs(page, lines)
			if (longest.all <= Math.max(100, 2 * longest.few)) break
			await page.getByRole('button', { name: 'Remove 50001.csv' }).click()
		}
		assert.ok(
			longest.all <= Math.max(100, 2 * longest.few),
			`the page was busy for ${longest.all} ms, and ${longest.few} ms for 500 rows`,
		)

		let calls = 0
		let isDown = false
		await page.route(`**${contacts.addMany.path}`, async (route) => {
			if (++calls > 5 && isDown) return route.abort('aborted')
			// The server accepts the fifth call, but its answer is lost.
			if (calls === 5) {
				isDown = true
				await route.fetch()
				return route.abort('aborted')
			}
			return route.continue()
		})
		await upload(page)
		const bar = page.getByRole('progressbar', { name: 'Uploading contacts' })
		await bar.waitFor()
		await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
		assert.equal(await bar.getAttribute('aria-valuenow'), '8000')
		await page.getByRole('button', { name: 'Resume' }).click()
		await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
		isDown = false
		await page.getByRole('link', { name: 'Contact Groups' }).click()
		const question = page.getByRole('dialog', { name: 'Stop this upload?' })
		await question.getByRole('button', { name: 'Keep uploading' }).click()
		await page.getByRole('button', { name: 'Resume' }).click()
		await page.getByText('48,000 customers added', { exact: true }).waitFor()
		await page.getByText('2,000 already in your contacts, left unchanged').waitFor()
		await page.getByText('48,000 contacts uploaded successfully').waitFor()
		await page.getByRole('region', { name: 'Latest Contacts (Last 10)' }).getByText('Person 49999').waitFor()
		await openScreen(page, '/contact/management')
		await page.getByText('50,000 contacts').waitFor()
	})
	assert.deepEqual([...(await listCountDrift(app.product.db, person.accountId))], [])
})

test('the cells of a workbook stay whole when they contain the separators of other files', async () => {
	const person = await newUser('excel')
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/upload/contact?tab=bulk')
		await settled(page)
		const book = tableWorkbook([
			['name', 'shop|city|pin', 'number'],
			['Asha', 'Silk|Pune|411001', '9876543210'],
		])
		await page.locator('input[type=file]').setInputFiles({ name: 'people.xlsx', mimeType: '', buffer: book })
		await page.getByRole('row', { name: /Asha .*98765 43210/ }).waitFor()
		await upload(page)
		await page.getByText('1 customer added', { exact: true }).waitFor()
	})
})

for (const size of SIZES)
	test(`hidden rows, unlikely numbers and rows without a name are left out of an upload until they are ticked, at ${size.width} pixels`, async () => {
		const person = await newUser(`hidden-${size.width}`)
		const people = ['Name,Mobile', 'Asha,9876500001', 'Ravi,9876500003', 'Meena,98123 45', ',9876500005']
		const rows = people.map((row) => textRow(row.split(',')))
		const buffer = workbook(rows.with(2, rows[2]?.replace('<row', '<row hidden="1"') ?? '').join(''))
		const isStored = async (...names: string[]) => {
			const stored = await app.product.db<{ name: string }[]>`
				select first_name as name from contacts where account_id = ${person.accountId} order by number
			`
			return assert.deepEqual(
				stored.map(({ name }) => name),
				names,
			)
		}
		await app.withPage({ as: person, size }, async ({ page }) => {
			await openScreen(page, '/upload/contact?tab=bulk')
			const file = page.locator('input[type=file]')
			await file.setInputFiles({ name: 'people.xlsx', mimeType: '', buffer })
			await page.getByText('1 row hidden in the file').waitFor()
			await page.getByText('Left out: 1 without a name.').waitFor()
			await seeTile(page, 'Looks wrong', 1)
			assert.deepEqual(await axeFindings(page, 'the preview with hidden rows'), [])
			await upload(page)
			await page.getByText('Left out: 1 without a name, 1 number that looks wrong').waitFor()
			await isStored('Asha')
			await page.getByRole('button', { name: 'Upload another file' }).click()
			await file.setInputFiles({ name: 'people.xlsx', mimeType: '', buffer })
			await page.getByRole('checkbox', { name: 'Include them' }).check()
			await page.getByText('They were hidden by a filter or by hand, and are included.').waitFor()
			await seeTile(page, 'New', 1)
			await page.getByRole('checkbox', { name: 'Also upload the 1 number that looks wrong' }).check()
			await page.getByRole('button', { name: 'Use the number as the name' }).click()
			await seeTile(page, 'New', 2)
			await upload(page)
			await page.getByText('3 customers added', { exact: true }).waitFor()
			await isStored('Asha', 'Ravi', '+919876500005', 'Meena')
		})
	})

test('an upload of contacts stops on Pause and completes on Resume', async () => {
	const person = await newUser('pauser')
	const lines = Array.from({ length: 8000 }, (_, index) => `Person ${index},,9${String(700_000_000 + index)}`)
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/upload/contact?tab=bulk')
		await settled(page)
		// The first chunks wait until Pause is clicked, so that the upload cannot end before.
		const { promise: paused, resolve: onPause } = Promise.withResolvers<void>()
		await page.route(`**${contacts.addMany.path}`, (route) => paused.then(() => route.continue()))
		await choose(page, ['firstName,lastName,number', ...lines])
		await page.getByText('8,000', { exact: true }).waitFor()
		await upload(page)
		await page.getByRole('button', { name: 'Pause', exact: true }).click()
		onPause()
		await page.getByText('Paused').waitFor()
		await page.getByRole('button', { name: 'Resume' }).click()
		await page.getByText('8,000 customers added', { exact: true }).waitFor()
	})
})

test('a CSV of contacts with other headers is mapped to columns, and the error report lists every refused row', async () => {
	const person = await newUser('mapper')
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/upload/contact?tab=bulk')
		await settled(page)
		await upload(page)
		await page.getByRole('alert').getByText('Please select a CSV file').first().waitFor()
		const rows = ['who;surname;how', 'Asha;Rao;9876543210', 'Ravi;;9.19E+11', ';x;9812345678', 'Twin;;+91 98765 43210']
		await choose(page, rows)
		await page.getByText('Choose the columns with the first name and the number').waitFor()
		await pick(page, 'First name', 'who')
		await pick(page, 'Number', 'how')
		await page.getByText('The same number as in row 2').waitFor()
		await page.getByRole('row', { name: /Ravi .* Wrong/ }).waitFor()
		assert.deepEqual(await axeFindings(page, 'the preview'), [])
		await upload(page)
		await page.getByText('1 customer added', { exact: true }).waitFor()
		await page.getByRole('alert').getByText('9.19E+11: Excel has shortened this number').first().waitFor()
		const saving = page.waitForEvent('download')
		await page.getByText(/^Left out: /).click()
		await page.getByRole('button', { name: 'Rows left out (CSV)' }).click()
		const report = await readFile(await (await saving).path(), 'utf8')
		assert.deepEqual(
			report
				.split('\r\n')
				.slice(1)
				.map((line) => line.split(',')[3]),
			['3', '4', '5', undefined],
		)
	})
})

test('a contact can be added, edited, opted out, searched, moved, exported and deleted', async () => {
	const person = await newUser('manager')
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/user/manage/contact/groups')
		await settled(page)
		await page.getByRole('button', { name: 'Add New Group' }).click()
		const groupForm = page.getByRole('dialog', { name: 'Add New Group' })
		await groupForm.getByRole('button', { name: 'Save' }).click()
		await groupForm.getByText('Name and type are required').waitFor()
		await groupForm.getByRole('textbox', { name: 'Name' }).fill('Neighbours')
		await groupForm.getByRole('button', { name: 'Save' }).click()
		await page.getByText('Contact group added successfully').waitFor()

		await openScreen(page, '/contact/management')
		const form = await fillNewContact(page, { first: 'अमिता', number: '98765 4' })
		await form.getByText('Understood as +98 7654 (Iran). Too short for a mobile number: please check it.').waitFor()
		await form.getByRole('textbox', { name: 'Number' }).fill('९८७६५ ४३२१०')
		await form.getByText('Understood as +91 98765 43210 (India)').waitFor()
		await form.getByRole('button', { name: 'Save' }).click()
		await form.waitFor({ state: 'detached' })

		await page.getByRole('button', { name: 'Edit अमिता' }).click()
		const edit = page.getByRole('dialog', { name: 'Edit Contact' })
		await edit.getByRole('textbox', { name: 'Last name' }).fill('शर्मा')
		await edit.getByRole('button', { name: 'Save' }).click()
		await page.getByText('Contact updated successfully').waitFor()
		await chooseRare(page, 'अमिता शर्मा', 'Opt out of marketing')
		await page.getByText('Opted out', { exact: true }).waitFor()

		await page.getByRole('searchbox').fill('मिता श')
		await page.keyboard.press('Enter')
		await page.getByText('1 contact found').waitFor()
		await page.getByRole('checkbox', { name: 'Select अमिता शर्मा' }).check()
		await pick(page, 'Move to group', 'Neighbours')
		await page.getByText('1 contact moved successfully').waitFor()
		await page.getByRole('cell', { name: 'Neighbours' }).waitFor()

		const saving = page.waitForEvent('download')
		await page.getByRole('button', { name: 'Export CSV' }).click()
		const exported = await readFile(await (await saving).path(), 'utf8')
		assert.match(exported, /अमिता,शर्मा,\(\+91\) 98765 43210,Neighbours,yes,/)

		await openScreen(page, '/user/manage/contact/groups')
		await page.getByRole('button', { name: 'Delete Neighbours' }).click()
		await page.getByText('Its one contact stays, without a group.').waitFor()
		await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
		await page.getByText('Contact group deleted successfully').waitFor()
		await openScreen(page, '/contact/management')
		await page.getByRole('button', { name: 'Delete अमिता शर्मा' }).click()
		await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
		await page.getByText('Contact deleted successfully').waitFor()
		await page.getByText('No contacts yet').waitFor()
	})
})

test('a saved contact leaves no draft when the page is reloaded before the list shows it', async () => {
	const person = await newUser('quick')
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/contact/management')
		const form = await fillNewContact(page, { first: 'Lakshmi', number: '98765 43212' })
		// The list gets no answer.
		await page.route('**/api/contacts?*', () => {})
		await form.getByRole('button', { name: 'Save' }).click()
		await page.getByText('Contact added successfully').waitFor()
		await page.unrouteAll()
		await page.reload()
		await page.getByRole('button', { name: 'Delete Lakshmi' }).waitFor()
		assert.equal(await page.getByRole('dialog').count(), 0)
	})
})

test('the upload screen shows the ten latest contacts and offers a sample CSV', async () => {
	const user = await app.signedIn(DEMO_USER.email)
	await app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/upload/contact')
		await settled(page)
		assert.equal(await page.getByRole('button', { name: /^Edit / }).count(), 10)
		await page.getByRole('tab', { name: 'Bulk Upload' }).click()
		const saving = page.waitForEvent('download')
		await page.getByRole('button', { name: 'Download Sample CSV' }).click()
		assert.equal((await saving).suggestedFilename(), 'sample_contacts.csv')
	})
})
