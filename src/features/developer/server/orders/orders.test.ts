import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { campaigns } from '#features/campaigns/contract.ts'
import { setManyOptedOut } from '#features/contacts/server/service.ts'
import { pauseAllCampaigns } from '#features/delivery/server/service.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { privacy } from '#features/privacy/contract.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { transaction } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import { account, apiKey } from '#test/factories.ts'
import { campaignWhen, launchProduct, moneyFindings, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/scenes/shop.ts'
import { until } from '#test/until.ts'

const PRICE_PAISE = 100

const product = await launchProduct()

const shop = (balancePaise: number, given: { perSecond?: number; contacts?: number } = {}) =>
	openShop(product, { ...given, balancePaise })

const received = async (number: string) => (await product.simulator.control.received(number)).accepted

suite('POST /v1/messages', () => {
	test('messages of a day with one template are sent, charged at their price and collected in one campaign', async () => {
		const my = await shop(10 * PRICE_PAISE)
		const first = await my.send('+91 98765 00001')
		assert.equal(first.status, 202, JSON.stringify(first.body))
		const { accountId } = my
		const campaignId = Number(first.body.campaignId)
		await campaignWhen(product, { accountId, campaignId }, ({ status }) => status === 'completed')
		await until(async () => (await my.find(first.body.id)).status !== 'sent')
		const second = await my.send('919876500002')
		assert.equal(second.body.campaignId, first.body.campaignId)
		await campaignWhen(product, { accountId, campaignId }, ({ status, total }) => status === 'completed' && total === 2)
		assert.deepEqual([await received('919876500001'), await received('919876500002')], [1, 1])
		assert.deepEqual(await my.wallet(), { availablePaise: 8 * PRICE_PAISE, heldPaise: 0 })
		const [entry, ...more] = await my.entries()
		assert.deepEqual(more, [])
		assert.match(entry?.name ?? '', /^API · Hello · \d{1,2} \w{3,4}$/)
		const query = { page: 1, limit: 10, search: '', tests: 'hide' } as const
		const listed = (await call(product.process.url, campaigns.list, { query, token: my.token })).status
		assert.equal(listed, 401)
		const shown = (await call(product.process.url, campaigns.list, { query, token: my.session })).body
		assert.deepEqual(
			shown.campaigns.map(({ totalCount, cost, isTest }) => [totalCount, cost, isTest]),
			[[2, 2, false]],
		)
		const notices =
			await product.db`select text from notifications where account_id = ${accountId} and text like '%API%'`
		assert.deepEqual([...notices], [])
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('v1.sendMessage returns 402 and writes nothing when the wallet is short', async () => {
		const my = await shop(PRICE_PAISE - 1)
		const { status, body } = await my.send('919876500003', { key: 'k' })
		assert.deepEqual([status, body.code], [402, 'insufficient_balance'])
		assert.deepEqual(body.needed, { paise: PRICE_PAISE, rupees: '1.00' })
		assert.deepEqual(body.available, { paise: PRICE_PAISE - 1, rupees: '0.99' })
		assert.deepEqual([...(await my.entries())], [])
		const kept = await product.db`select from api_requests where account_id = ${my.accountId}`
		assert.equal(kept.length, 0)
	})

	test('v1.sendMessage returns 422 with the place of each fault, and writes nothing', async () => {
		const my = await shop(10 * PRICE_PAISE)
		const missing = await my.send('919876500004', { template: { name: 'nothing' } })
		assert.deepEqual([missing.status, missing.body.code], [404, 'template_not_found'])
		const wrong = await my.send('12', { values: { var2: 'x', 'a/b~c': 'x' } })
		assert.equal(wrong.status, 422)
		assert.deepEqual(
			wrong.body.errors?.map(({ path }) => path),
			['/to', '/values/var1', '/values/var2', '/values/a~1b~0c'],
		)
		const tag = await my.send('919876500004', { values: { var1: 'Dear {{firstName}}' } })
		assert.deepEqual(
			tag.body.errors?.map(({ path }) => path),
			['/values/var1'],
		)
		await setManyOptedOut(product.db, my.accountId, { numbers: ['919876500004'], ids: [], optedOut: true })
		const optedOut = await my.send('919876500004')
		assert.deepEqual([optedOut.status, optedOut.body.code], [422, 'recipient_opted_out'])
		await product.db`update templates set status = 'PAUSED' where account_id = ${my.accountId}`
		const paused = await my.send('919876500005')
		assert.deepEqual([paused.status, paused.body.code], [422, 'template_not_usable'])
		assert.deepEqual([...(await my.entries())], [])
	})

	test('v1.sendMessage returns 409 for an account without a sender or with a paused one', async () => {
		const my = await shop(10 * PRICE_PAISE)
		await product.db`update senders set stopped_reason = 'The access token has expired.' where account_id = ${my.accountId}`
		const stopped = await my.send('919876500006')
		assert.deepEqual([stopped.status, stopped.body.code], [409, 'sender_stopped'])
		await product.db`delete from senders where account_id = ${my.accountId}`
		const missing = await my.send('919876500006')
		assert.deepEqual([missing.status, missing.body.code], [409, 'sender_missing'])
	})

	test('a message that WhatsApp refuses is refunded, and returns the reason', async () => {
		const my = await shop(PRICE_PAISE)
		const to = '919876500007'
		await product.simulator.control.addFault({ call: 'messages', to, kind: 'error', code: 131026 })
		const { body } = await my.send(to)
		await until(async () => (await my.find(body.id)).status === 'failed')
		const { error, sentAt } = await my.find(body.id)
		assert.equal(error?.code, 131026)
		assert.ok(error?.title && error.detail)
		assert.equal(sentAt, null)
		assert.deepEqual(await my.wallet(), { availablePaise: PRICE_PAISE, heldPaise: 0 })
	})

	test('a sender that stops ends the API campaign of the day, and the next message begins another one', async () => {
		const my = await shop(10 * PRICE_PAISE)
		const first = await my.send('919876500008')
		await until(async () => (await my.find(first.body.id)).status !== 'pending')
		await product.db`update campaigns set status = 'failed', status_reason = 'Stopped' where account_id = ${my.accountId}`
		const second = await my.send('919876500009')
		assert.notEqual(second.body.campaignId, first.body.campaignId)
		await until(async () => (await received('919876500009')) === 1)
		assert.deepEqual(await moneyFindings(product.db), [])
	})

	test('a new price begins another API campaign, and earlier messages keep their price', async () => {
		const my = await shop(10 * PRICE_PAISE)
		const first = await my.send('919876500010')
		await product.db`update prices set marketing_paise = 250 where account_id = ${my.accountId}`
		const second = await my.send('919876500011')
		assert.deepEqual([first.body.price.paise, second.body.price.paise], [PRICE_PAISE, 250])
		await until(async () => (await my.wallet()).heldPaise === 0)
		assert.equal((await my.wallet()).availablePaise, 10 * PRICE_PAISE - PRICE_PAISE - 250)
		assert.deepEqual(await moneyFindings(product.db), [])
	})
})

test('a message returns its reference and metadata in answers, lists and events until its recipient is erased', async () => {
	const my = await shop(10 * PRICE_PAISE)
	const { db } = product
	await db`
		insert into webhook_addresses (account_id, url, events, secret)
		values (${my.accountId}, 'https://shop.example/', '{message.sent,message.delivered,message.read,message.failed}', '')
	`
	const named = { reference: 'order/1001', metadata: { shop: 'Pune', पता: 'A "1"' } }
	const one = await my.send('919876500072', named)
	const batch = await my.sendBatch([
		{ to: '919876500073', values: { var1: 'A' } },
		{ to: '919876500074', values: { var1: 'A' }, reference: 'order/1001' },
	])
	const [, second] = (batch.body as unknown as { messages: { id: string }[] }).messages
	const { reference, metadata } = await my.find(one.body.id)
	assert.deepEqual({ reference, metadata }, named)
	const listed = async (of: string) => (await my.list({ reference: of })).data.map(({ id }) => id)
	assert.deepEqual(await listed('order/1001'), [second?.id, one.body.id])
	assert.deepEqual(await listed('order/1002'), [])
	const eventsOf = async (id: string) => {
		const rows = await db<{ events: { data: { id: string; reference?: string; metadata?: object } }[] }[]>`
			select events from waiting_events where account_id = ${my.accountId}
			union all select body::json -> 'events' from event_deliveries where account_id = ${my.accountId}
		`
		return rows.flatMap(({ events }) => events.map(({ data }) => data)).filter((data) => data.id === id)
	}
	await until(async () => (await eventsOf(one.body.id)).length >= 2 && (await eventsOf(second?.id ?? '')).length > 0)
	for (const data of await eventsOf(one.body.id))
		assert.deepEqual({ reference: data.reference, metadata: data.metadata }, named)
	for (const data of await eventsOf(second?.id ?? ''))
		assert.deepEqual([data.reference, data.metadata], ['order/1001', undefined])
	const body = { number: '919876500072' }
	assert.equal((await call(product.process.url, privacy.erase, { body, token: my.session })).status, 200)
	assert.deepEqual(await listed('order/1001'), [second?.id])
	const wrong = await my.send('919876500075', { reference: ' ', metadata: { a: 1, ['b'.repeat(41)]: 'x' } })
	assert.deepEqual(
		wrong.body.errors?.map(({ path }) => path),
		['/reference', '/metadata/a', `/metadata/${'b'.repeat(41)}`],
	)
})

test('erasing a recipient leaves the API campaign of the day unchanged, and the next message is sent', async () => {
	const my = await shop(10 * PRICE_PAISE)
	const first = await my.send('919876500070')
	await until(async () => (await received('919876500070')) === 1)
	const body = { number: '919876500070' }
	assert.equal((await call(product.process.url, privacy.erase, { body, token: my.session })).status, 200)
	const [row] = await product.db`select variables from campaigns where account_id = ${my.accountId}`
	assert.deepEqual(row, { variables: { var1: '{{var1}}' } })
	const second = await my.send('919876500071')
	assert.equal(second.body.campaignId, first.body.campaignId)
	await until(async () => (await received('919876500071')) === 1)
})

test('at most one claim of the same sender’s campaigns precedes the claim of an API message', async (t) => {
	if (await isDistributed(product.db)) return t.skip('a trigger notes the claims, which no distributed table may have')
	// A pace that a busy machine can keep.
	const my = await shop(10_000 * PRICE_PAISE, { contacts: 1000, perSecond: 100 })
	const { db } = product
	await db.unsafe(`
		create table claim_log (campaign_id bigint, at timestamptz default clock_timestamp());
		create function log_claim() returns trigger language plpgsql as $$
			begin insert into claim_log (campaign_id) values (new.campaign_id); return new; end
		$$;
		create trigger log_claim after insert on message_claims for each row execute function log_claim();
	`)
	for (let count = 0; count < 3; count++) await startCampaign(product, my)
	await until(async () => (await db`select from claim_log`).length > 0)
	const between: number[] = []
	for (let order = 0; order < 6; order++) {
		const { body } = await my.send(`9198765001${String(order).padStart(2, '0')}`)
		const [answered] = await db<{ at: Date }[]>`select clock_timestamp() as at`
		await until(async () => (await my.find(body.id)).status !== 'pending')
		const [row] = await db<{ claims: number }[]>`
			select count(*) as claims from claim_log
			where campaign_id <> ${body.campaignId} and at > ${answered?.at ?? null} and at < (
				select min(at) from claim_log where campaign_id = ${body.campaignId} and at > ${answered?.at ?? null}
			)
		`
		between.push(row?.claims ?? 0)
	}
	await transaction(db, (sql) => pauseAllCampaigns(sql, my.accountId, 'The test is over.'))
	await db.unsafe('drop trigger log_claim on message_claims')
	assert.ok(Math.max(...between) <= 1, `claims before each: ${between.join(', ')}`)
})

test('v1.messages returns messages by campaign, number and time in pages, and none to another account', async () => {
	const my = await shop(10 * PRICE_PAISE)
	const ids: string[] = []
	for (const digit of ['1', '2', '1']) ids.push((await my.send(`91987650006${digit}`)).body.id)
	const first = await my.list({ limit: 2 })
	assert.deepEqual(
		first.data.map(({ id }) => id),
		[ids[2], ids[1]],
	)
	const second = await my.list({ limit: 2, cursor: first.next ?? '' })
	assert.deepEqual([second.data.map(({ id }) => id), second.next], [[ids[0]], null])
	assert.deepEqual(
		(await my.list({ number: '98765 00061' })).data.map(({ id }) => id),
		[ids[2], ids[0]],
	)
	assert.equal((await my.list({ campaign: ids[0]?.split('-')[0] })).data.length, 3)
	const [past, soon] = [-HOUR_MS, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString())
	assert.equal((await my.list({ from: past, to: soon })).data.length, 3)
	assert.equal((await my.list({ from: soon })).data.length, 0)
	assert.equal((await my.list({ to: past })).data.length, 0)
	await until(async () => (await my.list()).data.every(({ status }) => status !== 'pending'))
	const between = new Date().toISOString()
	ids.push((await my.send('919876500064')).body.id)
	const idsIn = async (query: object) => (await my.list(query)).data.map(({ id }) => id)
	assert.deepEqual(await idsIn({ from: between }), [ids[3]])
	assert.deepEqual(await idsIn({ to: between }), [ids[2], ids[1], ids[0]])
	const { token } = await apiKey(product.db, await account(product.process.context))
	const { url } = product.process
	assert.deepEqual((await call(url, v1Messages.messages, { token })).body.data, [])
	assert.equal((await call(url, v1Messages.message, { params: { id: ids[0] ?? '' }, token })).status, 404)
})
