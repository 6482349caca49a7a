import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { hold } from '#features/campaigns/server/creation/write-order.ts'
import { createCampaign, getCampaign } from '#features/campaigns/server/service.ts'
import { orderForChat } from '#features/chats/server/sending/send-template.ts'
import { appendMessages } from '#features/developer/server/orders/api-campaign.ts'
import { notifications } from '#features/notifications/contract.ts'
import { pricing } from '#features/pricing/contract.ts'
import { findPrices, priceFor } from '#features/pricing/server/service.ts'
import { refunds } from '#features/statements/refund-contract.ts'
import { getTemplate } from '#features/templates/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { account, contact, template, type TestAccount } from '#test/factories.ts'
import { campaignForm, LATER, moneyFindings } from '#test/full-stack.ts'
import { launchTestApp } from '#test/http-app.ts'
import { exhaustFloor } from '#test/scenes/refunds.ts'
import { callbackData } from '../message/message-id.ts'
import { readStatusUpdates } from '../message/status-update.ts'
import { settleStatusUpdates } from './status-updates.ts'

const app = await launchTestApp()
const { db, notify } = app.context
const admin = await app.signIn('admin')

const PRICE_PAISE = 100
const ABROAD_PAISE = 403

type Status = 'sent' | 'delivered' | 'read' | 'failed'
/** The status of an update, and the type of its pricing. */
type Word = [status: Status, type?: string]

/** Opens an account that pays ₹1.00 in India and ₹4.03 in the United Arab Emirates, with the option on or off. */
async function shop({ isOn = true, contacts = 0 } = {}) {
	const made = await account(app.context, { balancePaise: 100_000 })
	const { templateId } = await template(db, made.accountId, { components: [{ type: 'BODY', text: 'Hello!' }] })
	await db`
		insert into market_prices (account_id, market, category, price_paise)
		values (${made.accountId}, 'AE', 'marketing', ${ABROAD_PAISE})
	`
	await db`update prices set marketing_paise = ${PRICE_PAISE} where account_id = ${made.accountId}`
	await setOption(made, isOn)
	for (let index = 0; index < contacts; index++) await contact(db, made.accountId)
	return { ...made, templateId }
}

type Shop = Awaited<ReturnType<typeof shop>>

async function setOption({ userId }: TestAccount, passesOnFree: boolean): Promise<void> {
	const { body } = await app.call(pricing.one, { params: { userId } }, admin)
	const { marketingPrice, utilityPrice } = body.pricing
	const change = { params: { userId }, body: { marketingPrice, utilityPrice, passesOnFree } }
	assert.equal((await app.call(pricing.update, change, admin)).status, 200)
}

const order = ({ accountId, templateId }: Shop) =>
	createCampaign(app.context, accountId, campaignForm(templateId, { variables: {}, ...LATER }))

/** Settles status updates of one message, each in a transaction of its own and `times` times. */
async function settleWords(
	{ accountId }: Shop,
	{ campaignId, seq, words, times = 1 }: { campaignId: number; seq: number; words: readonly Word[]; times?: number },
): Promise<void> {
	for (const [status, type] of words) {
		const pricingOf = {
			...(type?.endsWith('not billable') && { billable: false }),
			...(type !== 'not billable' && { type: type?.split(',')[0] }),
		}
		const update = {
			id: `wamid.${campaignId}.${seq}`,
			status,
			timestamp: String(Math.floor(Date.now() / 1000)),
			biz_opaque_callback_data: callbackData({ campaignId, seq }),
			...(type && { pricing: { category: 'marketing', ...pricingOf } }),
			...(status === 'failed' && { errors: [{ code: 131026, title: 'Undeliverable' }] }),
		}
		for (let time = 0; time < times; time++)
			await transaction(db, (sql) =>
				settleStatusUpdates(sql, accountId, { statusUpdates: readStatusUpdates([update]), notify }),
			)
	}
}

async function worthOf({ accountId }: Shop): Promise<number> {
	const { availablePaise, heldPaise } = await getWallet(db, accountId)
	return availablePaise + heldPaise
}

