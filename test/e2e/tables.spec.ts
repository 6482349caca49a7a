import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { createUser } from '#features/auth/server/service.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { createGroup } from '#features/contacts/server/groups/groups.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { until } from '#test/until.ts'
import { DEMO_ADMIN, DEMO_USER } from '../../scripts/demo/data.ts'
import { settled } from './axe.ts'
import { launchApp } from './fixtures.ts'
import { seeFocus } from './keyboard-steps.ts'
import { openScreen } from './open-screen.ts'
import { layoutFindings } from './walk/layout.ts'
import { show } from './walk/settle.ts'

const app = await launchApp()
const { context } = app.product.process
const user = await app.signedIn(DEMO_USER.email)
const admin = await app.signedIn(DEMO_ADMIN.email)

const LONG_NAME = 'Wholesale buyers of Pune and Mumbai who ordered by the bale in the last two year'
await createGroup(context.db, user.accountId, { name: LONG_NAME, type: 'national', description: null })
await createGroup(context.db, user.accountId, { name: 'Pune'.repeat(20), type: 'national', description: null })

const WIDTHS = [320, 390, 641, 700, 720, 768, 900, 1024, 1100, 1280]
const LISTS = {
	user: [
		'/user/view/template/campaign/message',
		'/user/template/management',
		'/contact/management',
		'/contact/opt-outs',
		'/user/manage/contact/groups',
		'/user/recharge/transaction?tab=statement',
	],
	admin: [
		'/admin/manage/users',
		'/admin/recharge/wallet',
		'/admin/recharge/wallet/transaction/history',
		'/admin/pricing/management',
		'/admin/audit',
		'/admin/webhooks',
	],
}

suite('lists from 320 to 1280 pixels', () => {
	for (const [role, paths] of Object.entries(LISTS))
		test(`every list of the role ${role} fits, and tears no word apart`, (t) =>
			app.withPage({ as: role === 'admin' ? admin : user }, async ({ page }) => {
				for (const path of paths)
					await t.test(`${path} fits, and tears no word apart`, async () => {
						await openScreen(page, path)
						await page.locator('main tbody tr').filter({ visible: true }).first().waitFor()
						const faults: string[] = []
						for (const width of WIDTHS) {
							await show(page, { width, height: 800 }, 'light')
							faults.push(...(await layoutFindings(page)).map((fault) => `${width}: ${fault}`))
						}
						assert.deepEqual(faults, [])
					})
			}))
})

const leftOf = async (found: Locator) => Math.round((await found.boundingBox())?.x ?? 0)

test('from 768 to 1100 pixels campaigns that do not fit in a table are rows of five columns below their headers', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/view/template/campaign/message')
		const row = page.locator('[data-row]').first()
		await row.waitFor()
		for (const width of [768, 900, 1030, 1100]) {
			await show(page, { width, height: 800 }, 'light')
			assert.ok(((await row.boundingBox())?.height ?? 999) <= 64, `the rows are high at ${width} pixels`)
			const lefts = new Set<number>()
			for (const name of ['Name', 'Status', 'Total', 'Sent', 'Failed', 'Cost', 'Created At']) {
				const left = await leftOf(row.locator(`[data-label="${name}"]`))
				assert.equal(await leftOf(header(page, name)), left, `${name} at ${width} pixels`)
				lefts.add(left)
			}
			lefts.add(await leftOf(row.locator('[data-narrow=beside]')))
			assert.equal(lefts.size, 5, `at ${width} pixels`)
		}
	}))

test('the actions of a row are one menu in a narrow table, with the same effects as the buttons', () =>
	app.withPage({ as: admin, size: { width: 1024, height: 800 } }, async ({ page }) => {
		await openScreen(page, '/admin/manage/users')
		await page.getByRole('button', { name: `Actions for ${DEMO_USER.name}` }).click()
		await page.getByRole('menuitem', { name: 'View' }).click()
		await page.getByRole('dialog', { name: DEMO_USER.name }).waitFor()
		await page.keyboard.press('Escape')
		await page.setViewportSize({ width: 1440, height: 900 })
		await page.getByRole('button', { name: `View ${DEMO_USER.name}` }).waitFor()
	}))

