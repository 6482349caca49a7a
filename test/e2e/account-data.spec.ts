import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { formatDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { account, contact } from '#test/factories.ts'
import { unzip } from '#test/readers/unzip.ts'
import { DEMO_ADMIN } from '../../scripts/demo/data.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { openScreen } from './open-screen.ts'

const app = await launchApp()
const { context } = app.product.process
const admin = await app.signedIn(DEMO_ADMIN.email)

/** Presses the button. Returns the files of the downloaded zip. */
async function filesSavedBy(page: Page, name: string): Promise<Record<string, string>> {
	const saving = page.waitForEvent('download')
	await page.getByRole('button', { name, exact: true }).click()
	const saved = await saving
	assert.match(saved.suggestedFilename(), /^all_data_\d+_\d{4}-\d\d-\d\d\.zip$/)
	return unzip(await readFile(await saved.path()))
}

suite('all data of an account', () => {
	for (const size of SIZES) {
		test(`a user downloads everything as one zip from the settings, ${size.width} pixels wide`, async () => {
			const person = await account(context, { name: `Leaving ${size.width}` })
			await contact(context.db, person.accountId, { firstName: 'Taken along' })
			await app.withPage({ as: await app.signedIn(person.email), size }, async ({ page }) => {
				await openScreen(page, '/settings?part=data')
				const files = await filesSavedBy(page, 'Download everything')
				assert.match(files['contacts.csv'] ?? '', /Taken along/)
				assert.match(files['README.txt'] ?? '', /contacts\.csv: /)
			})
		})

		test(`an admin sees until when a deleted user’s data is retained and downloads it with a password, ${size.width} pixels wide`, async () => {
			const name = `Gone ${size.width}`
			const person = await account(context, { name })
			await app.withPage({ as: admin, size }, async ({ page }) => {
				await openScreen(page, `/admin/manage/users?search=${person.email}`)
				const act = async (word: string) => {
					if (size.width < 1024) {
						await page.getByRole('button', { name: `Actions for ${name}` }).click()
						await page.getByRole('menuitem', { name: word, exact: true }).click()
					} else await page.getByRole('button', { name: `${word} ${name}` }).click()
				}
				await act('Delete')
				const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' })
				await dialog.getByText('90 days', { exact: true }).waitFor()
				await dialog.getByRole('button', { name: 'Delete' }).click()
				const deleted = page.getByRole('table', { name: 'Deleted users' }).getByRole('row').filter({ hasText: name })
				const day = formatDay(new Date(Date.now() + 90 * DAY_MS).toISOString())
				await deleted.getByText(day, { exact: true }).waitFor()
				await page.getByRole('button', { name: `Download data of ${name}` }).click()
				await page.getByRole('dialog').getByRole('textbox', { name: 'Current Password' }).fill(DEMO_ADMIN.password)
				assert.match((await filesSavedBy(page, 'Download'))['profile.json'] ?? '', /Gone/)
			})
		})
	}

	test('an admin’s settings offer no download of everything', () =>
		app.withPage({ as: admin }, async ({ page }) => {
			await openScreen(page, '/settings')
			await page.getByText('Recent sign-ins and changes', { exact: true }).waitFor()
			assert.equal(await page.getByRole('button', { name: 'Download everything' }).count(), 0)
		}))
})
