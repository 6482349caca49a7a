import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { expireHolds } from '#features/chats/server/charges/charges.ts'
import { margins } from '#features/dashboards/margin-contract.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { campaignWhen, launchProduct } from './full-stack.ts'
import { call } from './http-app.ts'
import {
	addContacts,
	addIndians,
	addTemplate,
	check,
	estimateOf,
	FIRST_INDIAN,
	noteHold,
	openPricedShop,
	order,
	reply,
	send,
	type Expected,
} from './scenes/priced-shop.ts'
import { until } from './until.ts'

/** Size of the campaign to fourteen markets: 87 % of its messages go to India, and 1 % to each other market. 200 or 10,000. */
const MESSAGES = process.env.CAMPAIGN_MESSAGES === '10000' ? 10_000 : 200

const product = await launchProduct({ statuses: { readRate: 0 } })
const { db, simulator } = product
const { control } = simulator

test('two replies within the allowance hold their price, and cost neither the account nor the operator', async () => {
	const shop = await openPricedShop(product)
	await reply(shop)
	await check(shop, { hold: 0.3, charge: 0, cost: 0, margin: 0 }, { messages: 2, free: 2 })
})

test('two replies beyond the allowance cost their price', async () => {
	const shop = await openPricedShop(product)
	await control.setBilling({ waba_id: shop.credentials.waba_id, free_service_messages: 0 })
	await reply(shop)
	await check(shop, { hold: 0.3, charge: 0.3, cost: 0.23, margin: 0.07 }, { messages: 2 })
})

test('two replies to a customer who came by an ad are free, also beyond the allowance', async () => {
	const shop = await openPricedShop(product)
	await control.setBilling({ waba_id: shop.credentials.waba_id, free_service_messages: 0 })
	await reply(shop, { isFromAd: true })
	await check(shop, { hold: 0.3, charge: 0, cost: 0, margin: 0 }, { messages: 2, free: 2 })
})

test('two replies that fail return their price', async () => {
	const shop = await openPricedShop(product)
	await control.setBilling({ waba_id: shop.credentials.waba_id, free_service_messages: 0 })
	await reply(shop, { fault: { kind: 'fail-later', code: 131026 } })
	await check(shop, { hold: 0.3, charge: 0, cost: 0, margin: 0 }, { messages: 0 })
})

test('two replies without pricing hold their price for 30 days, and then return it, while their cost is an estimate', async () => {
	const shop = await openPricedShop(product)
	await reply(shop, { fault: { kind: 'webhook-without-pricing' } })
	const usage = { messages: 2, estimated: 2 }
	await check(shop, { hold: 0.3, charge: 0, cost: 0.23, margin: -0.23 }, { ...usage, onHold: 0.3 })
	await db`update reply_charges set held_at = now() - interval '30 days' where account_id = ${shop.accountId}`
	await expireHolds(product.process.context)
	await check(shop, { hold: 0.3, charge: 0, cost: 0.23, margin: -0.23 }, usage)
})

test('ten marketing templates in India cost the home price', async () => {
	const shop = await openPricedShop(product)
	await addIndians(shop)
	await send(shop, await order(shop))
	await check(shop, { hold: 10, charge: 10, cost: 8.63, margin: 1.37 }, { messages: 10 })
})

test('ten marketing templates in the United Arab Emirates cost WhatsApp’s rate and ten percent', async () => {
	const shop = await openPricedShop(product)
	await addContacts(shop, '97150', { count: 10, digits: 7 })
	await send(shop, await order(shop))
	await check(shop, { hold: 40.3, charge: 40.3, cost: 36.61, margin: 3.69 }, { messages: 10 })
})

test('a campaign names a market without a rate and leaves it out', async () => {
	const shop = await openPricedShop(product)
	await addIndians(shop)
	await addContacts(shop, '97798', { count: 3, digits: 8 })
	assert.deepEqual((await estimateOf(shop)).unpriced, [{ market: 'Nepal', recipients: 3, reason: 'no_rate' }])
	assert.equal((await send(shop, await order(shop))).unpriced, 3)
	await check(shop, { hold: 10, charge: 10, cost: 8.63, margin: 1.37 }, { messages: 10 })
})

test('a campaign counts the recipients of a blocked market and leaves them out', async () => {
	const shop = await openPricedShop(product, { rule: 'blocked' })
	await addIndians(shop)
	await addContacts(shop, '97150', { count: 4, digits: 7 })
	const blocked = { market: 'United Arab Emirates', recipients: 4, reason: 'blocked' }
	assert.deepEqual((await estimateOf(shop)).unpriced, [blocked])
	assert.equal((await send(shop, await order(shop))).unpriced, 4)
	await check(shop, { hold: 10, charge: 10, cost: 8.63, margin: 1.37 }, { messages: 10 })
})

for (const [passesOnFree, charge, margin] of [
	[false, 10, 2.23],
	[true, 9, 1.23],
] as const)
	test(`a campaign to ten people of whom one came by an ad ${passesOnFree ? 'returns the price of the free message where it is passed on' : 'charges the free message too'}`, async () => {
		const shop = await openPricedShop(product, { passesOnFree })
		await addIndians(shop)
		await control.openEntryPoint({ phone_number_id: shop.credentials.phone_number_id, from: FIRST_INDIAN })
		await control.waitIdle()
		await send(shop, await order(shop))
		await check(shop, { hold: 10, charge, cost: 7.77, margin }, { messages: 10, free: 1 })
	})

