import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSegment } from '#features/audiences/server/segments/segments.ts'
import { setManyOptedOut } from '#features/contacts/server/service.ts'
import { sendingRules } from '#features/delivery/contract.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { DAY_MS } from '#lib/durations.ts'
import { launchProduct, moneyFindings } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop, type Problem } from '#test/scenes/shop.ts'
import { until } from '#test/until.ts'

const PRICE_PAISE = 100

const product = await launchProduct()

type Created = { id: string; status: string; counts: Record<string, number>; held: { paise: number }; code?: string }

/** Creates an account with a group of three contacts, and functions that call its campaigns by /v1. */
async function shopWithGroup(balancePaise: number) {
	const my = await openShop(product, { balancePaise })
	const { url } = product.process
	const group = (await call(url, v1.createGroup, { body: { name: 'Buyers' }, token: my.token })).body.id
	const contacts = ['1', '2', '3'].map((digit) => ({
		firstName: `Asha ${digit}`,
		number: `91988${String(my.accountId).padStart(5, '0')}0${digit}`,
	}))
	await call(url, v1.upsertContacts, { body: { contacts, group }, token: my.token })
	const form = { name: 'Diwali', template: { name: 'hello' }, values: { var1: '{{firstName}}' }, group }
	const create = async (given: object = {}, key?: string) => {
		const { status, body } = await my.post('/v1/campaigns', { ...form, ...given }, key)
		return { status, body: body as unknown as Created }
	}
	const of = (id: string) => ({ params: { id }, token: my.token })
	return { ...my, create, of, url, numbers: contacts.map(({ number }) => number) }
}

const TOMORROW = new Date(Date.now() + DAY_MS).toISOString()

test('v1.createCampaign accepts retryHeldBack without effect, for contacts and for a list', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const list = { group: undefined, values: { var1: 'Asha' }, recipients: [{ to: my.numbers[0] }] }
	for (const audience of [{ startsAt: TOMORROW }, list])
		assert.equal((await my.create({ ...audience, retryHeldBack: true })).status, 201)
})

test('v1.createCampaign accepts a segment listed by v1.segments, and refuses a second audience', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const rules = [{ kind: 'added', is: true, days: 1 } as const]
	const { id } = await createSegment(product.db, my.accountId, { name: 'New', match: 'all', rules })
	const { data } = (await call(my.url, v1Campaigns.segments, { token: my.token })).body
	assert.deepEqual(
		data.map((segment) => [segment.id, segment.name]),
		[[String(id), 'New']],
	)
	const both = await my.create({ segment: String(id) })
	assert.equal(both.status, 422)
	const { status, body } = await my.create({ segment: String(id), group: undefined, startsAt: TOMORROW })
	assert.deepEqual([status, body.counts['total']], [201, 3])
})

test('v1.createCampaign takes an order of recipients and a daily start, and refuses a start within quiet hours', async () => {
	const my = await shopWithGroup(9 * PRICE_PAISE)
	const rules = { frequency: null, quiet: { from: '21:00', until: '09:00' } }
	await call(my.url, sendingRules.saveRules, { body: rules, token: my.session })
	const pacing = { recipientOrder: 'engaged', dailyStart: '10:30', startsAt: TOMORROW }
	const list = { group: undefined, values: { var1: 'Asha' }, recipients: [{ to: my.numbers[0] }], startsAt: TOMORROW }
	for (const [given, written] of [
		[pacing, ['engaged', '10:30:00']],
		[{ ...list, dailyStart: '10:30' }, [null, '10:30:00']],
		[{ startsAt: TOMORROW }, [null, null]],
	] as const) {
		const { status, body } = await my.create(given)
		assert.equal(status, 201, JSON.stringify(body))
		const [row] = await product.db`select recipient_order, daily_start from campaigns where id = ${body.id}`
		assert.deepEqual([row?.recipient_order, row?.daily_start], written)
	}
	for (const audience of [{}, list]) {
		const { status, body } = await my.create({ ...audience, startsAt: TOMORROW, dailyStart: '22:00' })
		assert.equal(status, 422)
		assert.match(JSON.stringify(body), /\/dailyStart.*22:00 is within your quiet hours \(21:00 to 09:00\)/)
	}
	const sorted = await my.create({ ...list, recipientOrder: 'engaged' })
	assert.equal(sorted.status, 422)
	assert.match(JSON.stringify(sorted.body), /\/recipientOrder/)
	for (const dailyStart of ['25:00', '', 'ten']) assert.equal((await my.create({ dailyStart })).status, 422)
})

