import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser } from '#features/auth/server/service.ts'
import { postRecharge } from '#features/wallet/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import { DEMO_USER } from '../../scripts/demo/data.ts'
import { axeFindings } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { openScreen } from './open-screen.ts'

const app = await launchApp()
const { context } = app.product.process
const user = await app.signedIn(DEMO_USER.email)

test('the word between the two days of a statement is on the same line as the last day', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/recharge/transaction?tab=statement')
		const lastDay = page.getByRole('textbox', { name: 'To', exact: true })
		await lastDay.waitFor()
		for (const width of [320, 390, 768, 1440]) {
			await page.setViewportSize({ width, height: 800 })
			const word = await page.getByText('to', { exact: true }).boundingBox()
			const day = await lastDay.boundingBox()
			assert.ok(word && day && word.x < day.x && word.y > day.y && word.y < day.y + day.height, `at ${width} pixels`)
		}
	}))

test('a long note has at least half the width of its card, with breakable and unbreakable words', async () => {
	const email = 'long-notes@example.test'
	await createUser(context, { name: 'Long Notes', email, password: 'secret-1', role: 'user', isActive: true })
	const person = await app.signedIn(email)
	for (const [reference, notes] of [
		['words', 'Paid by NEFT, '.repeat(35)],
		['one-word', 'NEFT'.repeat(120)],
	] as const)
		await transaction(context.db, (sql) => postRecharge(sql, person.accountId, { reference, amountPaise: 100, notes }))
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/user/recharge/transaction')
		await page.getByText(/^NEFTNEFT/).waitFor()
		for (const width of [320, 390, 768]) {
			await page.setViewportSize({ width, height: 800 })
			const list = page.getByRole('region', { name: 'Payments' })
			const room = (await list.boundingBox())?.width ?? 0
			for (const notes of await list.getByText(/NEFT/).all())
				assert.ok(((await notes.boundingBox())?.width ?? 0) > room / 2, `at ${width} pixels`)
		}
	})
})

test('the paging buttons keep their labels beside a four-digit number of pages', () =>
	app.withPage({ as: user, size: { width: 390, height: 844 } }, async ({ page }) => {
		await page.route('**/api/contacts?*', async (route) => {
			const answer = await route.fetch()
			const body = (await answer.json()) as object
			await route.fulfill({ response: answer, json: { ...body, page: 1000, pages: 1324 } })
		})
		await openScreen(page, '/contact/management?page=1000')
		for (const name of ['Previous', 'Next']) {
			await page.getByRole('button', { name }).waitFor()
			const isWhole = `[...document.querySelectorAll('button')]
				.filter(({ innerText }) => innerText.trim() === '${name}')
				.every((button) => [...button.querySelectorAll('*')].every((part) => part.scrollWidth <= part.clientWidth + 1))`
			assert.ok(await page.evaluate<boolean>(isWhole), name)
		}
	}))

test('on a phone one button opens the filters of a list and shows how many are set', () =>
	app.withPage({ as: user, size: { width: 390, height: 844 } }, async ({ page }) => {
		await openScreen(page, '/user/view/template/campaign/message')
		await page
			.getByRole('link', { name: /^View / })
			.first()
			.waitFor()
		const completed = page.getByRole('button', { name: 'Completed' })
		await completed.waitFor({ state: 'hidden' })
		const filters = page.getByRole('button', { name: 'Filters' })
		await filters.press('Enter')
		assert.deepEqual(await axeFindings(page, 'the opened filters'), [])
		await completed.press('Enter')
		await page.getByRole('button', { name: 'With tests' }).click()
		await page.getByRole('button', { name: 'Filters (2)', expanded: true }).press('Enter')
		await completed.waitFor({ state: 'hidden' })
		await page.setViewportSize({ width: 1440, height: 900 })
		await completed.waitFor()
		await filters.waitFor({ state: 'hidden' })
	}))

test('in a card on a phone the buttons are below the badge, right of the figures', () =>
	app.withPage({ as: user, size: { width: 390, height: 844 } }, async ({ page }) => {
		await openScreen(page, '/user/view/template/campaign/message')
		const card = page.locator('[data-row]').first()
		await card.getByRole('link', { name: /^View / }).waitFor()
		const box = async (narrow: string) => {
			const found = await card.locator(`[data-narrow=${narrow}]`).first().boundingBox()
			assert.ok(found)
			return { ...found, bottom: found.y + found.height, right: found.x + found.width }
		}
		const [badge, buttons, figures] = [await box('corner'), await box('beside'), await box('summary')]
		assert.ok(buttons.y - badge.bottom < 8 && Math.abs(buttons.right - badge.right) < 1, 'not at the badge')
		assert.ok(figures.right <= buttons.x + 1, 'not right of the figures')
	}))
