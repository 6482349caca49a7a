import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { conversations } from '#features/chats/server/open-conversation-queries.ts'
import { LIMIT_REACHED, OWN_ERRORS } from '#features/delivery/rules.ts'
import { forgetPeople } from '#features/limits/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import { campaignWhen, LATER, launchProduct, moneyFindings, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { countedPeople, limitedShop, passHours, setLimit } from '#test/scenes/limited-shop.ts'
import { until } from '#test/until.ts'
import { doubtUnsettled } from '../restore/restore-queries.ts'
import { listActiveAllAccounts } from '../sending/lease-queries.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../service.ts'

const product = await launchProduct()
const { db, simulator } = product

const DAY_HOURS = 24.1

test('a campaign of 120 people under a limit of 20 sends 20 a day, each person once, and its money is right every day', async () => {
	const shop = await limitedShop(product, { contacts: 120, limit: 20 })
	const campaignId = await startCampaign(product, shop)
	for (let day = 1; day <= 6; day++) {
		const campaign = await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 120 - 20 * day)
		assert.equal(campaign.failed, 0)
		if (day === 6) break
		await until(async () => (await listActiveAllAccounts(db, shop.accountId)).length === 0)
		const waiting = await campaignWhen(product, { ...shop, campaignId }, ({ waitingReason }) => waitingReason !== null)
		assert.deepEqual(
			[waiting.status, waiting.waitingReason, waiting.pending],
			['processing', LIMIT_REACHED, 120 - 20 * day],
		)
		assert.deepEqual(await countedPeople(db, `portfolio-${shop.accountId}`), { people: 20, counted: 20 })
		assert.deepEqual(await moneyFindings(db), [])
		await passHours(product, DAY_HOURS)
	}
	const done = await campaignWhen(product, { ...shop, campaignId }, ({ status }) => status === 'completed')
	assert.equal(done.sent + done.delivered + done.read, 120)
	const { waba_id } = shop.credentials
	assert.equal((await simulator.control.limitStats({ waba_id })).refused, 0)
	const counts = await simulator.control.receivedCounts()
	const numbers = await db<{ number: string }[]>`select number from campaign_messages where campaign_id = ${campaignId}`
	assert.deepEqual([...new Set(numbers.map(({ number }) => counts[number]))], [1])
	assert.deepEqual(await moneyFindings(db), [])
})

test('a raised limit applies to a waiting campaign at once, and the end of the limit ends the wait', async () => {
	const shop = await limitedShop(product, { contacts: 30, limit: 5 })
	const campaignId = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 25)
	await simulator.control.enforceLimit({ waba_id: shop.credentials.waba_id, people: null })
	await setLimit(db, shop.accountId, { limit: 12 })
	await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 18)
	await setLimit(db, shop.accountId, { limit: -1 })
	const { waitingReason } = await campaignWhen(product, { ...shop, campaignId }, ({ status }) => status === 'completed')
	assert.equal(waitingReason, null)
})

test('people with an open conversation and people counted by another campaign get their messages while others wait', async () => {
	const shop = await limitedShop(product, { contacts: 12, limit: 3 })
	const { accountId } = shop
	const numberOf = (index: number) => `9155${String(accountId).padStart(3, '0')}${String(index).padStart(6, '0')}`
	const openFor = async (number: string) => {
		const { phone_number_id } = shop.credentials
		await simulator.control.sendInbound({ phone_number_id, from: number, type: 'text' })
		await until(async () => (await conversations.among(db, accountId, [number])).has(number))
	}
	await openFor(numberOf(5))
	const first = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId: first }, ({ pending }) => pending === 8)
	// The same three people, and the one with the open conversation.
	const second = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId: second }, ({ pending }) => pending === 8)
	assert.deepEqual(await countedPeople(db, `portfolio-${accountId}`), { people: 3, counted: 3 })
	// A customer writes. The next try of the waiting campaign finds the open conversation.
	await openFor(numberOf(9))
	await db`update campaigns set limit_looked_at = now() - interval '1 hour' where account_id = ${accountId}`
	await campaignWhen(product, { ...shop, campaignId: first }, ({ pending }) => pending === 7)
	await campaignWhen(product, { ...shop, campaignId: second }, ({ pending }) => pending === 7)
	assert.deepEqual(await moneyFindings(db), [])
})

