import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { account, type TestAccount } from '#test/factories.ts'
import { mailsTo } from '#test/readers/outbox.ts'
import { codeOf } from '#test/scenes/second-factor.ts'
import { until } from '#test/until.ts'
import { axeFindings } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { button, field } from './locators.ts'
import { openScreen } from './open-screen.ts'
import { fillSignIn } from './people.ts'

const app = await launchApp()
const { context } = app.product.process

const status = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()

async function expectAccessible(page: Page) {
	assert.deepEqual(await axeFindings(page, new URL(page.url()).pathname), [])
}

/** Waits for a mail to `email` in which the pattern matches. Returns the match, which is an address. */
async function mailedPath(email: string, pattern: RegExp): Promise<string> {
	const find = async () =>
		(await mailsTo(context, email)).map((mail) => pattern.exec(mail)?.[0]).findLast((path) => path !== undefined)
	await until(async () => (await find()) !== undefined)
	return (await find()) ?? ''
}

const UNDO = /\/email-change\/undo#[\w-]{43}$/m
const AGREE = /\/email-change\/agree#[\w-]{43}$/m

async function changeEmail(page: Page, email: string) {
	await openScreen(page, '/profile')
	await button(page, 'Edit Profile').click()
	await field(page, 'Email Address').fill(email)
	await button(page, 'Save Changes').click()
	await page.getByText('New address waits for confirmation').waitFor()
}

/** Sets up a second factor in its open form. Returns its secret and recovery codes. */
async function setUpFactor(page: Page, password: string): Promise<{ secret: string; codes: string[] }> {
	await field(page, 'Current Password').last().fill(password)
	await button(page, 'Continue').click()
	await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
	const secret = await page.getByText(/^[A-Z2-7]{32}$/).innerText()
	await expectAccessible(page)
	await field(page, 'Code').fill('000000')
	await button(page, 'Switch on').click()
	await page.getByText('This code is wrong or was used already. Wait for the next one.').waitFor()
	await field(page, 'Code').fill(codeOf({ secret }, 0))
	await button(page, 'Switch on').click()
	const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
	await codes.first().waitFor()
	await expectAccessible(page)
	const download = page.waitForEvent('download')
	await button(page, 'Download the codes').click()
	const text = await readFile(await (await download).path(), 'utf8')
	const shown = await codes.allInnerTexts()
	assert.ok(shown.length === 10 && shown.every((code) => text.includes(code)))
	await button(page, 'I have kept them').click()
	return { secret, codes: shown }
}

async function signInAgain(page: Page, person: TestAccount) {
	await page.evaluate(() => localStorage.clear())
	await page.goto('/login')
	await fillSignIn(page, person)
	await page.getByRole('heading', { name: 'Second step' }).waitFor()
}

for (const size of SIZES) {
	suite(`at ${size.width} pixels`, () => {
		test('a second factor is set up, requested at sign-in, replaced by a recovery code, and removed', async () => {
			const person = await account(context, { name: 'Tara Two Steps' })
			await app.withPage({ as: await app.signedIn(person.email), size }, async ({ page, tolerate }) => {
				// The 400 answers a wrong code and the 401 asks for one; a browser may request an icon after a download (404).
				tolerate(/status of 40[014]/)
				await openScreen(page, '/settings?part=security')
				await button(page, 'Set up').click()
				const { secret, codes } = await setUpFactor(page, person.password)
				await page.getByText('10 of 10 recovery codes left').waitFor()

				await signInAgain(page, person)
				await expectAccessible(page)
				await field(page, 'Code').fill('000000')
				await button(page, 'Login').click()
				await page.getByText('This code is wrong or was used already').waitFor()
				await field(page, 'Code').fill(codeOf({ secret }))
				await button(page, 'Login').click()
				await page.waitForURL('/user/dashboard')

				await signInAgain(page, person)
				await button(page, 'Use a recovery code').click()
				await field(page, 'Recovery code').fill(codes[3] ?? '')
				await button(page, 'Login').click()
				await page.getByText('Recovery code used. 9 left.').waitFor()
				await page.waitForURL('/user/dashboard')

				await openScreen(page, '/settings?part=security')
				await page.getByText('9 of 10 recovery codes left').waitFor()
				await button(page, 'Remove').click()
				await field(page, 'Current Password').fill(person.password)
				await field(page, 'Code').fill(codes[5] ?? '')
				await expectAccessible(page)
				await button(page, 'Remove two-step login').click()
				await page.getByText('Two-step login is off').waitFor()
				await button(page, 'Set up').waitFor()
			})
		})

		test('a changed email waits for confirmation, and the link mailed to the old address undoes it and ends all sessions', async () => {
			const person = await account(context, { name: 'Uma Undo' })
			const there = `new.${person.email}`
			await app.withPage({ as: await app.signedIn(person.email), size }, async ({ page, tolerate }) => {
				// A call in progress when the session ends may be answered with 400 or 401.
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

		test('the link mailed to the old email confirms the change, and the profile shows no pending change', async () => {
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

		test('the page of an email link shows if it is incomplete, was never issued, or has expired', async () => {
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

suite('an admin resets a lost second factor', () => {
	test('View shows that the second factor is on, and a second press resets it', async () => {
		const [person, admin] = [await account(context, { name: 'Lola Lost' }), await account(context, { role: 'admin' })]
		await app.withPage({ as: await app.signedIn(person.email) }, async ({ page, tolerate }) => {
			tolerate(/status of 40[01]/)
			await openScreen(page, '/settings?part=security')
			await button(page, 'Set up').click()
			await setUpFactor(page, person.password)
		})
		await app.withPage({ as: await app.signedIn(admin.email) }, async ({ page }) => {
			await openScreen(page, '/admin/manage/users?search=Lola')
			await button(page, 'View Lola Lost').click()
			const dialog = page.getByRole('dialog')
			await dialog.getByRole('button', { name: 'Reset' }).click()
			await dialog.getByRole('button', { name: 'Yes, reset it' }).click()
			await page.getByText('Two-step login was reset').waitFor()
		})
	})
})

/** Checks only the address: one page replaces another here before that one has loaded. */
const untilSecondFactor = (page: Page) => until(() => new URL(page.url()).pathname === '/second-factor')

suite('REQUIRE_ADMIN_TOTP', async () => {
	const strict = await launchApp({ env: { REQUIRE_ADMIN_TOTP: '1' }, fill: async () => {} })
	for (const size of SIZES) {
		test(`an admin without a second factor must set one up at ${size.width} pixels, and then sees the app`, async () => {
			const admin = await account(strict.product.process.context, { role: 'admin' })
			await strict.withPage({ size }, async ({ page, tolerate }) => {
				tolerate(/status of 40[03]/)
				await page.goto('/login')
				await fillSignIn(page, admin)
				await untilSecondFactor(page)
				await page.goto('/admin/manage/users')
				await untilSecondFactor(page)
				await expectAccessible(page)
				await setUpFactor(page, admin.password)
				await page.waitForURL('/admin/dashboard')
				await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
			})
		})
	}
})
