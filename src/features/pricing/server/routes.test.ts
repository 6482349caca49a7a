import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notifications } from '#features/notifications/contract.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { pricing } from '../contract.ts'

const app = await launchTestApp({ env: { DEFAULT_MARKETING_PRICE: '0.85', DEFAULT_UTILITY_PRICE: '0.12' } })
const admin = await app.signIn('admin')

type Price = number | string
const change = (userId: string, marketingPrice: Price, utilityPrice: Price) =>
	app.call(pricing.update, { params: { userId }, body: { marketingPrice, utilityPrice } }, admin)
const pricesOf = async (person: TestAccount) => (await app.call(pricing.mine, {}, person)).body

test('getPrices of a new account returns DEFAULT_MARKETING_PRICE and DEFAULT_UTILITY_PRICE', async () => {
	assert.deepEqual(await pricesOf(await app.signIn('user')), { marketingPrice: 0.85, utilityPrice: 0.12 })
})

test('pricing.list returns users with prices and profile, ten a page, and finds them by name or email', async () => {
	for (let index = 0; index < 12; index++) await account(app.context, { name: `Payer ${index}` })
	const { body } = await app.call(pricing.list, { query: { page: 1, limit: 10, search: 'payer' } }, admin)
	assert.deepEqual([body.users.length, body.pages, body.users[0]?.name], [10, 2, 'Payer 11'])
	const second = await app.call(pricing.list, { query: { page: 2, limit: 10, search: 'payer' } }, admin)
	assert.deepEqual(
		second.body.users.map(({ name, marketingPrice, utilityPrice }) => [name, marketingPrice, utilityPrice]),
		[
			['Payer 1', 0.85, 0.12],
			['Payer 0', 0.85, 0.12],
		],
	)
	const [payer] = second.body.users
	assert.deepEqual([payer?.role, payer?.isActive, payer?.walletBalance], ['user', true, 0])
	assert.ok(Date.parse(payer?.createdAt ?? '') > 0)
	const admins = await app.call(pricing.list, { query: { page: 1, limit: 10, search: admin.email } }, admin)
	assert.deepEqual(admins.body.users, [])
})

test('pricing.update changes the prices, and a repeated call sends no notification and writes no audit line', async () => {
	const person = await app.signIn('user')
	for (let time = 0; time < 2; time++) {
		const { status, body } = await change(person.userId, 0.9, '0.29')
		assert.equal(status, 200)
		assert.deepEqual(body, {
			pricing: { marketingPrice: 0.9, utilityPrice: 0.29 },
			message: 'Prices updated successfully',
		})
	}
	assert.deepEqual(await pricesOf(person), { marketingPrice: 0.9, utilityPrice: 0.29 })
	const notified = await app.call(notifications.list, { query: { page: 1 } }, person)
	const words = 'Your prices per message are now: marketing ₹0.90, utility ₹0.29'
	assert.equal(notified.body.notifications.filter(({ text }) => text === words).length, 1)
	const written = await app.context.db`
		select details from admin_actions where action = 'prices-changed' and subject_id = ${person.userId}
	`
	assert.deepEqual(
		written.map((row) => String(row.details)),
		['marketing ₹0.85, utility ₹0.12 → marketing ₹0.90, utility ₹0.29'],
	)
})

test('pricing.update returns 400 and changes no price for negative and unreadable prices and those over the maximum', async () => {
	const person = await app.signIn('user')
	const unreadable = 'must be an amount with up to two decimals'
	const refused: [value: Price, why: string][] = [
		[-0.01, 'cannot be negative'],
		['-5', 'cannot be negative'],
		[0.005, unreadable],
		[0.1 + 0.2, unreadable],
		[Number.NaN, unreadable],
		['１２', unreadable],
		['1,000', unreadable],
		['', unreadable],
		[1e21, 'cannot be above ₹10,000'],
		[10_000.01, 'cannot be above ₹10,000'],
	]
	for (const [value, why] of refused) {
		const marketing = await change(person.userId, value, 0.1)
		assert.deepEqual([marketing.status, marketing.body.message], [400, `Marketing price ${why}`], String(value))
		const utility = await change(person.userId, 0.1, value)
		assert.deepEqual([utility.status, utility.body.message], [400, `Utility price ${why}`], String(value))
	}
	assert.deepEqual(await pricesOf(person), { marketingPrice: 0.85, utilityPrice: 0.12 })
})