test('messages that Meta refuses give their places to others, and the cancelled rest is released', async () => {
	const shop = await limitedShop(product, { contacts: 10, limit: 4 })
	const { accountId } = shop
	const [first] = await db<
		{ number: string }[]
	>`select min(number) as number from contacts where account_id = ${accountId}`
	await simulator.control.addFault({ kind: 'error', code: 131026, to: first?.number ?? '' })
	const campaignId = await startCampaign(product, shop)
	const waiting = await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 5)
	assert.equal(waiting.failed, 1)
	assert.deepEqual(await countedPeople(db, `portfolio-${accountId}`), { people: 4, counted: 4 })
	await pauseCampaign(product.process.context, accountId, String(campaignId))
	await resumeCampaign(product.process.context, accountId, String(campaignId))
	await cancelCampaign(product.process.context, accountId, String(campaignId))
	const ended = await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 0)
	assert.deepEqual([ended.status, ended.failed], ['cancelled', 6])
	assert.deepEqual(await moneyFindings(db), [])
})

test('a test message fails at once when no place is left, and costs nothing', async () => {
	const shop = await limitedShop(product, { contacts: 2, limit: 1 })
	const campaignId = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 1)
	const { templateId, token } = shop
	const body = { templateId, variables: { var1: 'Asha' }, number: '+919812345671' }
	const sent = await call(product.process.url, campaignPreflight.sendTest, { body, token })
	assert.equal(sent.status, 200)
	const testId = Number(sent.body.campaign._id)
	const failed = await campaignWhen(product, { ...shop, campaignId: testId }, ({ pending }) => pending === 0)
	assert.equal(failed.failed, 1)
	const [message] = await db<{ error: string }[]>`select error from campaign_messages where campaign_id = ${testId}`
	assert.equal(message?.error, OWN_ERRORS.overLimit.text)
	assert.deepEqual(await moneyFindings(db), [])
})

test('a report shows the limit, the plan and the progress of a waiting campaign, and the estimate plans the next one', async () => {
	const shop = await limitedShop(product, { contacts: 30, limit: 10 })
	const { token } = shop
	const campaignId = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 20)
	const given = { params: { id: String(campaignId) }, query: { page: 1, limit: 1 }, token }
	const { campaign } = (await call(product.process.url, campaigns.get, given)).body
	assert.deepEqual(
		[campaign.statusReason, campaign.limit, campaign.plan?.days],
		[LIMIT_REACHED, { perDay: 10, left: 0 }, 2],
	)
	assert.equal(
		campaign.progressByDay.reduce((sum, { sent }) => sum + sent, 0),
		10,
	)
	assert.ok(Date.parse(campaign.limitedUntil ?? '') > Date.now())
	const body = { audienceType: 'all' as const, templateId: shop.templateId, variables: { var1: 'x' } }
	const estimate = (await call(product.process.url, campaignPreflight.estimate, { body, token })).body
	assert.deepEqual([estimate.limit, estimate.plan?.days], [{ perDay: 10, left: 0 }, 3])
})

test('the most engaged recipients come first in a campaign that asks for it', async () => {
	const shop = await limitedShop(product, { contacts: 6, limit: 100 })
	const earlier = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId: earlier }, ({ status }) => status === 'completed')
	await simulator.control.waitIdle()
	await db`update campaign_messages set status = 'delivered' where campaign_id = ${earlier} and seq not in (4, 6)`
	await db`update campaign_messages set status = 'read', status_at = now() where campaign_id = ${earlier} and seq in (4, 6)`
	const numbersOf = async (id: number) =>
		(await db<{ number: string }[]>`select number from campaign_messages where campaign_id = ${id} order by seq`).map(
			({ number }) => number,
		)
	const before = await numbersOf(earlier)
	const next = await startCampaign(product, shop, { recipientOrder: 'engaged', ...LATER })
	assert.deepEqual(
		await numbersOf(next),
		[3, 5, 0, 1, 2, 4].map((at) => before[at]),
	)
})

test('a restore puts all messages that wait for the limit in doubt, since any of them may have been sent', async () => {
	const shop = await limitedShop(product, { contacts: 30, limit: 5 })
	const { accountId } = shop
	const campaignId = await startCampaign(product, shop)
	await campaignWhen(product, { ...shop, campaignId }, ({ pending }) => pending === 25)
	await until(async () => (await listActiveAllAccounts(db, accountId)).length === 0)
	assert.equal(await transaction(db, (sql) => doubtUnsettled(sql, accountId, false)), 25)
})

test('forgetPeople deletes a portfolio with people of a day ago, also among a thousand portfolios without messages', async () => {
	await db`insert into portfolios (portfolio) select 'idle-' || n from generate_series(1, 1000) n`
	await db`
		insert into uncounted_accounts (account_id, portfolio) select 1000000 + n, 'idle-' || n from generate_series(1, 1000) n
	`
	await db`insert into portfolios (portfolio, people) values ('late', 1)`
	await db`
		insert into portfolio_messages (account_id, campaign_id, seq, portfolio, person, counted_at)
		values (1000000, 1, 1, 'late', 1, now() - interval '25 hours')
	`
	await forgetPeople({ db, log: product.process.context.log })
	assert.equal((await db`select 1 from portfolios where portfolio = 'late'`).length, 0)
})
