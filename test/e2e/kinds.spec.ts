import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { sendingAccount } from '#test/full-stack.ts'
import { axeFindingsInSchemes, settled } from './axe.ts'
import { launchApp, SIZES } from './fixtures.ts'
import { openScreen } from './open-screen.ts'
import { openStep, seeBadge, send, startForm } from './pages/campaign-pages.ts'
import { approveTemplate, holdReviews } from './pages/template-review.ts'

const PICTURE = fileURLToPath(new URL('../../scripts/demo/festive-sale.jpg', import.meta.url))
const BROWSER = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'
const [WIDE, PHONE] = SIZES

const app = await launchApp({ statuses: { failRate: 0 } })
await holdReviews(app.product)

async function shopOfThree() {
	const sender = await sendingAccount(app.product, { contacts: 3, balancePaise: 2000 })
	return { ...sender, person: await app.signedIn(sender.email) }
}

async function seeAccessible(page: Page, what: string) {
	for (const { width } of [PHONE, WIDE]) {
		// The window is as high as the page, as bars would cover a part of what scrolls behind them.
		await page.setViewportSize({ width, height: 4000 })
		await settled(page)
		assert.deepEqual(await axeFindingsInSchemes(page, `${what}, ${width} px`), [])
	}
	await page.setViewportSize(WIDE)
}

async function chooseKind(page: Page, kind: string) {
	await page.getByRole('combobox', { name: 'Kind of message' }).click()
	await page.getByRole('option', { name: kind }).click()
}

/** Submits the form, and lets WhatsApp approve the template. */
async function create(page: Page, { accountId }: Awaited<ReturnType<typeof shopOfThree>>, name: string) {
	await page.getByRole('button', { name: 'Create Template' }).click()
	await page.waitForURL('/user/template/management')
	await approveTemplate(app.product, { accountId, name })
	await page
		.locator('[data-row]', { hasText: name })
		.or(page.getByRole('row', { name }))
		.first()
		.getByText('APPROVED')
		.waitFor()
}

async function fillCard(card: Locator, number: number) {
	await card.locator('input[type=file]').setInputFiles(PICTURE)
	await card.getByText('festive-sale.jpg').first().waitFor()
	await card
		.getByRole('textbox', { name: `Text of card ${number}` })
		.fill(number === 1 ? 'Sofa {{1}} in oak' : `Sofa ${number}`)
	await card.getByRole('textbox', { name: 'URL', exact: true }).fill(`https://sofas.example/${number}`)
}

test('a carousel of ten cards is made, approved and sent, and the report shows the clicks of one card', async () => {
	const shop = await shopOfThree()
	await app.withPage({ as: shop.person }, async ({ page }) => {
		await openScreen(page, '/user/create/template')
		await settled(page)
		await page.getByRole('textbox', { name: 'Template name' }).fill('sofa_week')
		await chooseKind(page, 'Carousel of cards')
		await page.getByRole('textbox', { name: 'Body text' }).fill('Our sofas of the week.')
		const card = (number: number) => page.getByRole('listitem', { name: `Card ${number}`, exact: true })
		for (let number = 1; number <= 10; number++) {
			if (number === 2)
				await card(2)
					.getByRole('button', { name: /^Card 2/ })
					.click()
			if (number > 2) await page.getByRole('button', { name: 'Add card' }).click()
			await fillCard(card(number), number)
			// Later cards begin with the labels of the card before.
			if (number < 3) await card(number).getByRole('textbox', { name: 'Button text' }).fill('Shop now')
		}
		await card(10).getByRole('button', { name: 'Move card 10 up' }).press('Enter')
		await page.getByText('Card moved to place 9 of 10').waitFor({ state: 'attached' })
		await page.getByRole('button', { name: 'Create Template' }).click()
		const example = card(1).getByRole('textbox', { name: 'Example for {{1}}' })
		await example.and(page.locator(':focus')).waitFor()
		await seeAccessible(page, 'a carousel with an error')
		await example.fill('A1')
		await create(page, shop, 'sofa_week')

		await startForm(page, { name: 'Sofas', template: 'sofa_week' })
		await page
			.getByRole('group', { name: 'Card 1', exact: true })
			.getByRole('textbox', { name: /Variable 1/ })
			.fill('{{firstName}}')
		await seeAccessible(page, 'the values of a carousel')
		await openStep(page, 'people')
		await send(page)
		await seeBadge(page, 'completed')
		const payload = await firstMessage(shop)
		assert.match(payload, /Contact 0/)
		const tokens = Array.from(payload.matchAll(/"sub_type":"url".*?"text":"([\w-]+)"/g), ([, token]) => token)
		assert.equal(tokens.length, 10)
		assert.equal(await follow(tokens[2]), 'https://sofas.example/3')
		const clicks = page.getByRole('list', { name: 'People who clicked, by button' })
		await clicks
			.getByRole('listitem')
			.filter({ hasText: /^Card 3 · Shop now\s*1/ })
			.waitFor()
		await seeAccessible(page, 'the clicks by card')
	})
})