test('pricing.update accepts a price of 0, and stores -0 as 0', async () => {
	const person = await app.signIn('user')
	assert.equal((await change(person.userId, 0, -0)).status, 200)
	assert.deepEqual(await pricesOf(person), { marketingPrice: 0, utilityPrice: 0 })
})

test('pricing.update keeps the current price of a field named in `unchanged` after another admin changed it', async () => {
	const person = await app.signIn('user')
	await change(person.userId, 0.95, 0.12)
	const body = { marketingPrice: 0.85, utilityPrice: 0.2, unchanged: ['marketingPrice' as const] }
	const answer = await app.call(pricing.update, { params: { userId: person.userId }, body }, admin)
	assert.deepEqual(answer.body.pricing, { marketingPrice: 0.95, utilityPrice: 0.2 })
	assert.deepEqual(await pricesOf(person), { marketingPrice: 0.95, utilityPrice: 0.2 })
})

test('pricing.update returns 404 for admins and unknown users', async () => {
	for (const userId of [admin.userId, '999999999']) {
		const { status, body } = await change(userId, 1, 1)
		assert.deepEqual([status, body.message], [404, 'User not found'])
	}
})

const abroadOf = async (person: TestAccount) => {
	const { body } = await app.call(pricing.one, { params: { userId: person.userId } }, admin)
	return body.pricing
}
const home = { marketingPrice: 0.85, utilityPrice: 0.12 }
const fixed = (...fixedPrices: object[]) => ({ abroad: { rule: 'same', percent: 0, fixedPrices } })
const put = (person: TestAccount, body: object) =>
	app.call(pricing.update, { params: { userId: person.userId }, body: { ...home, ...body } }, admin)

test('pricing.update stores prices for authentication, replies and other countries, keeps those it does not name, and audits old and new values', async () => {
	const person = await app.signIn('user')
	const emirates = { market: 'AE', category: 'marketing', price: '3.90' } as const
	const first = await put(person, {
		authenticationPrice: '0.2',
		servicePrice: 0.12,
		abroad: { rule: 'card', percent: '10', fixedPrices: [emirates] },
	})
	assert.equal(first.status, 200)
	const expected = {
		...home,
		authenticationPrice: 0.2,
		servicePrice: 0.12,
		abroad: { rule: 'card', percent: 10, fixedPrices: [{ ...emirates, price: 3.9 }] },
		passesOnFree: false,
	}
	assert.deepEqual(await abroadOf(person), expected)
	await put(person, {})
	assert.deepEqual(await abroadOf(person), expected)
	await put(person, { authenticationPrice: null, abroad: { rule: 'blocked', percent: 10, fixedPrices: [] } })
	const written = await app.context.db<{ details: string }[]>`
		select details from admin_actions where action = 'prices-changed' and subject_id = ${person.userId} order by id
	`
	assert.deepEqual(
		written.map(({ details }) => details),
		[
			'marketing ₹0.85, utility ₹0.12, authentication as utility, replies ₹0.00, other countries as India → marketing ₹0.85, utility ₹0.12, authentication ₹0.20, replies ₹0.12, other countries at WhatsApp’s rate + 10 %; United Arab Emirates marketing by the rule → ₹3.90',
			'marketing ₹0.85, utility ₹0.12, authentication ₹0.20, other countries at WhatsApp’s rate + 10 % → marketing ₹0.85, utility ₹0.12, authentication as utility, other countries blocked; United Arab Emirates marketing ₹3.90 → by the rule',
		],
	)
	const { notifications: listed } = (await app.call(notifications.list, { query: { page: 1 } }, person)).body
	const words =
		'Your prices per message are now: marketing ₹0.85, utility ₹0.12, replies ₹0.12, and other prices for numbers outside India'
	assert.equal(listed[0]?.text, words)
})

