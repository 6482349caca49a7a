import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { withoutControlGroup } from '#features/campaigns/rules.ts'
import { cancelCampaign } from '#features/delivery/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { contact } from '#test/factories.ts'
import { campaignWhen, LATER, launchProduct, moneyFindings, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/scenes/shop.ts'

const product = await launchProduct()
const { db } = product

const EMIRATES = '971501234567'
const BRITAIN = '447911123456'
const NEPAL = '9779841234567'

/** Opens a shop with contacts in India and abroad that pays WhatsApp's rate and 10 percent in other countries. */
async function shop(given: { rule?: 'card' | 'blocked'; indians?: number; balancePaise?: number } = {}) {
	const { rule = 'card', indians = 5, balancePaise = 3000 } = given
	const made = await openShop(product, { balancePaise, contacts: indians })
	const { accountId } = made
	await db`
		update prices set marketing_paise = 100, abroad_rule = ${rule}, abroad_percent = 10 where account_id = ${accountId}
	`
	for (const number of [EMIRATES, BRITAIN, NEPAL]) await contact(db, accountId, { number })
	return made
}

type Shop = Awaited<ReturnType<typeof shop>>

const fixedPrice = ({ accountId }: Shop, market: string, paise: number) => db`
	insert into market_prices (account_id, market, category, price_paise) values (${accountId}, ${market}, 'marketing', ${paise})
`

const estimateOf = async ({ templateId, session }: Shop) => {
	const body = { audienceType: 'all' as const, templateId, variables: { var1: '{{firstName}}' }, ...LATER }
	return (await call(product.process.url, campaignPreflight.estimate, { body, token: session })).body
}

const pricesOf = async ({ accountId }: Shop, campaignId: number) =>
	Object.fromEntries(
		(
			await db<{ number: string; paise: number | null }[]>`
				select number, price_paise as paise from campaign_messages
				where account_id = ${accountId} and campaign_id = ${campaignId} and price_paise is not null
			`
		).map(({ number, paise }) => [number, paise]),
	)

const to = (...numbers: string[]) => numbers.map((number) => ({ to: number, values: { var1: 'Asha' } }))

test('a campaign under rule card holds and charges each market’s price, and leaves out a market without a rate', async () => {
	const my = await shop()
	const estimate = await estimateOf(my)
	assert.deepEqual([estimate.recipients, estimate.price, estimate.cost, estimate.isHighestCost], [7, 1, 14.15, false])
	assert.deepEqual(estimate.markets, [
		{ market: 'India', recipients: 5, price: 1 },
		{ market: 'United Arab Emirates', recipients: 1, price: 4.03 },
		{ market: 'United Kingdom', recipients: 1, price: 5.12 },
	])
	assert.deepEqual(estimate.unpriced, [{ market: 'Nepal', recipients: 1, reason: 'no_rate' }])

	const later = await startCampaign(product, my, LATER)
	assert.deepEqual(await getWallet(db, my.accountId), { availablePaise: 1585, heldPaise: 1415 })
	assert.deepEqual(await pricesOf(my, later), { [EMIRATES]: 403, [BRITAIN]: 512 })
	await db`update prices set marketing_paise = 5, abroad_rule = 'blocked' where account_id = ${my.accountId}`
	const { heldPaise, costPaise, unpriced } = await campaignWhen(product, { ...my, campaignId: later }, () => true)
	assert.deepEqual([heldPaise, costPaise, unpriced], [1415, 0, 1])
	assert.deepEqual(await moneyFindings(db), [])
	await cancelCampaign(product.process.context, my.accountId, String(later))
	await campaignWhen(product, { ...my, campaignId: later }, ({ pending }) => pending === 0)
	assert.deepEqual(await getWallet(db, my.accountId), { availablePaise: 3000, heldPaise: 0 })

	await db`update prices set marketing_paise = 100, abroad_rule = 'card' where account_id = ${my.accountId}`
	const campaignId = await startCampaign(product, my)
	const sent = await campaignWhen(product, { ...my, campaignId }, ({ status }) => status === 'completed')
	assert.deepEqual([sent.heldPaise, sent.costPaise], [0, 1415])
	assert.deepEqual(await getWallet(db, my.accountId), { availablePaise: 1585, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(db), [])
})

test('a campaign only to blocked markets is refused with their names, and a fixed price lets its market through', async () => {
	const my = await shop({ rule: 'blocked', indians: 0 })
	const message =
		'This campaign has no recipients: your prices have none for messages to United Arab Emirates, United Kingdom, and Nepal. Ask your administrator.'
	const [problem] = (await estimateOf(my)).problems
	assert.equal(problem?.message.split(':')[0], message.split(':')[0])
	await assert.rejects(startCampaign(product, my, LATER), { status: 400, code: 'recipients_unpriced' })
	await fixedPrice(my, 'GB', 7)
	const estimate = await estimateOf(my)
	assert.deepEqual(estimate.markets, [{ market: 'United Kingdom', recipients: 1, price: 0.07 }])
	assert.deepEqual([estimate.recipients, estimate.cost, estimate.unpriced.length], [1, 0.07, 2])
	await startCampaign(product, my, LATER)
	assert.deepEqual(await getWallet(db, my.accountId), { availablePaise: 2993, heldPaise: 7 })
	assert.deepEqual(await moneyFindings(db), [])
})

test('with a control group and several prices the hold is the sum of the messages left, at most the estimate', async () => {
	const my = await shop()
	const { markets } = await estimateOf(my)
	const highest = withoutControlGroup(markets, { size: 2, first: 'cheapest' })
	assert.deepEqual(
		highest.map(({ recipients }) => recipients),
		[3, 1, 1],
	)
	const campaignId = await startCampaign(product, my, { ...LATER, holdOutPercent: 40 })
	const { total, heldPaise } = await campaignWhen(product, { ...my, campaignId }, () => true)
	const own = Object.values(await pricesOf(my, campaignId)).map(Number)
	assert.equal(heldPaise, own.reduce((sum, paise) => sum + paise, 0) + (total - own.length) * 100)
	assert.deepEqual([total, heldPaise <= 1215, (await getWallet(db, my.accountId)).heldPaise], [5, true, heldPaise])
	assert.deepEqual(await moneyFindings(db), [])
})

test('v1.sendMessage charges the price of the number’s market, and returns 422 for a market without a price', async () => {
	const my = await shop()
	assert.deepEqual((await my.send(EMIRATES)).body.price, { paise: 403, rupees: '4.03' })
	const refused = await my.send(NEPAL)
	assert.deepEqual([refused.status, refused.body.code], [422, 'recipient_unpriced'])
	assert.deepEqual(refused.body.errors, [{ path: '/to', detail: 'Messages to Nepal have no price' }])
	await db`update prices set abroad_rule = 'blocked' where account_id = ${my.accountId}`
	assert.equal((await my.send(BRITAIN)).body.errors?.[0]?.detail, 'Messages to United Kingdom are blocked')
	const { availablePaise, heldPaise } = await my.wallet()
	assert.equal(availablePaise + heldPaise + (heldPaise === 0 ? 403 : 0), 3000)
	assert.deepEqual(await moneyFindings(db), [])
})

test('v1.sendBatch returns each price and their sum, refuses a list whose sum the wallet lacks, and names each number without a price', async () => {
	const my = await shop({ balancePaise: 700 })
	const short = await my.sendBatch(to(EMIRATES, EMIRATES, '919876500001'))
	assert.deepEqual([short.status, short.body.needed?.paise], [402, 906])
	const mixed = await my.sendBatch(to('919876500001', NEPAL, EMIRATES))
	assert.deepEqual(mixed.body.errors, [{ path: '/messages/1/to', detail: 'Messages to Nepal have no price' }])
	assert.deepEqual(await my.wallet(), { availablePaise: 700, heldPaise: 0 })
	const order = to('919876500001', EMIRATES)
	const placed = (await my.sendBatch(order, 'one-key')).body as unknown as {
		price: { paise: number }
		total: { paise: number }
		messages: { price: { paise: number } }[]
	}
	assert.deepEqual([placed.price.paise, placed.total.paise], [100, 503])
	assert.deepEqual(
		placed.messages.map(({ price }) => price.paise),
		[100, 403],
	)
	assert.deepEqual((await my.sendBatch(order, 'one-key')).body, placed)
	assert.equal((await my.wallet()).availablePaise, 197)
	assert.deepEqual(await moneyFindings(db), [])
})

test('a list leaves out numbers whose market has no price when they are added and when it is started, and then holds the sum', async () => {
	const my = await shop()
	const form = { name: 'Diwali', template: { name: 'hello' } }
	const created = await my.post('/v1/campaigns', { ...form, recipients: to(EMIRATES, '919876500001') })
	const { id } = created.body
	const page = await my.post(`/v1/campaigns/${id}/recipients`, { recipients: to(NEPAL, BRITAIN) })
	assert.deepEqual(page.body, { added: 1, optedOut: 0, capped: 0, unpriced: 1, total: 3 })
	assert.deepEqual(await my.wallet(), { availablePaise: 3000, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(db), [])
	await db`update prices set abroad_rule = 'blocked' where account_id = ${my.accountId}`
	await fixedPrice(my, 'AE', 250)
	const started = await my.post(`/v1/campaigns/${id}/start`, {})
	assert.equal(started.status, 200, JSON.stringify(started.body))
	const campaign = await campaignWhen(
		product,
		{ ...my, campaignId: Number(id) },
		({ status }) => status === 'completed',
	)
	assert.deepEqual([campaign.total, campaign.unpriced, campaign.costPaise], [2, 2, 350])
	assert.deepEqual(await my.wallet(), { availablePaise: 2650, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(db), [])
})

test('a person who was erased before a list is started stays in it at the home price, whatever other countries cost', async () => {
	const my = await shop({ rule: 'blocked' })
	const recipients = to('919876500001', '919876500002')
	const { id } = (await my.post('/v1/campaigns', { name: 'Holi', template: { name: 'hello' }, recipients })).body
	await db`
		update campaign_messages set number = 'erased:1' where account_id = ${my.accountId} and campaign_id = ${id} and seq = 1
	`
	const started = await my.post(`/v1/campaigns/${id}/start`, {})
	assert.equal(started.status, 200, JSON.stringify(started.body))
	const campaign = await campaignWhen(product, { ...my, campaignId: Number(id) }, ({ status }) => status !== 'draft')
	assert.deepEqual([campaign.total, campaign.unpriced], [2, 0])
	assert.deepEqual(await moneyFindings(db), [])
})

test('a test message costs the price of its market, and one to a market without a price is refused and orders nothing', async () => {
	const my = await shop()
	const sendTest = (number: string) => {
		const body = { templateId: my.templateId, variables: { var1: 'Asha' }, number }
		return call(product.process.url, campaignPreflight.sendTest, { body, token: my.session })
	}
	const refused = await sendTest(`+${NEPAL}`)
	assert.deepEqual(
		[refused.status, refused.body.message],
		[400, 'Messages to Nepal have no price yet, so none is sent. Ask your administrator.'],
	)
	assert.deepEqual(await my.entries(), [])
	assert.equal((await sendTest(`+${EMIRATES}`)).status, 200)
	assert.equal((await my.wallet()).availablePaise, 2597)
	assert.deepEqual(await moneyFindings(db), [])
})