test('a campaign to a group is sent and charged, and its report and recipients return the status of each message', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const { status, body } = await my.create()
	assert.equal(status, 201, JSON.stringify(body))
	const { url, of } = my
	const get = async () => (await call(url, v1Campaigns.campaign, of(body.id))).body
	await until(async () => (await get()).status === 'completed')
	const done = await get()
	assert.deepEqual([done.counts.total, done.cost, done.held.paise], [3, { paise: 300, rupees: '3.00' }, 0])
	const { data, next } = (await call(url, v1Campaigns.recipients, { ...of(body.id), query: { limit: 2 } })).body
	assert.deepEqual(
		data.map(({ to, name }) => [to, name]),
		my.numbers.slice(0, 2).map((number, at) => [number, `Asha ${at + 1}`]),
	)
	const rest = (await call(url, v1Campaigns.recipients, { ...of(body.id), query: { limit: 2, cursor: next ?? '' } }))
		.body
	assert.deepEqual([rest.data.length, rest.next], [1, null])
	const failed = (await call(url, v1Campaigns.recipients, { ...of(body.id), query: { status: 'failed' } })).body
	assert.deepEqual(failed.data, [])
	assert.equal((await my.find(data[0]?.id ?? '')).to, data[0]?.to)
	const report = (await call(url, v1Campaigns.report, of(body.id))).body
	assert.equal(report.campaign.id, body.id)
	assert.ok(report.timeline.spans.length > 0)
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a page continues where the previous one ended, while messages are sent, clicked and created', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const { url, of, token } = my
	const { id } = (await my.create({ startsAt: TOMORROW })).body
	const pending = async (cursor?: string | null) => {
		const query = { status: 'pending' as const, limit: 1, ...(cursor && { cursor }) }
		return (await call(url, v1Campaigns.recipients, { ...of(id), query })).body
	}
	const first = await pending()
	await product.db`update campaign_messages set status = 'sent' where account_id = ${my.accountId} and seq = 1`
	const second = await pending(first.next)
	assert.deepEqual(
		[...first.data, ...second.data].map(({ to }) => to),
		my.numbers.slice(0, 2),
	)
	assert.deepEqual(await pending('9'.repeat(18)), { data: [], next: null })
	await product.db`
		insert into campaign_clicks (account_id, campaign_id, seq, click_id, button, is_first, clicked_at)
		values (${my.accountId}, ${id}, 2, 'click', 0, true, now())
	`
	const clicked = (await call(url, v1Campaigns.recipients, { ...of(id), query: { status: 'clicked' } })).body.data
	assert.deepEqual(
		clicked.map(({ to }) => to),
		my.numbers.slice(1, 2),
	)

	const draft = () =>
		my.create({ group: undefined, values: {}, recipients: [{ to: '919876511001', values: { var1: 'A' } }] })
	const { id: draftId } = (await draft()).body
	const campaigns = async (cursor?: string | null) =>
		(await call(url, v1Campaigns.campaigns, { token, query: { limit: 1, ...(cursor && { cursor }) } })).body
	const latest = await campaigns()
	await draft()
	const older = await campaigns(latest.next)
	assert.deepEqual(
		[...latest.data, ...older.data].map((campaign) => campaign.id),
		[draftId, id],
	)
	assert.equal(older.next, null)
})

