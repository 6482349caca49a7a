import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { chats } from '#features/chats/contract.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import { margins } from '#features/dashboards/margin-contract.ts'
import { pricing } from '#features/pricing/contract.ts'
import { statements } from '#features/statements/contract.ts'
import type { Component } from '#features/templates/contract.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { wallet } from '#features/wallet/contract.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { account } from '../factories.ts'
import { campaignWhen, LATER, moneyFindings, sendingAccount, type Product } from '../full-stack.ts'
import { call } from '../http-app.ts'
import { PATIENCE_MS, until } from '../until.ts'

/** Rupees of a situation: the most on hold, what the account paid, what WhatsApp charges, and the operator's margin. */
export interface Expected {
	hold: number
	charge: number
	cost: number
	margin: number
}

/** Milliseconds, many times the duration of sending, because the machine may be busy. */
const SEND_TIMEOUT_MS = 600_000

/**
 * Opens a shop with this much money that pays ₹1.00 for marketing, ₹0.30 for utility, ₹0.20 for authentication and ₹0.15 for a
 * reply. In other countries it pays WhatsApp's rate and ten percent, or its prices block them. `passesOnFree` refunds what
 * WhatsApp does not charge.
 */
export async function openPricedShop(
	product: Product,
	{
		rule = 'card',
		rupees = 100,
		passesOnFree = false,
	}: { rule?: 'card' | 'blocked'; rupees?: number; passesOnFree?: boolean } = {},
) {
	const { url, context } = product.process
	const admin = await account(context, { role: 'admin' })
	const made = await sendingAccount(product, { contacts: 0, balancePaise: rupees * 100 })
	const abroad = { rule, percent: 10, fixedPrices: [] }
	const body = {
		marketingPrice: 1,
		utilityPrice: 0.3,
		authenticationPrice: 0.2,
		servicePrice: 0.15,
		abroad,
		passesOnFree,
	}
	const { status } = await call(url, pricing.update, { params: { userId: made.userId }, body, token: admin.token })
	assert.equal(status, 200)
	return { ...made, product, url, adminToken: admin.token, walletRupees: rupees, mostHeld: 0 }
}
type PricedShop = Awaited<ReturnType<typeof openPricedShop>>

/** Adds contacts in a country: its calling code with the first digits, then a number of each person. */
export function addContacts(
	{ accountId, product }: PricedShop,
	prefix: string,
	{ count, digits }: { count: number; digits: number },
) {
	const people = Array.from({ length: count }, (_, index) => ({
		firstName: 'Asha',
		lastName: null,
		number: prefix + String(index + 1).padStart(digits, '0'),
		groupId: null,
	}))
	return insertContacts(product.db, accountId, people)
}
/** Number of the first Indian. */
export const FIRST_INDIAN = '919800000001'
export const addIndians = (shop: PricedShop, count = 10) => addContacts(shop, '9198', { count, digits: 8 })