const FREE = 'free_entry_point'
/** Situations of a message with its charge in prices. */
const SITUATIONS: [situation: string, charge: 0 | 1, words: Word[]][] = [
	['delivered without pricing', 1, [['sent'], ['delivered']]],
	['free at the delivery', 0, [['sent'], ['delivered', FREE]]],
	['free at the first status', 0, [['sent', 'free_customer_service'], ['delivered'], ['read']]],
	['free at the reading alone', 0, [['sent'], ['delivered'], ['read', FREE]]],
	['not billable, without a type', 0, [['sent'], ['delivered', 'not billable']]],
	['of an unknown type, and not billable', 0, [['sent'], ['delivered', 'barter, not billable']]],
	['of a new free type', 0, [['sent'], ['delivered', 'free_festival']]],
	['free before the answer of the send', 0, [['delivered', FREE], ['sent']]],
	[
		'free, and charged by a later pricing',
		0,
		[
			['sent', FREE],
			['delivered', 'regular'],
			['read', 'regular'],
		],
	],
	[
		'charged, and free by a later pricing',
		1,
		[
			['sent', 'regular'],
			['delivered', FREE],
		],
	],
	[
		'of an unknown type, and free by a later pricing',
		0,
		[
			['sent', 'barter'],
			['delivered', FREE],
		],
	],
	[
		'of an unknown type',
		1,
		[
			['sent', 'barter'],
			['delivered', 'barter'],
		],
	],
	['free by a delivery that comes after the reading', 0, [['sent'], ['read'], ['delivered', FREE]]],
	['free, and failed afterwards', 0, [['sent', FREE], ['failed']]],
	['failed, and delivered for free', 0, [['sent'], ['failed'], ['delivered', FREE]]],
	['failed, and free by a late status', 0, [['failed'], ['sent', FREE], ['delivered', 'regular']]],
	['failed with a free pricing, and delivered at a charge', 1, [['sent'], ['failed', FREE], ['delivered', 'regular']]],
	['failed with a free pricing', 0, [['sent'], ['failed', FREE]]],
]

for (const times of [1, 2])
	test(`settleStatusUpdates charges each message as its first pricing says when each update comes ${times === 1 ? 'once' : 'twice'}`, async () => {
		const my = await shop({ contacts: SITUATIONS.length })
		const campaignId = await order(my)
		for (const [index, [situation, charge, words]] of SITUATIONS.entries()) {
			const before = await worthOf(my)
			await settleWords(my, { campaignId, seq: index + 1, words, times })
			assert.equal(before - (await worthOf(my)), charge * PRICE_PAISE, situation)
		}
		assert.equal((await getWallet(db, my.accountId)).heldPaise, 0)
		const charged = SITUATIONS.filter(([, charge]) => charge === 1).length
		const { costPaise, passedOn } = await getCampaign(db, my.accountId, String(campaignId))
		// Three of the messages without a charge had failed before WhatsApp said that they are free.
		assert.deepEqual([costPaise, passedOn], [charged * PRICE_PAISE, { messages: 11, paise: 11 * PRICE_PAISE }])
		const [day] = await db<{ paise: number }[]>`
			select sum(spent_paise)::int as paise from daily_totals where account_id = ${my.accountId}
		`
		assert.equal(day?.paise, charged * PRICE_PAISE)
		assert.deepEqual(await moneyFindings(db), [])
	})

test('a campaign passes on free messages by the price list at its order, and not by a later price list', async () => {
	const [on, off] = [await shop({ contacts: 1 }), await shop({ isOn: false, contacts: 1 })]
	const [passing, keeping] = [await order(on), await order(off)]
	await setOption(on, false)
	await setOption(off, true)
	for (const [my, campaignId, charge] of [
		[on, passing, 0],
		[off, keeping, PRICE_PAISE],
	] as const) {
		const before = await worthOf(my)
		await settleWords(my, { campaignId, seq: 1, words: [['sent'], ['delivered', FREE]] })
		assert.equal(before - (await worthOf(my)), charge)
	}
	assert.deepEqual(await moneyFindings(db), [])
})

test('a free message with a price of its own returns that price, and a waived one returns nothing', async () => {
	const my = await shop({ contacts: 2 })
	await contact(db, my.accountId, { number: '971501234567' })
	const campaignId = await order(my)
	const [abroad] = await db<{ seq: number }[]>`
		select seq from campaign_messages where account_id = ${my.accountId} and campaign_id = ${campaignId} and price_paise > 0
	`
	const [one = 0, other = 0] = [1, 2, 3].filter((seq) => seq !== abroad?.seq)
	const before = await worthOf(my)
	await settleWords(my, { campaignId, seq: abroad?.seq ?? 0, words: [['sent'], ['delivered', FREE]] })
	assert.equal(await worthOf(my), before)
	// The failed message is delivered after the wallet has been emptied, so that it is waived.
	await settleWords(my, { campaignId, seq: one, words: [['failed']] })
	const { availablePaise } = await getWallet(db, my.accountId)
	await db`update wallets set available_paise = 0 where account_id = ${my.accountId}`
	await settleWords(my, { campaignId, seq: one, words: [['delivered'], ['read', FREE]] })
	await db`update wallets set available_paise = available_paise + ${availablePaise} where account_id = ${my.accountId}`
	await settleWords(my, { campaignId, seq: other, words: [['sent'], ['delivered', 'regular']] })
	assert.equal(before - (await worthOf(my)), PRICE_PAISE)
	assert.deepEqual(await moneyFindings(db), [])
})

