import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { transaction } from '#lib/server/db.ts'
import type { TestAccount } from '#test/factories.ts'
import { launchReplyScene, replyUpdate } from '#test/reply-scene.ts'
import { settleChats, settleChatsAlone } from '../settlement/settle.ts'
import { expireHolds, moveMoneyOfReplies, releaseHolds } from './charges.ts'

const { context, db, newAccount, setPrice, reply, receive, wallet, findings, chargeOf } = await launchReplyScene()

const age = (id: number, days: number) =>
	db`update reply_charges set held_at = now() - ${days} * interval '1 day' where message_id = ${id}`

let my: TestAccount
beforeEach(async () => {
	my = await newAccount()
})

suite('holdReplyPrice', () => {
	test('throws a 402 with both amounts and holds nothing when the wallet is short', async () => {
		const poor = await newAccount(11)
		await assert.rejects(reply(poor), {
			status: 402,
			message: 'This message costs ₹0.12 and your wallet has ₹0.11. Please recharge your wallet.',
		})
		assert.deepEqual(await wallet(poor), [11, 0])
	})

	test("holds the price of the recipient's market, and the home price where the list has none", async () => {
		const card = { rule: 'card', percent: 10, fixedPrices: [{ market: 'DE', category: 'service', price: 0.5 }] }
		await setPrice(my, { servicePrice: 0.12, abroad: card })
		const priceOf = async (chat: string) => {
			const id = await reply(await rich(), chat)
			const [row] = await db`select price_paise as paise from reply_charges where message_id = ${id}`
			return row?.['paise'] as number
		}
		const rich = async () => {
			const made = await newAccount(10_000)
			await setPrice(made, { servicePrice: 0.12, abroad: card })
			return made
		}
		// Germany has a fixed price, the UAE costs 1.1509 plus 10 %, and Qatar has no rate. A hidden number costs as its country.
		const keys = ['919800000001', '4915100000001', '971500000001', '97430000001', 'AE.123', 'IN.123']
		const prices: number[] = []
		for (const key of keys) prices.push(await priceOf(key))
		assert.deepEqual(prices, [12, 50, 127, 12, 127, 12])
		await setPrice(my, { servicePrice: 0.12, abroad: { rule: 'blocked', percent: 0, fixedPrices: [] } })
		await reply(my, '971500000001')
		assert.deepEqual(await wallet(my), [88, 12])
	})

	test('holds nothing for a reply that is free', async () => {
		await setPrice(my, { servicePrice: 0 })
		const id = await reply(my)
		assert.deepEqual([await wallet(my), await chargeOf(id)], [[100, 0], undefined])
	})
})

suite('expireHolds', () => {
	test('returns the price after 30 days without pricing, and records a later regular pricing without moving money', async () => {
		const [old, recent] = [await reply(my), await reply(my)]
		await age(old, 30)
		await age(recent, 29)
		await expireHolds(context)
		assert.deepEqual(await wallet(my), [88, 12])
		await receive(my, [replyUpdate(old, 'delivered', { type: 'regular' })])
		await moveMoneyOfReplies(context)
		assert.deepEqual(await chargeOf(old), { state: 'expired', pricingType: 'regular' })
		await expireHolds(context)
		assert.deepEqual(await wallet(my), [88, 12])
		assert.deepEqual(await findings(my), [])
	})

	test('charges a reply whose status update was recorded before a crash, and whose money did not move', async () => {
		const id = await reply(my)
		await transaction(db, (sql) => settleChats(sql, my.accountId, [replyUpdate(id, 'sent', { type: 'regular' })]))
		assert.deepEqual(await wallet(my), [88, 12])
		assert.deepEqual(await findings(my), [])
		await age(id, 31)
		await expireHolds(context)
		assert.deepEqual([await wallet(my), (await chargeOf(id))?.state], [[88, 0], 'charged'])
		assert.equal(await moveMoneyOfReplies(context), 0)
		assert.deepEqual(await findings(my), [])
	})

	test('releaseHolds returns all holds of an account before its erasure', async () => {
		await reply(my)
		await reply(my)
		assert.equal(await releaseHolds(db, my.accountId), null)
		assert.deepEqual(await wallet(my), [100, 0])
		assert.deepEqual(await findings(my), [])
	})
})

test('concurrent batches, sweeps and expiry of the same replies charge each of them once', async () => {
	const ids = await Promise.all(Array.from({ length: 6 }, () => reply(my)))
	await Promise.all([
		...ids.map((id) => receive(my, [replyUpdate(id, 'sent', { type: 'regular' })])),
		...ids.map((id) => receive(my, [replyUpdate(id, 'delivered', { type: 'regular' })])),
		moveMoneyOfReplies(context),
		expireHolds(context),
		transaction(db, (sql) => settleChatsAlone(sql, my.accountId, [])),
	])
	await moveMoneyOfReplies(context)
	assert.deepEqual(await wallet(my), [100 - 6 * 12, 0])
	assert.deepEqual(await findings(my), [])
})

// Leaves damaged accounts behind: their findings do not concern other accounts.
suite('reconcileMoney', () => {
	const DAMAGES: { title: string; damage: (id: number) => PromiseLike<unknown>; rule: RegExp }[] = [
		{
			title: 'a forgotten hold',
			damage: (id) => db`delete from reply_charges where message_id = ${id}`,
			rule: /^replies hold the price of those that wait/,
		},
		{
			title: 'a hold of another price',
			damage: (id) => db`update reply_charges set price_paise = 13 where message_id = ${id}`,
			rule: /^replies hold the price of those that wait/,
		},
		{
			title: 'a charge without an entry',
			damage: (id) => db`update reply_charges set state = 'charged', pricing_type = 'regular' where message_id = ${id}`,
			rule: /^replies (hold|cost) the price/,
		},
		{
			title: "a charge without WhatsApp's word",
			damage: (id) => db`update reply_charges set state = 'charged' where message_id = ${id}`,
			rule: /^a reply is charged on WhatsApp's word: reply \d+ is charged, its status pending and pricing unknown/,
		},
		{
			title: 'a statement line that differs from the ledger',
			damage: () => db`
				update statement_lines set message_count = 2 where account_id = ${my.accountId} and campaign_id < 0
			`,
			rule: /^the statement says what the ledger says/,
		},
	]
	for (const { title, damage, rule } of DAMAGES) {
		test(`reconcileMoney finds ${title}`, async () => {
			const id = await reply(my)
			assert.deepEqual(await findings(my), [])
			await damage(id)
			const found = await findings(my)
			assert.ok(
				found.some((finding) => rule.test(finding)),
				found.join('\n'),
			)
		})
	}
})
