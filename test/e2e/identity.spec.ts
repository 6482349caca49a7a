import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { account } from '#test/factories.ts'
import { until } from '#test/until.ts'
import { axeFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { fillSignIn } from './people.ts'

const app = await launchApp()
const { context } = app.product.process

const SIZES = [
	{ width: 1440, height: 900 },
	{ width: 390, height: 844 },
]

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const status = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()

async function expectAccessible(page: Page) {
	assert.deepEqual(await axeFindings(page, new URL(page.url()).pathname), [])
}

/** The address that this pattern finds in the newest mail to `email`, once there is one. */
async function mailedPath(email: string, pattern: RegExp): Promise<string> {
	const outbox = `${context.env.DATA_DIR}/outbox`
	const find = async () => {
		const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.eml')).toSorted()
		const mails = await Promise.all(files.map((file) => readFile(`${outbox}/${file}`, 'utf8')))
		const mine = mails.filter((mail) => mail.includes(`To: ${email}\n`)).map((mail) => mail.replace(/=\n/g, ''))
		return mine.map((mail) => pattern.exec(mail)?.[0]).findLast((path) => path !== undefined)
	}
	await until(async () => (await find()) !== undefined)
	return (await find()) ?? ''
}

const UNDO = /\/email-change\/undo#[\w-]{43}$/m
const AGREE = /\/email-change\/agree#[\w-]{43}$/m

async function changeEmail(page: Page, email: string) {
	await page.goto('/profile')
	await button(page, 'Edit Profile').click()
	await field(page, 'Email Address').fill(email)
	await button(page, 'Save Changes').click()
	await page.getByText('New address waits for confirmation').waitFor()
}

for (const size of SIZES) {
	suite(`at ${size.width} pixels`, () => {
		test('a changed email waits for confirmation, and the link mailed to the old one undoes it and ends all sessions', async () => {
			const person = await account(context, { name: 'Uma Undo' })
			const there = `new.${person.email}`
			await app.withPage({ as: await app.signedIn(person.email), size }, async ({ page, tolerate }) => {
				// Of calls that are under way when the session ends.
				tolerate(/status of 40[01]/)
				await changeEmail(page, there)
				await page.getByText(person.email, { exact: true }).waitFor()
				await expectAccessible(page)
				const link = await mailedPath(person.email, UNDO)
				await page.goto(link)
				await page.getByText(there).waitFor()
				await page.waitForURL('/email-change/undo')
				await expectAccessible(page)
				await button(page, 'Undo the change').click()
				await status(page, 'The change is undone, and everybody is signed out of your account.')
				await expectAccessible(page)
				await page.goto('/profile')
				await page.waitForURL(/\/login/)
				await fillSignIn(page, person)
				await page.waitForURL('/profile')
				await page.getByText(person.email, { exact: true }).waitFor()
				await page.goto(link)
				await page.getByText('This change has been undone').waitFor()
				assert.equal(await button(page, 'Undo the change').count(), 0)
			})
		})

		test('the owner of the old email agrees by the mailed link, and the profile waits no longer', async () => {
			const person = await account(context, { name: 'Amit Agrees' })
			await app.withPage({ as: await app.signedIn(person.email), size }, async ({ page }) => {
				await changeEmail(page, `new.${person.email}`)
				const link = await mailedPath(person.email, AGREE)
				await page.goto(link)
				await expectAccessible(page)
				await button(page, 'Confirm the change').click()
				await status(page, 'Thank you. The new address is confirmed.')
				await page.goto('/profile')
				await page.getByText(`new.${person.email}`).waitFor()
				assert.equal(await page.getByText('New address waits for confirmation').count(), 0)
				await page.goto(link)
				await page.getByText('This change has been confirmed').waitFor()
			})
		})

		test('a link about an email says when it is incomplete, was never made, or has expired', async () => {
			const person = await account(context, { name: 'Esha Expired' })
			await app.withPage({ as: await app.signedIn(person.email), size }, async ({ page, allow }) => {
				allow(/status of 400/)
				await page.goto('/email-change/agree')
				await page.getByText('This link is incomplete').waitFor()
				await page.goto(`/email-change/undo#${'x'.repeat(43)}`)
				await page.getByText('This link is no longer valid.').waitFor()
				await changeEmail(page, `new.${person.email}`)
				const link = await mailedPath(person.email, UNDO)
				await context.db`update users set email_unproved_until = now() where id = ${person.userId}`
				await page.goto(link)
				await page.getByText('This link has expired').waitFor()
				await expectAccessible(page)
			})
		})
	})
}
