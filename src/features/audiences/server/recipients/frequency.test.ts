import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { createCampaign } from '#features/campaigns/server/service.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { sendingRules } from '#features/delivery/contract.ts'
import { INDIAN_TIME_ZONE, indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { campaignForm, campaignWhen, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { findCap, listWrittenEnough } from './frequency-queries.ts'

const product = await launchProduct()

const saveRule = ({ token }: TestAccount, frequency: { messages: number; days: number } | null) =>
	call(product.process.url, sendingRules.saveRules, { body: { frequency, quiet: null }, token })

/**
 * Creates an account with this frequency rule, and helpers that send, estimate and backdate campaigns to all its
 * contacts.
 */
async function shopWith(frequency: { messages: number; days: number }, contacts = 3) {
	const sender = await sendingAccount(product, { contacts, balancePaise: 100_000 })
	assert.equal((await saveRule(sender, frequency)).status, 200)
	const { db } = product
	const send = async () => {
		const campaignId = await startCampaign(product, sender)
		const done = await campaignWhen(product, { ...sender, campaignId }, ({ status }) => status === 'completed')
		return { campaignId, total: done.total, capped: done.capped }
	}
	const estimate = async (at?: string) => {
		const { templateId, token } = sender
		const timing = at ? { schedule: 'later' as const, scheduleDatetime: at } : { schedule: 'now' as const }
		const form = { templateId, variables: { var1: '{{firstName}}' }, timezone: INDIAN_TIME_ZONE }
		const body = { audienceType: 'all' as const, ...form, ...timing }
		const answer = await call(product.process.url, campaignPreflight.estimate, { body, token })
		return [answer.body.recipients, answer.body.capped]
	}
	const moveBack = (campaignId: number, interval: string) => db`
		update campaign_messages set sent_at = now() - ${interval}::interval
		where account_id = ${sender.accountId} and campaign_id = ${campaignId}
	`
	return { sender, send, estimate, moveBack }
}

test('a campaign leaves out recipients of an earlier one within the rule’s days, counts them, and the estimate agrees', async () => {
	const { sender, send, estimate, moveBack } = await shopWith({ messages: 1, days: 3 })
	const first = await send()
	assert.deepEqual([first.total, first.capped], [3, 0])
	assert.deepEqual(await estimate(), [0, 3])
	await assert.rejects(startCampaign(product, sender), /This campaign has no recipients/)
	await moveBack(first.campaignId, '2 days 23:59')
	assert.deepEqual(await estimate(), [0, 3])
	await moveBack(first.campaignId, '3 days 00:00:01')
	assert.deepEqual(await estimate(), [3, 0])
	await product.db`
		update campaign_messages set sent_at = now() - interval '1 hour'
		where account_id = ${sender.accountId} and campaign_id = ${first.campaignId} and seq = 2
	`
	const second = await send()
	assert.deepEqual([second.total, second.capped], [2, 1])
})

test('the cap counts messages to a number and to its WhatsApp id together', async () => {
	const { sender, send, estimate } = await shopWith({ messages: 2, days: 3 }, 1)
	const { db } = product
	const { accountId } = sender
	const [contact] = await db<{ number: string }[]>`select number from contacts where account_id = ${accountId}`
	const own = contact?.number ?? ''
	const [old, other] = ['5519812345678', '5511987654321']
	await send()
	// The first message is moved to the number without its ninth digit.
	await db`update campaign_messages set number = ${old} where account_id = ${accountId}`
	await send()
	assert.deepEqual(await estimate(), [1, 0])
	await db`insert into whatsapp_ids (account_id, number, wa_id) values (${accountId}, ${own}, ${old})`
	assert.deepEqual(await estimate(), [0, 1])
	const cap = await findCap(db, accountId, { messages: 2, days: 3, opensAt: null, except: null })
	for (const numbers of [[own], [old, other]])
		assert.deepEqual(await listWrittenEnough(db, accountId, { cap, numbers }), numbers.slice(0, 1))
})

test('with a rule of two messages, a second campaign reaches everyone and a third has no recipients', async () => {
	const { send, estimate } = await shopWith({ messages: 2, days: 7 })
	assert.deepEqual([(await send()).total, (await send()).total], [3, 3])
	assert.deepEqual(await estimate(), [0, 3])
})

test('messages that failed, of utility templates and of cancelled campaigns do not count; pending ones do', async () => {
	const { sender, send, estimate } = await shopWith({ messages: 1, days: 3 })
	const { db } = product
	const { campaignId } = await send()
	const set = (change: ReturnType<typeof db>) => db`update campaigns set ${change} where id = ${campaignId}`
	await db`update campaign_messages set status = 'failed' where campaign_id = ${campaignId} and seq = 1`
	assert.deepEqual(await estimate(), [1, 2])
	await set(db`template = template || '{"category":"UTILITY"}'`)
	assert.deepEqual(await estimate(), [3, 0])
	const scheduled = await startCampaign(product, sender, { schedule: 'later', scheduleDatetime: inDays(2) })
	assert.deepEqual(await estimate(), [0, 3])
	await db`update campaigns set status = 'cancelled' where id = ${scheduled}`
	assert.deepEqual(await estimate(), [3, 0])
})

/** Returns the time in this many days as a form sends it. */
const inDays = (days: number) => `${indianDay(Date.now() + days * DAY_MS)}T10:00:00`

test('a scheduled campaign counts for campaigns that open less than the rule’s days before or after it', async () => {
	const { sender, estimate } = await shopWith({ messages: 1, days: 3 })
	const { db } = product
	const id = await startCampaign(product, sender, { schedule: 'later', scheduleDatetime: inDays(20) })
	const set = (change: ReturnType<typeof db>) => db`update campaigns set ${change} where id = ${id}`
	assert.deepEqual(await estimate(), [3, 0])
	assert.deepEqual(await estimate(inDays(16)), [3, 0])
	assert.deepEqual(await estimate(inDays(18)), [0, 3])
	assert.deepEqual(await estimate(inDays(22)), [0, 3])
	assert.deepEqual(await estimate(inDays(24)), [3, 0])
	await set(db`opens_at = now() - interval '10 days', status = 'paused'`)
	assert.deepEqual(await estimate(), [0, 3])
	assert.deepEqual(await estimate(inDays(24)), [0, 3])
	await set(db`status = 'pending'`)
	assert.deepEqual(await estimate(), [0, 3])
	assert.deepEqual(await estimate(inDays(24)), [3, 0])
})

/** Columns of a file with the test contacts, whose numbers are unlikely. */
const COLUMNS = JSON.stringify({ firstName: null, lastName: null, number: 0, hasHeader: true, withUnlikely: true })

test('rows of a file are left out by the cap with the reason, and an opt-out is named before the cap', async () => {
	const { sender, send } = await shopWith({ messages: 1, days: 3 })
	const { campaignId } = await send()
	const { db, process } = product
	const rows = await db<{ number: string }[]>`select number from campaign_messages where campaign_id = ${campaignId}`
	const [out = ''] = rows.map(({ number }) => number)
	await setOptOuts(db, sender.accountId, { numbers: [out], optedOut: true, because: 'manual' })
	const text = ['number', ...rows.map(({ number }) => `+${number}`), '+919812345678'].join('\n')
	const file = () => new File([text], 'people.csv', { type: 'text/csv' })
	const { templateId, token } = sender
	const variables = JSON.stringify({ var1: 'friend' })
	const timing = { schedule: 'now', timezone: INDIAN_TIME_ZONE } as const
	const asked = await call(process.url, campaignPreflight.audienceFile, {
		body: { templateId, variables, columns: COLUMNS, ...timing },
		files: { file: file() },
		token,
	})
	assert.equal(asked.status, 200, asked.body.message)
	assert.deepEqual([asked.body.optedOut, asked.body.capped, asked.body.recipients], [1, 2, 1])
	assert.deepEqual(
		asked.body.preview.map(({ reason }) => reason),
		['Opted out of marketing messages', 'Got marketing messages recently', 'Got marketing messages recently', null],
	)
})

test('rows of a file are left out by campaigns near the chosen time, in the analysis and among the rejected rows', async () => {
	const { sender, send } = await shopWith({ messages: 1, days: 3 })
	await send()
	const { db, process } = product
	const rows = await db<{ number: string }[]>`select number from contacts where account_id = ${sender.accountId}`
	const file = () => new File([['number', ...rows.map(({ number }) => number)].join('\n')], 'people.csv')
	const { templateId, token } = sender
	const leftOut = async (at?: string) => {
		const timing = at ? { schedule: 'later' as const, scheduleDatetime: at } : {}
		const body = { templateId, timezone: INDIAN_TIME_ZONE, columns: COLUMNS, ...timing }
		const given = () => ({ body, files: { file: file() }, token })
		const shown = await call(process.url, campaignPreflight.audienceFile, given())
		const saved = await call(process.url, campaignPreflight.rejectedRows, given())
		return [shown.body.capped, (await (saved.body as Blob).text()).trim().split('\r\n').length - 1]
	}
	assert.deepEqual(await leftOut(), [3, 3])
	assert.deepEqual(await leftOut(inDays(5)), [0, 0])
})

test('a retry of failed messages leaves out recipients of a campaign sent since, and the estimate agrees', async () => {
	const { sender, send, moveBack } = await shopWith({ messages: 1, days: 3 })
	const { db, process, simulator } = product
	const rows = await db<{ number: string }[]>`
		select number from contacts where account_id = ${sender.accountId} order by id
	`
	const busy = { call: 'messages', kind: 'error', code: 133016, times: 1 } as const
	for (const { number } of rows) await simulator.control.addFault({ ...busy, to: number })
	const failed = await send()
	const since = await send()
	assert.deepEqual([since.total, since.capped], [3, 0])
	await moveBack(since.campaignId, '4 days')
	await db`
		update campaign_messages set sent_at = now() - interval '1 hour'
		where account_id = ${sender.accountId} and campaign_id = ${since.campaignId} and seq = 2
	`
	const { token } = sender
	const params = { id: String(failed.campaignId) }
	const plan = (await call(process.url, campaignReports.retryEstimate, { params, token })).body
	assert.deepEqual([plan.recipients, plan.capped, plan.problems], [2, 1, []])
	const made = (await call(process.url, campaignReports.retryFailed, { params, body: {}, token })).body.campaign
	assert.equal(made.totalCount, 2)
})

test('of campaigns created at the same moment, one has all recipients and the others have none', async () => {
	const { sender } = await shopWith({ messages: 1, days: 3 })
	const order = () => createCampaign(product.process.context, sender.accountId, campaignForm(sender.templateId))
	const outcomes = await Promise.allSettled([order(), order(), order()])
	assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('saveRules rejects invalid rules, and rules returns each account’s own saved rules', async () => {
	const { url, context } = product.process
	const [one, other] = [await account(context, {}), await account(context, {})]
	const marketing = { route: 'automatic', sharesActivity: false }
	const rules = { frequency: { messages: 2, days: 7 }, quiet: { from: '21:30', until: '09:00' }, marketing }
	const save = (body: object) => call(url, sendingRules.saveRules, { body: body as never, token: one.token })
	assert.deepEqual((await save(rules)).body.rules, rules)
	for (const [wrong, message] of [
		[{ ...rules, frequency: { messages: 0, days: 7 } }, /Enter 1 to 50 messages/],
		[{ ...rules, frequency: { messages: 1, days: 61 } }, /Enter 1 to 60 days/],
		[{ ...rules, quiet: { from: '24:00', until: '09:00' } }, /Please enter a time/],
		[{ ...rules, quiet: { from: '09:00', until: '09:00' } }, /Quiet hours must end at another time/],
	] as const) {
		const refused = await save(wrong)
		assert.equal(refused.status, 400)
		assert.match(JSON.stringify(refused.body), message)
	}
	assert.deepEqual((await call(url, sendingRules.rules, { token: one.token })).body, rules)
	assert.deepEqual((await call(url, sendingRules.rules, { token: other.token })).body, {
		frequency: null,
		quiet: null,
		marketing,
	})
})
