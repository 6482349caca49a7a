import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendingAccount } from '#test/full-stack.ts'
import { axeFindingsInSchemes } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button, text } from './locators.ts'
import { openStep, seeBadge, send, startForm } from './pages/campaign-pages.ts'

const app = await launchApp()

const fileOf = (name: string, content: string) => ({
	name,
	mimeType: 'application/pdf',
	buffer: Buffer.from(content),
})

test('a file for each person is uploaded in Create Campaign, matched with people and sent', async () => {
	const { product } = app
	const components = [
		{ type: 'HEADER', format: 'DOCUMENT' },
		{ type: 'BODY', text: 'Your report is here.' },
	]
	const sender = await sendingAccount(product, { contacts: 3, components })
	const sample = `${sender.accountId}/headers/sample.pdf`
	await product.process.context.storage.put(sample, Buffer.from('%PDF-1.4 sample'))
	const numbers = await product.db<{ number: string }[]>`
		select number from contacts where account_id = ${sender.accountId} order by number
	`
	await product.db`update templates set header_file = ${sample} where account_id = ${sender.accountId}`
	const [first = '', second = ''] = numbers.map(({ number }) => number)
	const person = await app.signedIn(sender.email)
	await app.withPage({ as: person, size: { width: 1440, height: 1400 } }, async ({ page, allow }) => {
		allow(/400/)
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
			])
		await text(page, '1 file could not be taken').waitFor()
		await page.getByText(`रिपोर्ट ${first}.pdf`).first().waitFor()
		await button(page, 'Without a file (1)').click()
		for (const size of SIZES) {
			await page.setViewportSize(size)
			assert.deepEqual(await axeFindingsInSchemes(page, `files, ${size.width} px`), [])
		}
		await page.setViewportSize({ width: 1440, height: 1400 })
		await button(page, 'With a file (2)').click()
		await page.getByRole('radio', { name: 'Get the template’s file' }).click()
		await send(page)
		await seeBadge(page, 'completed')
	})
})