test('tests, templates of chats and messages of programs are passed on as campaigns are', async () => {
	const my = await shop()
	const { accountId, templateId } = my
	const number = '919812345678'
	const chosen = await getTemplate(db, accountId, templateId)
	const prices = await findPrices(db, accountId, chosen)
	const kinds = {
		test: async () => {
			const body = { templateId, variables: {}, number }
			assert.equal((await app.call(campaignPreflight.sendTest, { body }, my)).status, 200)
			const [row] = await db<
				{ id: number }[]
			>`select id from campaigns where account_id = ${accountId} and kind = 'test'`
			return row?.id ?? 0
		},
		chat: () =>
			transaction(db, (sql) =>
				orderForChat(sql, accountId, { chat: number, template: chosen, variables: {}, ...priceFor(prices, number) }),
			),
	}
	for (const [kind, ordered] of Object.entries(kinds)) {
		const before = await worthOf(my)
		const campaignId = await ordered()
		await settleWords(my, { campaignId, seq: 1, words: [['sent'], ['delivered', FREE]] })
		assert.equal(await worthOf(my), before, kind)
	}
	const append = (passesOnFree: boolean) =>
		transaction(db, async (sql) => {
			const messages = [{ number, values: {} }]
			const place = await appendMessages(sql, accountId, { template: chosen, ...prices, passesOnFree, messages })
			await hold(sql, accountId, { ...place, messageCount: 1, after: place.before })
			return place
		})
	const [first, second] = [await append(true), await append(false)]
	const before = await worthOf(my)
	for (const { campaignId } of [first, second])
		await settleWords(my, { campaignId, seq: 1, words: [['sent'], ['delivered', FREE]] })
	// The second message belongs to another campaign of the day, which passes nothing on.
	assert.equal(before - (await worthOf(my)), PRICE_PAISE)
	assert.deepEqual(await moneyFindings(db), [])
})

test('above the limit of refunds, a free message waits for an admin as "free", and the delivery of another message does not end the wait', async () => {
	const my = await shop({ contacts: 3 })
	const { accountId, userId } = my
	const campaignId = await order(my)
	await exhaustFloor(db, accountId)
	const waiting = async () => {
		const { body } = await app.call(refunds.refundsToCheck, { query: { page: 1 } }, admin)
		return body.refunds.filter((refund) => refund.userId === userId)
	}
	const reasons = async () => (await waiting()).map(({ reason, messages }) => `${messages} ${reason}`).toSorted()
	const before = await worthOf(my)
	await settleWords(my, { campaignId, seq: 1, words: [['sent'], ['delivered', FREE]] })
	await settleWords(my, { campaignId, seq: 2, words: [['sent'], ['failed']] })
	assert.deepEqual(await reasons(), ['1 free', '1 reported'])
	await settleWords(my, { campaignId, seq: 2, words: [['delivered']] })
	await settleWords(my, { campaignId, seq: 3, words: [['sent'], ['delivered']] })
	assert.deepEqual(await reasons(), ['1 free'])
	const { costPaise, passedOn } = await getCampaign(db, accountId, String(campaignId))
	assert.deepEqual([costPaise, passedOn], [3 * PRICE_PAISE, { messages: 1, paise: PRICE_PAISE }])
	const [refund] = await waiting()
	assert.ok(refund)
	const { price, reason, messages, decisions } = refund
	const body = { decision: 'approve' as const, campaignId: String(campaignId), price, reason, messages, decisions }
	assert.equal((await app.call(refunds.decideRefund, { params: { userId }, body }, admin)).status, 200)
	assert.equal(before - (await worthOf(my)), 2 * PRICE_PAISE)
	const { notifications: listed } = (await app.call(notifications.list, { query: { page: 1 } }, my)).body
	assert.match(
		listed[0]?.text ?? '',
		/^₹1\.00 was refunded to your wallet for messages not charged by WhatsApp of campaign/,
	)
	assert.deepEqual(await moneyFindings(db), [])
})