test('a category that WhatsApp changes before sending pauses the campaign, and its confirmation holds the new price', async () => {
	const shop = await openPricedShop(product)
	await addIndians(shop)
	const id = await addTemplate(shop, 'UTILITY')
	const campaignId = await order(shop, id)
	assert.equal(shop.mostHeld, 3)
	await control.recategoriseTemplate({ id, category: 'MARKETING' })
	await campaignWhen(product, { ...shop, campaignId }, ({ status }) => status === 'paused')
	await noteHold(shop)
	assert.equal(shop.mostHeld, 3)
	const resumed = await call(shop.url, campaigns.resume, { params: { id: String(campaignId) }, token: shop.token })
	assert.equal(resumed.status, 200, resumed.body.message)
	await noteHold(shop)
	await send(shop, campaignId)
	await check(shop, { hold: 10, charge: 10, cost: 8.63, margin: 1.37 }, { messages: 10 })
})

test('a category that WhatsApp changes after sending changes no price', async () => {
	const shop = await openPricedShop(product)
	await addIndians(shop)
	const id = await addTemplate(shop, 'UTILITY')
	await send(shop, await order(shop, id))
	const expected = { hold: 3, charge: 3, cost: 1.15, margin: 1.85 }
	await check(shop, expected, { messages: 10 })
	await control.recategoriseTemplate({ id, category: 'MARKETING' })
	await until(async () => (await getTemplate(db, shop.accountId, id)).category === 'MARKETING')
	await check(shop, expected, { messages: 10 })
})

test('a changed category of which the product learns after sending costs the operator the new rate and the account the old price', async () => {
	const shop = await openPricedShop(product)
	const { waba_id } = shop.credentials
	await addIndians(shop)
	const id = await addTemplate(shop, 'UTILITY')
	const campaignId = await order(shop, id)
	await control.holdWebhooks({ waba_id })
	await control.recategoriseTemplate({ id, category: 'MARKETING' })
	await send(shop, campaignId)
	await control.releaseWebhooks({ waba_id })
	await check(shop, { hold: 3, charge: 3, cost: 8.63, margin: -5.63 }, { messages: 10 })
})

test('ten authentication templates cost the authentication price', async () => {
	const shop = await openPricedShop(product)
	await addIndians(shop)
	await send(shop, await order(shop, await addTemplate(shop, 'AUTHENTICATION'), { var1: '123456', url1: '123456' }))
	await check(shop, { hold: 2, charge: 2, cost: 1.15, margin: 0.85 }, { messages: 10 })
})

/** The other thirteen markets: first digits and length of the rest, price in rupees with ten percent, and WhatsApp's rate. */
const OTHER_MARKETS: [market: string, prefix: string, digits: number, price: number, rate: number][] = [
	['United Arab Emirates', '97150', 7, 4.03, 3.6613],
	['Germany', '49151', 8, 11.01, 10.0073],
	['France', '336', 8, 6.93, 6.3],
	['North America', '1212555', 4, 2.02, 1.8313],
	['Brazil', '55119', 8, 5.04, 4.5808],
	['Indonesia', '62812', 8, 3.32, 3.0111],
	['Malaysia', '6012', 7, 6.94, 6.3037],
	['Mexico', '5255', 8, 2.46, 2.2357],
	['Netherlands', '316', 8, 12.88, 11.7078],
	['Nigeria', '234803', 7, 4.17, 3.7851],
	['South Africa', '2782', 7, 3.07, 2.7821],
	// WhatsApp's rate is below the home price, which is the account's minimum price.
	['Turkey', '90532', 7, 1, 0.7989],
	['United Kingdom', '447911', 6, 5.12, 4.65],
]

/** One message to each other market costs ₹67.99 at these prices and ₹61.6551 at these rates in all. */
const SUMS: Record<number, Expected> = {
	200: { hold: 309.98, charge: 309.98, cost: 273.49, margin: 36.49 },
	10_000: { hold: 15_499, charge: 15_499, cost: 13_674.48, margin: 1824.52 },
}

test('a campaign over fourteen markets charges each market’s price, and its margin is exact', async () => {
	const expected = SUMS[MESSAGES]
	assert.ok(expected)
	const shop = await openPricedShop(product, { rupees: 16_000 })
	const [inIndia, inEach] = [(MESSAGES * 87) / 100, MESSAGES / 100]
	await addIndians(shop, inIndia)
	for (const [, prefix, digits] of OTHER_MARKETS) await addContacts(shop, prefix, { count: inEach, digits })
	const estimate = await estimateOf(shop)
	assert.equal(estimate.cost, expected.hold)
	assert.deepEqual(
		new Map(estimate.markets.map(({ market, recipients, price }) => [market, [recipients, price]])),
		new Map([
			['India', [inIndia, 1]],
			...OTHER_MARKETS.map(([market, , , price]): [string, number[]] => [market, [inEach, price]]),
		]),
	)
	const { total, costPaise } = await send(shop, await order(shop))
	assert.deepEqual([total, costPaise], [MESSAGES, Math.round(expected.charge * 100)])
	await check(shop, expected, { messages: MESSAGES })
	const { markets } = (
		await call(shop.url, margins.one, { params: { userId: shop.userId }, query: {}, token: shop.adminToken })
	).body
	assert.deepEqual(
		new Map(
			markets.filter(({ market }) => market !== 'IN').map(({ name, messages, cost }) => [name, [messages, cost]]),
		),
		new Map(OTHER_MARKETS.map(([market, , , , rate]) => [market, [inEach, Math.round(rate * inEach * 100) / 100]])),
	)
})