test('a limited-time offer with a code is made on a phone, approved, sent with its end, and its click is counted', async () => {
	const shop = await shopOfThree()
	await app.withPage({ as: shop.person, size: PHONE }, async ({ page }) => {
		await openScreen(page, '/user/create/template')
		await settled(page)
		await page.getByRole('textbox', { name: 'Template name' }).fill('diwali_offer')
		await chooseKind(page, 'Limited-time offer')
		await page.getByRole('textbox', { name: 'Body text' }).fill('Our Diwali prices end soon, come and see.')
		await page.getByRole('textbox', { name: 'Text of the offer' }).fill('Ends soon')
		await page.getByRole('textbox', { name: 'Example of the code' }).fill('DIWALI25')
		await page.getByRole('textbox', { name: 'Button text' }).fill('Shop now')
		await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://sofas.example/diwali')
		await seeAccessible(page, 'an offer')
		await page.setViewportSize(PHONE)
		await create(page, shop, 'diwali_offer')

		await startForm(page, { name: 'Diwali', template: 'diwali_offer' })
		await page.getByRole('textbox', { name: 'Offer code' }).fill('DIWALI10')
		await page.getByRole('textbox', { name: 'End of the offer' }).fill(indianDay(Date.now() + DAY_MS))
		await page.getByText(/^The offer ends on .*11:59 pm\.$/).waitFor()
		await seeAccessible(page, 'the values of an offer')
		await page.setViewportSize(PHONE)
		await openStep(page, 'people')
		await send(page)
		await seeBadge(page, 'completed')
		const payload = await firstMessage(shop)
		assert.match(payload, /"coupon_code":"DIWALI10"/)
		const ends = Date.parse(`${indianDay(Date.now() + DAY_MS)}T23:59:00+05:30`)
		assert.ok(payload.includes(`"expiration_time_ms":${ends}`))
		const [, token] = /"sub_type":"url".*?"text":"([\w-]+)"/.exec(payload) ?? []
		assert.equal(await follow(token), 'https://sofas.example/diwali')
		await page
			.getByRole('list', { name: 'Messages accepted, delivered, read and answered' })
			.getByRole('listitem')
			.filter({ hasText: /^Clicked a link\s*1/ })
			.waitFor()
	})
})

/** Follows a counted link as a phone does. Returns where it leads. */
async function follow(token: string | undefined): Promise<string | null> {
	const headers = { 'user-agent': BROWSER }
	const answer = await fetch(`${app.product.process.url}/l/${token}`, { redirect: 'manual', headers })
	return answer.headers.get('location')
}

/** Returns the number of the account's first contact. */
async function firstNumber({ accountId }: Awaited<ReturnType<typeof shopOfThree>>): Promise<string> {
	const [contact] = await app.product.db<{ number: string }[]>`
		select number from contacts where account_id = ${accountId} order by id limit 1
	`
	return contact?.number ?? ''
}

/** Returns the request of the message that the account's first contact received. */
async function firstMessage(shop: Awaited<ReturnType<typeof shopOfThree>>): Promise<string> {
	const { messages } = await app.product.simulator.control.received(await firstNumber(shop))
	return JSON.stringify(messages.at(-1)?.payload)
}
