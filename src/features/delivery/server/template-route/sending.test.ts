import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sendTest } from '#features/campaigns/server/creation/single-message.ts'
import { getCampaign } from '#features/campaigns/server/service.ts'
import { TEMPLATE_PREPARING } from '#features/delivery/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { readSenderLimits } from '#features/whatsapp/server/service.ts'
import type { AccountId } from '#lib/server/db.ts'
import type { SendEdge } from '#simulator/graph/messages/endpoints.ts'
import type { RouteRefusal } from '#simulator/state/accounts.ts'
import { campaignWhen, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { setLimit } from '#test/scenes/limited-shop.ts'
import { until } from '#test/until.ts'
import { campaignReads } from '../limits/campaign-reads.ts'
import { upsertRules } from '../sending-rules-queries.ts'
import { listActiveAllAccounts } from '../sending/lease-queries.ts'
import { resumeCampaign } from '../service.ts'

const product = await launchProduct()
const { control } = product.simulator

interface Given {
	contacts?: number
	balancePaise?: number
	onboarding?: string
	refusals?: RouteRefusal[]
	ordinaryOff?: boolean
}

/** Creates an account whose templates are refused by these endpoints. */
async function accountWith({ contacts = 30, balancePaise, ...given }: Given) {
	const { onboarding = 'ONBOARDED', refusals = [], ordinaryOff = false } = given
	const sender = await sendingAccount(product, { contacts, ...(balancePaise !== undefined && { balancePaise }) })
	const { waba_id } = sender.credentials
	await control.setBusiness({ waba_id, marketing_messages_onboarding_status: onboarding })
	await control.setMarketing({ waba_id, refusals, ordinary_off: ordinaryOff })
	await product.db`update senders set marketing_onboarding = ${onboarding} where account_id = ${sender.accountId}`
	return sender
}

/** Returns the number of accepted messages by endpoint; fails when a recipient got two. */
async function receivedOf(accountId: AccountId, contacts: number): Promise<Record<SendEdge, number>> {
	const counts = { messages: 0, marketing_messages: 0 }
	for (let index = 0; index < contacts; index++) {
		const number = `9155${String(accountId).padStart(3, '0')}${String(index).padStart(6, '0')}`
		const { accepted, messages } = await control.received(number)
		assert.ok(accepted <= 1, `${number} got ${accepted}`)
		for (const { endpoint } of messages) counts[endpoint]++
	}
	return counts
}

async function choicesOf(accountId: AccountId) {
	return product.db<{ name: string; endpoint: string; code: number }[]>`
		select name, endpoint, code from template_routes where account_id = ${accountId} order by name
	`
}

/** Waits for the counts of the routes, which answers to sends write at times after the status updates. */
async function routesAre(accountId: AccountId, campaignId: number, routes: { marketing: number; ordinary: number }) {
	const counted = async () => (await getCampaign(product.db, accountId, String(campaignId))).routes
	await until(async () => isDeepStrictEqual(await counted(), routes)).catch(() => {})
	assert.deepEqual(await counted(), routes)
}

/** Lets the marketing route take the templates of a waiting account, ten minutes later. */
async function endPreparing(
	{ accountId, credentials }: Awaited<ReturnType<typeof accountWith>>,
	refusals: RouteRefusal[],
) {
	const { db } = product
	// Nothing is sent while the template is prepared.
	await until(async () => (await db`select 1 from message_claims where account_id = ${accountId}`).length === 0)
	const due = await db`
		select 1 from unsettled_messages where account_id = ${accountId} and retry_at between now() + interval '9 minutes' and now() + interval '11 minutes'
	`
	assert.ok(due.length > 0)
	await control.setMarketing({ waba_id: credentials.waba_id, refusals })
	await db`update template_routes set until = now() where account_id = ${accountId}`
	await db`update unsettled_messages set retry_at = now() where account_id = ${accountId}`
	// Another run of the sender begins.
	await db`update senders set lease_worker = null where account_id = ${accountId}`
}

const isDone = (c: { pending: number; sent: number }) => c.pending === 0 && c.sent === 0

test('marketing of an onboarded account takes the marketing route, without sharing activity, and the report counts it', async () => {
	const sender = await accountWith({})
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, isDone)
	assert.deepEqual(await receivedOf(sender.accountId, 30), { messages: 0, marketing_messages: 30 })
	await routesAre(sender.accountId, campaignId, { marketing: 30, ordinary: 0 })
	const { messages } = await control.received(`9155${String(sender.accountId).padStart(3, '0')}000000`)
	assert.match(JSON.stringify(messages), /"message_activity_sharing":false/)
	const usage =
		await product.db`select category, type from usage_days where account_id = ${sender.accountId} group by 1, 2`
	assert.deepEqual([...usage], [{ category: 'marketing', type: 'regular' }])
	assert.deepEqual(await choicesOf(sender.accountId), [])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('an account that is not onboarded, or that chose the ordinary route, sends marketing over messages', async () => {
	const eligible = await accountWith({ contacts: 5, onboarding: 'ELIGIBLE' })
	const ordinary = await accountWith({ contacts: 5 })
	const marketing = { route: 'messages', sharesActivity: true } as const
	await upsertRules(product.db, ordinary.accountId, { frequency: null, quiet: null, marketing })
	for (const sender of [eligible, ordinary]) {
		const campaignId = await startCampaign(product, sender)
		await campaignWhen(product, { ...sender, campaignId }, isDone)
		assert.deepEqual(await receivedOf(sender.accountId, 5), { messages: 5, marketing_messages: 0 })
		await routesAre(sender.accountId, campaignId, { marketing: 0, ordinary: 5 })
	}
})

const FROM_MARKETING = { accepts: 'messages', onboarding: 'ONBOARDED', endpoint: 'marketing_messages' } as const
const FROM_MESSAGES = { accepts: 'marketing_messages', onboarding: 'ELIGIBLE', endpoint: 'messages' } as const

for (const { code, name, accepts, onboarding, endpoint } of [
	{ code: 131055, name: 'hello', ...FROM_MARKETING },
	{ code: 134100, name: 'hello', ...FROM_MARKETING },
	{ code: 134101, name: 'hello', ...FROM_MARKETING },
	{ code: 134102, name: '*', ...FROM_MARKETING },
	{ code: 131061, name: 'hello', ...FROM_MESSAGES },
	{ code: 131063, name: 'hello', ...FROM_MESSAGES },
])
	test(`a campaign refused with ${code} reaches everyone once over ${accepts}, and the choice is remembered`, async () => {
		const contacts = 60
		const sender = await accountWith({ contacts, onboarding, refusals: [{ endpoint, code }] })
		const campaignId = await startCampaign(product, sender)
		const done = await campaignWhen(product, { ...sender, campaignId }, isDone)
		assert.equal(done.failed, 0)
		const received = await receivedOf(sender.accountId, contacts)
		assert.deepEqual(received, { messages: 0, marketing_messages: 0, [accepts]: contacts })
		assert.deepEqual([...(await choicesOf(sender.accountId))], [{ name, endpoint: accepts, code }])
		const isMarketing = accepts === 'marketing_messages'
		await routesAre(sender.accountId, campaignId, {
			marketing: isMarketing ? contacts : 0,
			ordinary: isMarketing ? 0 : contacts,
		})
		assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 0, heldPaise: 0 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})

test('once a choice is known no message is refused again, also by a later campaign', async () => {
	const sender = await accountWith({ contacts: 300 })
	const { phone_number_id } = sender.credentials
	await product.db`update senders set messages_per_second = 80 where account_id = ${sender.accountId}`
	await control.addFault({ kind: 'error', code: 131055, call: 'marketing_messages', phone_number_id })
	const refusals = async () => {
		const applied = await control.appliedFaults()
		return applied.find(({ fault }) => fault.phone_number_id === phone_number_id)?.times ?? 0
	}
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, isDone)
	const first = await refusals()
	assert.ok(first > 0 && first <= 80, `${first} were refused`)
	assert.deepEqual(await receivedOf(sender.accountId, 300), { messages: 300, marketing_messages: 0 })
	const [choice] = await choicesOf(sender.accountId)
	assert.equal(choice?.endpoint, 'messages')
})

test('a campaign that both endpoints refuse pauses with the reason, fails nothing, and is sent once the account is fixed', async () => {
	const refusals: RouteRefusal[] = [
		{ endpoint: 'marketing_messages', code: 134102 },
		{ endpoint: 'messages', code: 131063 },
	]
	const sender = await accountWith({ contacts: 40, refusals })
	const { accountId, credentials } = sender
	await product.db`update senders set messages_per_second = 20 where account_id = ${accountId}`
	const campaignId = await startCampaign(product, sender)
	const paused = await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'paused')
	assert.deepEqual([paused.failed, paused.pending], [0, 40])
	const { statusReason } = await getCampaign(product.db, accountId, String(campaignId))
	assert.match(statusReason ?? '', /switched off/)
	assert.deepEqual(await receivedOf(accountId, 40), { messages: 0, marketing_messages: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
	await control.setMarketing({ waba_id: credentials.waba_id, refusals: [] })
	await resumeCampaign(product.process.context, accountId, String(campaignId))
	assert.equal((await campaignWhen(product, { ...sender, campaignId }, isDone)).failed, 0)
})

for (const { code, isNew } of [
	{ code: 134101, isNew: false },
	{ code: 100, isNew: true },
	{ code: 131009, isNew: true },
])
	test(`a campaign waits while its template is prepared (${code}) and the ordinary route refuses marketing, and reaches everyone`, async () => {
		const ordinary: RouteRefusal = { endpoint: 'messages', code: 131063 }
		const sender = await accountWith({ contacts: 20, refusals: [{ endpoint: 'marketing_messages', code }, ordinary] })
		const { accountId } = sender
		await setLimit(product.db, accountId, { limit: 1000 })
		if (isNew) await product.db`update senders set marketing_onboarded_at = now() where account_id = ${accountId}`
		const campaignId = await startCampaign(product, sender)
		const waiting = await campaignWhen(product, { ...sender, campaignId }, (c) => c.waitingReason !== null)
		assert.deepEqual([waiting.status, waiting.waitingReason], ['processing', TEMPLATE_PREPARING])
		// The campaign keeps no worker busy, and takes no share of the limit from other accounts of the portfolio.
		await until(async () => (await listActiveAllAccounts(product.db, accountId)).length === 0)
		const other = { portfolio: `portfolio-${accountId}`, accountId: 0 as AccountId }
		assert.deepEqual(await campaignReads.listRivals(product.db, other), [])
		await endPreparing(sender, [ordinary])
		const done = await campaignWhen(product, { ...sender, campaignId }, isDone)
		assert.equal(done.failed, 0)
		assert.deepEqual(await receivedOf(accountId, 20), { messages: 0, marketing_messages: 20 })
		assert.deepEqual(await moneyFindings(product.db), [])
	})

test('131063 pauses the campaign of an account that chose the ordinary route, and fails nothing', async () => {
	const sender = await accountWith({ contacts: 5, ordinaryOff: true })
	const marketing = { route: 'messages', sharesActivity: false } as const
	await upsertRules(product.db, sender.accountId, { frequency: null, quiet: null, marketing })
	const campaignId = await startCampaign(product, sender)
	const paused = await campaignWhen(product, { ...sender, campaignId }, (c) => c.status === 'paused')
	assert.equal(paused.failed, 0)
	const { statusReason } = await getCampaign(product.db, sender.accountId, String(campaignId))
	assert.match(statusReason ?? '', /automatic route/)
})

test('a refusal reads the category again, so that the campaign of a moved template takes its own route', async () => {
	const sender = await accountWith({ contacts: 5 })
	const { waba_id } = sender.credentials
	await control.holdWebhooks({ waba_id })
	await control.recategoriseTemplate({ waba_id, name: 'hello', category: 'UTILITY' })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending === 0)
	assert.deepEqual(await receivedOf(sender.accountId, 5), { messages: 5, marketing_messages: 0 })
	const [template] = await product.db`select category from templates where account_id = ${sender.accountId}`
	assert.equal(template?.category, 'UTILITY')
	await control.releaseWebhooks({ waba_id })
})

test('a marketing message with an unknown outcome is never sent on the other endpoint', async () => {
	const sender = await accountWith({ contacts: 20 })
	const { phone_number_id } = sender.credentials
	await control.addFault({ kind: 'drop', accepted: false, times: 5, call: 'marketing_messages', phone_number_id })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, (c) => c.pending === 5 && c.sent === 0)
	await until(async () => {
		const unknown = await product.db`
			select 1 from unsettled_messages where account_id = ${sender.accountId} and unknown_since is not null
		`
		return unknown.length === 5
	})
	assert.deepEqual(await receivedOf(sender.accountId, 20), { messages: 0, marketing_messages: 15 })
})

