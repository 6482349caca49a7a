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