test('a scheduled campaign holds its price, is paused, resumed and cancelled, and releases all of it', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const { body } = await my.create({ startsAt: TOMORROW })
	assert.deepEqual([body.status, body.held.paise], ['pending', 300])
	const { url, of } = my
	const shown = (await call(url, v1Campaigns.campaign, of(body.id))).body
	assert.equal(shown.startsAt, TOMORROW)
	assert.equal((await call(url, v1Campaigns.pauseCampaign, of(body.id))).body.status, 'paused')
	assert.equal((await call(url, v1Campaigns.resumeCampaign, of(body.id))).body.status, 'pending')
	assert.equal((await call(url, v1Campaigns.cancelCampaign, of(body.id))).body.status, 'cancelled')
	assert.equal((await call(url, v1Campaigns.pauseCampaign, of(body.id))).status, 409)
	await until(async () => (await my.wallet()).heldPaise === 0)
	assert.equal((await my.wallet()).availablePaise, 3 * PRICE_PAISE)
	const { data } = (await call(url, v1Campaigns.campaigns, { token: my.token })).body
	assert.deepEqual(
		data.map(({ id }) => id),
		[body.id],
	)
})

test('v1.createCampaign repeated with its key returns the first campaign, 409 for another body, and 402 when the wallet is short', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const first = await my.create({ startsAt: TOMORROW }, 'diwali')
	const again = await my.create({ startsAt: TOMORROW }, 'diwali')
	assert.deepEqual([again.status, again.body.id], [201, first.body.id])
	assert.equal((await my.create({ name: 'Other', startsAt: TOMORROW }, 'diwali')).status, 409)
	const short = await my.create({ startsAt: TOMORROW })
	assert.deepEqual([short.status, short.body.code], [402, 'insufficient_balance'])
	assert.equal((await my.entries()).length, 1)
})

test('v1.createCampaign returns 422 for a misspelt group, no audience or two, and sends "audience": "all" to all contacts', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const errorsOf = async (given: object) => {
		const { status, body } = await my.create({ group: undefined, ...given })
		const { errors = [] } = body as { errors?: { path: string; detail: string }[] }
		return [status, ...errors.map(({ path }) => path)]
	}
	assert.deepEqual(await errorsOf({ groupId: '1' }), [422, '/groupId', '/audience'])
	assert.deepEqual(await errorsOf({}), [422, '/audience'])
	assert.deepEqual(await errorsOf({ audience: 'everyone' }), [422, '/audience'])
	assert.deepEqual(await errorsOf({ audience: 'all', group: '1' }), [422, '/group'])
	assert.deepEqual(
		await errorsOf({ name: '', template: { name: 'hello', lang: 'en' }, recipients: [{ to: '12', sendAt: 'x' }] }),
		[422, '/name', '/template/lang', '/recipients/0/sendAt', '/recipients/0/to'],
	)
	assert.deepEqual((await call(my.url, v1Campaigns.campaigns, { token: my.token })).body.data, [])
	const all = await my.create({ group: undefined, audience: 'all', startsAt: TOMORROW })
	assert.deepEqual([all.status, all.body.counts['total']], [201, 3])
})

test('v1.createCampaign refuses an unknown template, group or value, and a time in the past', async () => {
	const my = await shopWithGroup(3 * PRICE_PAISE)
	const refused: [object, number][] = [
		[{ template: { name: 'nothing' } }, 404],
		[{ group: '999999' }, 404],
		[{ values: {} }, 422],
		[{ values: { var1: 'Asha', var2: 'x' } }, 422],
		[{ values: { var1: '{{age}}' } }, 422],
		[{ startsAt: '2020-01-01T00:00:00Z' }, 422],
		[{ startsAt: 'tomorrow' }, 422],
		[{ name: ' ' }, 422],
	]
	const errorsOf = async (given: object) => ((await my.create(given)).body as { errors?: { path: string }[] }).errors
	assert.deepEqual(
		(await errorsOf({ values: { var1: ' ' } }))?.map(({ path }) => path),
		['/values/var1'],
	)
	assert.deepEqual(
		(await errorsOf({ startsAt: '2020-01-01T00:00:00+05:30' }))?.map(({ path }) => path),
		['/startsAt'],
	)
	for (const [given, status] of refused) assert.equal((await my.create(given)).status, status, JSON.stringify(given))
	assert.deepEqual([...(await my.entries())], [])
})