test('a sum longer than its column makes the table scroll, is not broken and does not widen the page', async () => {
	const email = 'long-balance@example.test'
	await createUser(context, { name: 'Long Balance', email, password: 'secret-1', role: 'user', isActive: true })
	const { accountId } = await app.signedIn(email)
	await post(context.db, accountId, { kind: 'recharge', reference: 'long', paise: 99_99_99_99_99_99_999 })
	await app.withPage({ as: admin }, async ({ page }) => {
		await openScreen(page, `/admin/recharge/wallet?search=${email}`)
		await page.getByRole('region', { name: 'Users' }).getByText('99,99').waitFor()
		await show(page, { width: 1072, height: 800 }, 'light')
		assert.match((await layoutFindings(page)).join('\n'), /^a table of \d+ px in \d+ px: .*$/)
		await show(page, { width: 390, height: 844 }, 'light')
		assert.deepEqual(await layoutFindings(page), [])
	})
})

test('the rows of a table remain table rows for screen readers when they are displayed as cards', () =>
	app.withPage({ as: user, size: { width: 390, height: 844 } }, async ({ page }) => {
		await openScreen(page, '/user/manage/contact/groups')
		await settled(page)
		const rows = page.getByRole('table', { name: 'Contact Groups' }).getByRole('row')
		const [head, first] = [await rows.first().boundingBox(), await rows.nth(1).boundingBox()]
		assert.ok(head && first && first.height > 80, 'the rows are not cards')
		// A group with a description, because a card omits empty values.
		const described = rows.filter({ hasText: 'More than ten orders' })
		assert.equal(await described.getByRole('cell').filter({ visible: true }).count(), 6)
	}))

test('the focused control of a row keeps the focus when the rows become cards', () =>
	app.withPage({ as: user, size: { width: 1440, height: 900 } }, async ({ page }) => {
		await openScreen(page, '/user/view/template/campaign/message')
		const first = page.getByRole('link', { name: /^View / }).first()
		await first.focus()
		const name = (await first.getAttribute('aria-label')) ?? ''
		for (const width of [1024, 390, 1440]) {
			await page.setViewportSize({ width, height: 900 })
			await seeFocus(page, page.getByRole('link', { name, exact: true }))
		}
		const sort = header(page, 'Name').getByRole('button')
		await sort.focus()
		await page.setViewportSize({ width: 390, height: 900 })
		await seeFocus(page, sort)
	}))

const namesOf = (page: Page) => page.locator('tbody td:first-child bdi').allTextContents()

const header = (page: Page, name: string): Locator => page.getByRole('columnheader', { name })

test('a click on a header sorts the groups, and the address keeps the order over a reload and in cards', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/user/manage/contact/groups')
		await settled(page)
		assert.equal(await header(page, 'Created At').getAttribute('aria-sort'), 'descending')
		await header(page, 'Name').getByRole('button').click()
		await page.waitForURL(/\?sort=name$/)
		await settled(page)
		// The address changes before the table does.
		await header(page, 'Name').and(page.locator('[aria-sort=ascending]')).waitFor()
		const before = await namesOf(page)
		assert.ok(before.length >= 6)
		const names = before.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
		// The rows keep the previous order until the sorted ones are loaded.
		await until(async () => isDeepStrictEqual(await namesOf(page), names))
		await header(page, 'Name').getByRole('button').click()
		await page.waitForURL(/\?sort=name&order=desc$/)
		await page.reload()
		await settled(page)
		await until(async () => isDeepStrictEqual(await namesOf(page), names.toReversed()))
		await page.setViewportSize({ width: 390, height: 844 })
		assert.equal(await header(page, 'Name').getAttribute('aria-sort'), 'descending')
		await header(page, 'Created At').getByRole('button').click()
		await page.waitForURL(/\/groups$/)
	}))

/** Creates a user with `size` contacts, named in turn Asha and Ravi, in a group "Old". */
async function userWith(name: string, size: number) {
	const email = `${name}@example.test`
	await createUser(context, { name, email, password: 'secret-1', role: 'user', isActive: true })
	const person = await app.signedIn(email)
	const group = await createGroup(context.db, person.accountId, { name: 'Old', type: 'national', description: null })
	await insertContacts(
		context.db,
		person.accountId,
		Array.from({ length: size }, (_, index) => ({
			firstName: index % 2 === 0 ? 'Asha' : 'Ravi',
			lastName: String(index),
			number: `9197${String(20_000_000 + index)}`,
			groupId: group.id,
		})),
	)
	return person
}

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const confirm = (page: Page, title: string, button: string) =>
	page.getByRole('dialog', { name: title }).getByRole('button', { name: button }).click()