test('pricing.update passes on what WhatsApp does not charge once it is chosen, audits it and notifies the user', async () => {
	const person = await app.signIn('user')
	for (const passesOnFree of [true, true, false]) {
		assert.equal((await put(person, { passesOnFree })).status, 200)
		assert.equal((await abroadOf(person)).passesOnFree, passesOnFree)
		assert.equal((await app.call(pricing.mineByMarket, {}, person)).body.passesOnFree, passesOnFree)
	}
	const written = await app.context.db<{ details: string }[]>`
		select details from admin_actions where action = 'prices-changed' and subject_id = ${person.userId} order by id
	`
	const [on, off] = ['refunded', 'not refunded'].map(
		(words) => `marketing ₹0.85, utility ₹0.12, messages that WhatsApp does not charge ${words}`,
	)
	assert.deepEqual(
		written.map(({ details }) => details),
		[`${off} → ${on}`, `${on} → ${off}`],
	)
	const { notifications: listed } = (await app.call(notifications.list, { query: { page: 1 } }, person)).body
	const start = 'Your prices per message are now: marketing ₹0.85, utility ₹0.12, and template messages that WhatsApp'
	assert.deepEqual(
		listed.slice(0, 2).map(({ text }) => text),
		[`${start} does not charge are no longer refunded`, `${start} does not charge are refunded`],
	)
})

test('pricing.mineByMarket returns what each market costs, and neither rule nor percentage', async () => {
	const person = await app.signIn('user')
	const mine = async () => (await app.call(pricing.mineByMarket, {}, person)).body
	assert.deepEqual(await mine(), {
		...home,
		authenticationPrice: 0.12,
		servicePrice: 0,
		passesOnFree: false,
		markets: [],
	})
	await put(person, {
		abroad: { rule: 'card', percent: 10, fixedPrices: [{ market: 'NP', category: 'utility', price: 1 }] },
	})
	const { markets } = await mine()
	assert.equal(markets.length, 46)
	const [emirates, nepal] = ['AE', 'NP'].map((id) => markets.find(({ market }) => market === id))
	assert.deepEqual(emirates, {
		market: 'AE',
		name: 'United Arab Emirates',
		marketing: { price: 4.03, refusal: null },
		utility: { price: 1.27, refusal: null },
		authentication: { price: 1.27, refusal: null },
		service: { price: 0, refusal: null },
	})
	assert.deepEqual(
		[nepal?.marketing, nepal?.utility],
		[
			{ price: null, refusal: 'no_rate' },
			{ price: 1, refusal: null },
		],
	)
})

test('pricing.update returns 400 and changes nothing for invalid prices, percentages and fixed prices', async () => {
	const person = await app.signIn('user')
	const emirates = { market: 'AE', category: 'marketing', price: 1 }
	const percent = 'The percentage must be a whole number from 0 to 500'
	const refused: [body: object, message: string][] = [
		[{ authenticationPrice: 0.1234 }, 'Authentication price must be an amount with up to two decimals'],
		[{ servicePrice: '0.1234' }, 'Reply price must be an amount with up to two decimals'],
		[{ passesOnFree: 'yes' }, 'Choose whether messages that WhatsApp does not charge are refunded'],
		[{ servicePrice: -1 }, 'Reply price cannot be negative'],
		[fixed({ ...emirates, price: '3.9012' }), 'United Arab Emirates price must be an amount with up to two decimals'],
		[fixed({ ...emirates, price: 10_000.01 }), 'United Arab Emirates price cannot be above ₹10,000'],
		[fixed({ ...emirates, market: 'IN' }), 'Choose a country from the list'],
		[fixed(emirates, { ...emirates, price: 2 }), 'Each country and category can have one fixed price'],
		[{ abroad: { rule: 'card', percent: 501, fixedPrices: [] } }, percent],
		[{ abroad: { rule: 'card', percent: '7.5', fixedPrices: [] } }, percent],
		[{ abroad: { rule: 'card', percent: -1, fixedPrices: [] } }, percent],
		[{ abroad: { rule: 'cheap', percent: 0, fixedPrices: [] } }, 'Choose what messages to other countries cost'],
	]
	const before = await abroadOf(person)
	for (const [body, message] of refused) {
		const answer = await put(person, { ...body, marketingPrice: 0.9 })
		assert.deepEqual([answer.status, answer.body.message], [400, message])
	}
	assert.deepEqual(await abroadOf(person), before)
})