test('recipients of a list have their reference and metadata in reads, searches and events, also after others were left out at the start', async () => {
	const my = await shopWithGroup(10 * PRICE_PAISE)
	const { db } = product
	const { token, url } = my
	await db`
		insert into webhook_addresses (account_id, url, events, secret)
		values (${my.accountId}, 'https://shop.example/', '{message.sent,message.delivered}', '')
	`
	const rule = { frequency: { messages: 1, days: 3 }, quiet: null }
	await call(url, sendingRules.saveRules, { body: rule, token: my.session })
	const numberOf = (at: number) => `9197${String(my.accountId).padStart(4, '0')}${String(at).padStart(4, '0')}`
	const people = (...places: number[]) => places.map((at) => ({ to: numberOf(at) }))
	const named = (...places: number[]) =>
		people(...places).map(({ to }) => ({ to, reference: `R ${to}`, metadata: { till: to } }))
	const list = { group: undefined, values: { var1: 'friend' } }
	const post = async (path: string, body: object) => (await my.post(`/v1/campaigns/${path}`, body)).body as object
	const { id } = (await my.create({ ...list, recipients: [...named(1, 2), ...people(3)] })).body
	await setManyOptedOut(db, my.accountId, { numbers: [numberOf(4)], ids: [], optedOut: true })
	await post(`${id}/recipients`, { recipients: named(4, 5, 6) })
	const [wrong] = named(9)
	const faulty = { ...wrong, reference: '', metadata: { a: 1 } }
	const { errors = [] } = (await post(`${id}/recipients`, { recipients: [faulty] })) as Partial<Problem>
	assert.deepEqual(
		errors.map(({ path }) => path),
		['/recipients/0/reference', '/recipients/0/metadata/a'],
	)
	// The first recipient gets enough from another list, so that the last one takes its place.
	await post(`${(await my.create({ ...list, recipients: people(1) })).body.id}/start`, {})
	await post(`${id}/start`, {})
	await until(async () => (await call(url, v1Campaigns.campaign, my.of(id))).body.status === 'completed')
	const { data } = (await call(url, v1Campaigns.recipients, my.of(id))).body
	const expected = (to: string) => (to === numberOf(3) ? null : `R ${to}`)
	assert.deepEqual(data.map(({ to }) => to).toSorted(), [2, 3, 5, 6].map(numberOf))
	for (const one of data) {
		assert.equal(one.reference, expected(one.to))
		assert.deepEqual(one.metadata, one.reference === null ? null : { till: one.to })
		assert.equal((await my.find(one.id)).reference, expected(one.to))
	}
	const found = (await my.list({ reference: `R ${numberOf(6)}` })).data
	assert.deepEqual(
		found.map(({ to }) => to),
		[numberOf(6)],
	)
	assert.deepEqual((await my.list({ reference: `R ${numberOf(1)}` })).data, [])
	const readEvents = async () => {
		const rows = await db<{ events: { data: { to: string; campaignId: string; reference?: string } }[] }[]>`
			select events from waiting_events where account_id = ${my.accountId}
			union all select body::json -> 'events' from event_deliveries where account_id = ${my.accountId}
		`
		return rows.flatMap(({ events }) => events).filter(({ data: { campaignId } }) => campaignId === id)
	}
	await until(async () => (await readEvents()).length >= 8)
	for (const { data: event } of await readEvents()) assert.equal(event.reference ?? null, expected(event.to))
	assert.equal((await call(url, v1Messages.message, { params: { id: `${id}-1` }, token })).body.campaignId, id)
})