test('all matching contacts are selected together, opted out, opted in, taken out of their group and deleted', async () => {
	const person = await userWith('selector', 120)
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/contact/management?search=asha')
		const selectAll = async () => {
			await page.getByRole('checkbox', { name: 'Select this page' }).check()
			await page.getByRole('button', { name: 'Select all matching' }).click()
			await page.getByText('All 60 matching contacts selected').waitFor()
		}
		await selectAll()
		await page.getByRole('button', { name: 'Next' }).click()
		await page.getByRole('checkbox', { name: /^Select Asha 98/ }).waitFor()
		assert.equal(await page.getByRole('checkbox', { name: /^Select Asha/, checked: true }).count(), 10)
		await page.getByRole('button', { name: 'Opt out of marketing', exact: true }).click()
		await confirm(page, 'Opt 60 contacts out of marketing?', 'Opt out')
		await toast(page, '60 numbers opted out of marketing')
		await selectAll()
		await page.getByRole('button', { name: 'Opt back in' }).click()
		await confirm(page, 'Send 60 contacts marketing again?', 'Opt back in')
		await toast(page, '60 numbers opted in to marketing again')
		await selectAll()
		await page
			.getByRole('textbox', { name: 'Move to group' })
			.or(page.getByRole('combobox', { name: 'Move to group' }))
			.first()
			.click()
		await page.getByRole('option', { name: 'No Group' }).click()
		await confirm(page, 'Remove 60 contacts from their groups?', 'Move')
		await toast(page, '60 contacts moved successfully')
		await selectAll()
		await page.getByRole('button', { name: 'Delete', exact: true }).click()
		await confirm(page, 'Delete 60 contacts?', 'Delete')
		await toast(page, '60 contacts deleted successfully')
		await page.getByText('No contacts match').waitFor()
	})
})

test('the selection of all matching contacts is not offered while the rows on screen belong to another search', async () => {
	const person = await userWith('hasty', 24)
	await app.withPage({ as: person }, async ({ page }) => {
		await openScreen(page, '/contact/management?search=asha')
		await page.getByRole('checkbox', { name: 'Select this page' }).check()
		const selectAll = page.getByRole('button', { name: 'Select all 12 matching' })
		await selectAll.waitFor()
		const { promise: released, resolve: release } = Promise.withResolvers<void>()
		await page.route(/\/api\/contacts\?.*search=ravi/, async (route) => {
			await released
			await route.continue()
		})
		const search = page.getByRole('searchbox').or(page.getByPlaceholder('Search by name or number')).first()
		await search.fill('ravi')
		await search.press('Enter')
		await selectAll.waitFor({ state: 'detached' })
		await page
			.getByRole('checkbox', { name: /^Select Asha/ })
			.first()
			.waitFor()
		release()
		await page
			.getByRole('checkbox', { name: /^Select Ravi/ })
			.first()
			.waitFor()
	})
})

test('a deletion of all contacts is refused with the current number when one was added meanwhile', async () => {
	const person = await userWith('latecomer', 24)
	await app.withPage({ as: person }, async ({ page, allow }) => {
		await openScreen(page, '/contact/management')
		await page.getByRole('checkbox', { name: 'Select this page' }).check()
		await page.getByRole('button', { name: 'Select all 24 contacts' }).click()
		const late = { firstName: 'Late', lastName: null, number: '919811111111', groupId: null }
		await insertContacts(context.db, person.accountId, [late])
		await page.getByRole('button', { name: 'Delete', exact: true }).click()
		allow(/status of 409/)
		await confirm(page, 'Delete 24 contacts?', 'Delete')
		await page
			.getByText(/^Nothing was changed: 25 contacts match by now/)
			.first()
			.waitFor()
		await page.getByText('25 contacts', { exact: true }).waitFor()
	})
})

test('the menu marks the entry of the current screen’s section', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await openScreen(page, '/campaign/1')
		const menu = page.getByRole('navigation', { name: 'Main menu' })
		await menu.locator('a[aria-current=true]', { hasText: 'Campaign Messages' }).waitFor()
		await openScreen(page, '/contact/opt-outs')
		await menu.locator('a[aria-current=true]', { hasText: 'Manage Contact' }).waitFor()
		await openScreen(page, '/contact/management')
		await menu.locator('a[aria-current=page]', { hasText: 'Manage Contact' }).waitFor()
	}))

test('a contact’s number is copied in the form in which it is dialled', () =>
	app.withPage({ as: user }, async ({ page }) => {
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await openScreen(page, '/contact/management')
		await settled(page)
		await page.getByRole('row').nth(1).hover()
		await page
			.getByRole('row')
			.nth(1)
			.getByRole('button', { name: /^Copy \+91/ })
			.click()
		assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^\+91\d{10}$/)
	}))