test('a test message is sent once on the other endpoint, and waits when neither takes it for some minutes', async () => {
	const refusals: RouteRefusal[] = [{ endpoint: 'marketing_messages', code: 134101 }]
	const sender = await accountWith({ contacts: 0, balancePaise: 200, refusals })
	const { accountId, templateId, credentials } = sender
	const order = (number: string) => sendTest(product.db, accountId, { templateId, variables: { var1: 'Asha' }, number })
	const endpointsOf = async (number: string) =>
		(await control.received(number)).messages.map(({ endpoint }) => endpoint)
	const first = await order('919811110001')
	await campaignWhen(product, { accountId, campaignId: first }, (c) => c.pending === 0)
	assert.deepEqual(await endpointsOf('919811110001'), ['messages'])
	await control.setMarketing({
		waba_id: credentials.waba_id,
		refusals: [...refusals, { endpoint: 'messages', code: 131061 }],
	})
	const second = await order('919811110002')
	await campaignWhen(product, { accountId, campaignId: second }, (c) => c.waitingReason === TEMPLATE_PREPARING)
	await endPreparing(sender, [])
	assert.equal((await campaignWhen(product, { accountId, campaignId: second }, isDone)).failed, 0)
	assert.deepEqual(await endpointsOf('919811110002'), ['marketing_messages'])
	assert.deepEqual(await getWallet(product.db, accountId), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('the time of the onboarding is that of the first reading which reports it, and ends with it', async () => {
	const { accountId, credentials } = await accountWith({ contacts: 0, onboarding: 'ELIGIBLE' })
	const read = async (status: string) => {
		await control.setBusiness({ waba_id: credentials.waba_id, marketing_messages_onboarding_status: status })
		await readSenderLimits(product.process.context, accountId)
		const [sender] = await product.db<{ at: Date | null }[]>`
			select marketing_onboarded_at as at from senders where account_id = ${accountId}
		`
		return sender?.at ?? null
	}
	assert.equal(await read('ELIGIBLE'), null)
	const first = await read('ONBOARDED')
	assert.ok(first)
	assert.deepEqual(await read('ONBOARDED'), first)
	assert.equal(await read('ELIGIBLE'), null)
	assert.ok(((await read('ONBOARDED')) ?? first) > first)
})

test('a campaign does not wait when a worker of an earlier release has written a choice of a month over the wait', async () => {
	const sender = await accountWith({ contacts: 5 })
	await product.db`
		insert into template_routes (account_id, name, language, endpoint, code, category, onboarding, until, is_waiting)
		select ${sender.accountId}, name, language, 'messages', 131055, category, 'ONBOARDED', now() + interval '30 days', true
		from templates where account_id = ${sender.accountId} and name = 'hello'
	`
	const campaignId = await startCampaign(product, sender)
	const done = await campaignWhen(product, { ...sender, campaignId }, isDone)
	assert.equal(done.failed, 0)
	assert.deepEqual(await receivedOf(sender.accountId, 5), { messages: 5, marketing_messages: 0 })
})