/** Adds a template of another category than `hello`. Returns its id. */
export async function addTemplate(shop: PricedShop, category: 'UTILITY' | 'AUTHENTICATION'): Promise<string> {
	const { waba_id } = shop.credentials
	const { process, simulator } = shop.product
	const code: Component[] = [
		{ type: 'BODY', text: '*{{1}}* is your verification code.' },
		{ type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy code' }] },
	]
	const shipped: Component[] = [{ type: 'BODY', text: 'Dear {{1}}, your order is on its way.' }]
	const components = category === 'UTILITY' ? shipped : code
	const { id } = await simulator.control.addTemplate({ waba_id, name: category.toLowerCase(), category, components })
	await syncTemplates(process.context, shop.accountId)
	return id
}

/** Stores the present hold as `mostHeld` if it is larger. */
export async function noteHold(shop: PricedShop): Promise<void> {
	const { onHold } = (await call(shop.url, wallet.balance, { token: shop.token })).body
	shop.mostHeld = Math.max(shop.mostHeld, onHold)
}

const FIRST_NAME = { var1: '{{firstName}}' }

const formOf = (templateId: string, variables: Record<string, string> = FIRST_NAME) => ({
	templateId,
	audienceType: 'all' as const,
	variables,
	...LATER,
})

/** Orders a campaign for later to all contacts. Returns its id. */
export async function order(
	shop: PricedShop,
	templateId = shop.templateId,
	variables?: Record<string, string>,
): Promise<number> {
	const form = formOf(templateId, variables)
	const body = { ...form, name: 'Diwali', variables: JSON.stringify(form.variables) }
	const { status, body: answer } = await call(shop.url, campaigns.create, { body, token: shop.token })
	assert.equal(status, 200, answer.message)
	await noteHold(shop)
	return Number(answer.campaign._id)
}

export const estimateOf = async (shop: PricedShop) =>
	(await call(shop.url, campaignPreflight.estimate, { body: formOf(shop.templateId), token: shop.token })).body

/** Sends an ordered campaign now. Returns it when it is completed. */
export async function send(shop: PricedShop, campaignId: number) {
	await shop.product
		.db`update campaigns set opens_at = now() where account_id = ${shop.accountId} and id = ${campaignId}`
	const read = () => campaignWhen(shop.product, { ...shop, campaignId }, () => true)
	await until(async () => (await read()).pending === 0, SEND_TIMEOUT_MS, 50)
	return campaignWhen(shop.product, { ...shop, campaignId }, ({ status }) => status === 'completed')
}

const CUSTOMER = '919800030001'

/** Sends two replies to a customer, and lets their status updates arrive once the hold is recorded. */
export async function reply(shop: PricedShop, { fault, isFromAd = false }: { fault?: Fault; isFromAd?: boolean } = {}) {
	const { phone_number_id, waba_id } = shop.credentials
	const { control } = shop.product.simulator
	const customer = { phone_number_id, from: CUSTOMER }
	await (isFromAd ? control.openEntryPoint(customer) : control.sendInbound({ ...customer, content: { body: 'Hi' } }))
	if (fault) await control.addFault({ ...fault, phone_number_id })
	await control.waitIdle()
	await control.holdWebhooks({ waba_id })
	for (const message of ['Hello', 'Your order is packed.']) {
		const body = { number: CUSTOMER, message }
		const { status, body: answer } = await call(shop.url, chats.send, { body, token: shop.token })
		assert.equal(status, 200, answer.message)
	}
	await noteHold(shop)
	await control.releaseWebhooks({ waba_id })
}

/** Reads a shop's figures from its wallet and statement and from the operator's margins. */
async function figuresOf(shop: PricedShop) {
	const params = { userId: shop.userId }
	const [balance, statement, margin] = await Promise.all([
		call(shop.url, wallet.balance, { token: shop.token }),
		call(shop.url, statements.groups, { params, query: { page: 1 }, token: shop.token }),
		call(shop.url, margins.one, { params, query: {}, token: shop.adminToken }),
	])
	const { messages, free, estimated, revenue, cost, margin: earned } = margin.body.account
	return {
		hold: shop.mostHeld,
		charge: statement.body.totals.spent,
		cost,
		margin: earned,
		revenue,
		onHold: balance.body.onHold,
		walletBalance: balance.body.walletBalance,
		messages,
		free,
		estimated,
	}
}

/** Checks a situation's rupees, its wallet, and the numbers of delivered messages, once all status updates have arrived. */
export async function check(
	shop: PricedShop,
	expected: Expected,
	{
		messages,
		free = 0,
		estimated = 0,
		onHold = 0,
	}: { messages: number; free?: number; estimated?: number; onHold?: number },
): Promise<void> {
	const { charge } = expected
	const walletBalance = Math.round((shop.walletRupees - charge - onHold) * 100) / 100
	const wanted = { ...expected, revenue: charge, onHold, walletBalance, messages, free, estimated }
	await shop.product.simulator.control.waitIdle()
	let figures = await figuresOf(shop)
	// Figures that stay different are shown by the assertion below.
	await until(
		async () => {
			figures = await figuresOf(shop)
			return isDeepStrictEqual(figures, wanted)
		},
		PATIENCE_MS,
		50,
	).catch(() => {})
	assert.deepEqual(figures, wanted)
	assert.deepEqual(await moneyFindings(shop.product.db), [])
}
