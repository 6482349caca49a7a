import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chatPath } from '#features/chats/paths.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { trustedCertificate } from '#test/servers/certificate.ts'
import { axeFindingsInSchemes } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button, gone, text } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { chooseFile, openStep, seeBadge, send, startForm } from './pages/campaign-pages.ts'

const MEGABYTE = 1024 * 1024
const TALL = { width: 1440, height: 1400 }

const app = await launchApp({ env: { ALLOW_PRIVATE_TARGETS: '1' } })

/** Creates a shop whose template has a document in its header. */
async function newShop() {
	const { product } = app
	const components = [
		{ type: 'HEADER', format: 'DOCUMENT' },
		{ type: 'BODY', text: 'Your report is here.' },
	]
	const sender = await sendingAccount(product, { contacts: 3, components })
	const sample = `${sender.accountId}/headers/sample.pdf`
	await product.process.context.storage.put(sample, Buffer.from('%PDF-1.4 sample'))
	await product.db`update templates set header_file = ${sample} where account_id = ${sender.accountId}`
	const rows = await product.db<{ number: string }[]>`
		select number from contacts where account_id = ${sender.accountId} order by number
	`
	const { accountId } = sender
	return { accountId, numbers: rows.map(({ number }) => number), person: await app.signedIn(sender.email) }
}

/** Sets the room that an account has left for files, in bytes. */
const leaveRoom = (accountId: number, bytes: number) => app.product.db`
	update account_storage set bytes = ${app.product.process.context.env.ACCOUNT_STORAGE_MB * MEGABYTE - bytes}::bigint
	where account_id = ${accountId}
`

async function seeAccessible(page: Page, what: string) {
	for (const size of SIZES) {
		await page.setViewportSize(size)
		assert.deepEqual(await axeFindingsInSchemes(page, `${what}, ${size.width} px`), [])
	}
	await page.setViewportSize(TALL)
}

const fileOf = (name: string, content: string) => ({
	name,
	mimeType: 'application/pdf',
	buffer: Buffer.from(content),
})

test('a file for each person is uploaded in Create Campaign though the storage was full, matched with people, found again after a reload, and sent', async () => {
	const { accountId, numbers, person } = await newShop()
	const [first = '', second = ''] = numbers
	await app.withPage({ as: person, size: TALL }, async ({ page, allow }) => {
		allow(/400|413/)
		await leaveRoom(accountId, 20)
		await startForm(page, { name: 'Report cards', template: 'hello' })
		await openStep(page, 'people')
		await page.getByRole('radio', { name: 'A file for each person' }).click()
		await page
			.locator('input[type=file][multiple]')
			.setInputFiles([
				fileOf(`रिपोर्ट ${first}.pdf`, '%PDF-1.4 first'),
				fileOf(`${second}.pdf`, '%PDF-1.4 second'),
				fileOf('note.pdf', '%PDF-1.4 note'),
				fileOf('picture.pdf', 'no document'),
				fileOf('film.pdf', '%PDF-1.4'.padEnd(10 * MEGABYTE + 1)),
			])
		await page.getByText(/There is no room for this file: your account may keep/).waitFor()
		await seeAccessible(page, 'a full storage')
		await leaveRoom(accountId, MEGABYTE)
		await button(page, 'Resume').click()
		await text(page, '2 files could not be taken').waitFor()
		await page.getByText(`रिपोर्ट ${first}.pdf`).first().waitFor()
		await page.reload()
		await openStep(page, 'people')
		await page.getByRole('status').filter({ hasText: '3 files' }).waitFor()
		await page.getByText(`रिपोर्ट ${first}.pdf`).first().waitFor()
		await button(page, 'Without a file (1)').click()
		await seeAccessible(page, 'files')
		await button(page, 'With a file (2)').click()
		await page.getByRole('radio', { name: 'Get the template’s file' }).click()
		await send(page)
		await seeBadge(page, 'completed')
	})
})

test('files are fetched from the addresses of a list, a refused address once more, and a chat shows the file of its person', async (t) => {
	const { numbers, person } = await newShop()
	let isThere = false
	const server = createServer(await trustedCertificate(), ({ url = '' }, response) => {
		if (url === '/marks-3.pdf' && !isThere) response.writeHead(404).end()
		else response.end(`%PDF-1.4 ${url}`)
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	t.after(() => server.close())
	const at = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
	const folder = await mkdtemp(join(tmpdir(), 'list-'))
	t.after(() => rm(folder, { recursive: true }))
	const list = join(folder, 'class.csv')
	const lines = numbers.map((number, index) => `${number},${at}/marks-${index + 1}.pdf`)
	await writeFile(list, ['Number,Report', ...lines].join('\n'))
	await app.withPage({ as: person, size: TALL }, async ({ page, allow }) => {
		allow(/400/)
		await startForm(page, { name: 'Marks', template: 'hello' })
		await chooseFile(page, list)
		await page.getByRole('radio', { name: 'A file for each person' }).click()
		await page.getByRole('radio', { name: /has the file name or https address/ }).click()
		await page.getByRole('combobox', { name: 'Column with the names or addresses' }).click()
		await page.getByRole('option', { name: 'Report' }).click()
		const fetchAll = button(page, 'Fetch 3 files from their addresses')
		await fetchAll.waitFor()
		await seeAccessible(page, 'addresses')
		await fetchAll.click()
		await text(page, '1 file could not be taken').waitFor()
		await button(page, 'Without a file (1)').click()
		const again = button(page, 'Try the refused addresses again')
		await again.waitFor()
		await seeAccessible(page, 'a refused address')
		isThere = true
		await again.click()
		await button(page, 'Fetch 1 file from its address').click()
		await button(page, 'With a file (3)').waitFor()
		await gone(page, '1 file could not be taken')
		await send(page)
		await seeBadge(page, 'completed')
		await openScreen(page, chatPath(numbers[2] ?? ''))
		await button(page, 'Download marks-3.pdf').waitFor()
		await seeAccessible(page, 'the file in a chat')
	})
})
