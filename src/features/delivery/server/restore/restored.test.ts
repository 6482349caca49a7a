import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepareRestored } from '#app/server/housekeeping/restored.ts'
import { chats } from '#features/chats/contract.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { insertDelivery } from '#features/events/server/delivery-queries.ts'
import { openWallet, post } from '#features/wallet/server/ledger.ts'
import { DAY_MS } from '#lib/durations.ts'
import { transaction } from '#lib/server/db.ts'
import { createTestDatabase } from '#test/database.ts'
import { bareAccount, campaignRow } from '#test/factories.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { openShop } from '#test/scenes/shop.ts'
import { pauseIfRepriced, pauseRepriced } from '../lifecycle/repricing.ts'
import { UNMARKED } from '../message/restore-generations.ts'
import { cancelCampaign, resumeCampaign, decideRestored } from '../service.ts'
import { settle } from '../settlement/settle.ts'
import { sweepExpired } from '../sweeps/sweeps.ts'
import { countDoubtfulAsSent, holdRestored } from './restored.ts'

const notify = async () => {}
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

// The product runs without a worker, because each test calls the sweep.
const product = await launchProduct({ env: { ROLE: 'http' } })

async function campaignTo(contacts: number) {
	const sender = await sendingAccount(product, { contacts })
	return { tenant: sender.accountId, campaignId: await startCampaign(product, sender, LATER) }
}

async function statusesOf(campaignId: number): Promise<string[]> {
	const rows = await product.db<{ status: string; code: number | null }[]>`
		select status, error_code as code from campaign_messages where campaign_id = ${campaignId} order by seq
	`
	return rows.map(({ status, code }) => (code === null ? status : `${status} ${code}`))
}

test('sweepExpired omits messages sent before a restored database was opened, because their status updates may be lost', async () => {
	const { tenant, campaignId } = await campaignTo(2)
	const { db, log } = product.process.context
	await db`update campaigns set started_at = ${daysAgo(40)} where id = ${campaignId}`
	await db`update senders set reported_through = now() where account_id = ${tenant}`
	const sent = { campaignId, status: 'sent' as const, wamid: null, errorCode: null, error: null }
	const updates = [36, 33].map((days, index) => ({ ...sent, seq: index + 1, at: daysAgo(days) }))
	await transaction(db, (sql) => settle(sql, tenant, { updates, notify }))
	await sweepExpired({ db, log, notify, restoreGenerations: { ...UNMARKED, restoredAt: daysAgo(35) } })
	assert.deepEqual(await statusesOf(campaignId), ['sent', `failed ${OWN_ERRORS.expired.code}`])
	assert.deepEqual(await moneyFindings(db), [])
})

test('messages in flight or waiting for a retry count as sent once the account has decided on their restored campaign', async () => {
	const sender = await sendingAccount(product, { contacts: 4, balancePaise: 800 })
	const { accountId: tenant } = sender
	const [decided, open] = [await startCampaign(product, sender, LATER), await startCampaign(product, sender, LATER)]
	const { db, log } = product.process.context
	await db`update campaigns set status = 'processing', started_at = now(), claimed_through = 3 where account_id = ${tenant}`
	await db`
		insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs)
		values (${tenant}, 1, 1, ${decided}, 'gone', '{1,2}'), (${tenant}, 1, 2, ${open}, 'gone', '{1,2}')
	`
	await db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
		values (${tenant}, ${decided}, 3, now()), (${tenant}, ${open}, 3, now())
	`
	const held = await transaction(db, (sql) => holdRestored(sql, tenant, notify))
	assert.deepEqual([held.campaigns.map(({ id }) => id).toSorted(), held.doubtful], [[decided, open], 6])
	const sweep = () => countDoubtfulAsSent({ db, log, notify })
	await sweep()
	assert.deepEqual(await statusesOf(decided), Array(4).fill('pending'), 'nobody has decided')
	await decideRestored({ db }, tenant, { campaignId: String(decided), sentThrough: 3 })
	await sweep()
	assert.deepEqual(await statusesOf(decided), ['sent', 'sent', 'sent', 'pending'])
	assert.deepEqual(await statusesOf(open), Array(4).fill('pending'), 'nobody has decided on this one')
	const left = await db<{ campaign: number; seqs: number[] }[]>`
		select campaign_id as campaign, array_agg(seq order by seq) as seqs from unsettled_messages
		where account_id = ${tenant} and retry_at is null
		group by 1
	`
	assert.deepEqual([...left], [{ campaign: open, seqs: [1, 2, 3] }])
	assert.deepEqual(await moneyFindings(db), [])
})

test('the first message that a program sends after a restore begins a new API campaign of the day', async () => {
	const my = await openShop(product, { balancePaise: 1000 })
	const send = async () => (await my.send('919876500051')).body.campaignId
	const gathered = await send()
	assert.equal(await send(), gathered)
	await transaction(product.db, (sql) => holdRestored(sql, my.accountId, notify))
	assert.notEqual(await send(), gathered)
})

test('holdRestored cancels a list of recipients that no program had started at the backup', async () => {
	const my = await openShop(product, { balancePaise: 1000 })
	const recipients = [{ to: '919876500052', values: { var1: 'Asha' } }]
	const made = await my.post('/v1/campaigns', { name: 'Diwali', template: { name: 'hello' }, recipients })
	const { id } = made.body
	const { drafts } = await transaction(product.db, (sql) => holdRestored(sql, my.accountId, notify))
	assert.equal(drafts, 1)
	const started = await my.post(`/v1/campaigns/${id}/start`, {})
	assert.equal(started.status, 409)
	const [row] = await product.db`select status, status_reason as reason from campaigns where id = ${id}`
	assert.equal(row?.status, 'cancelled')
	assert.match(String(row?.reason), /restored from a backup/)
})

test('messages of programs that wait for the end of quiet hours stay in the queue when the backup was made during them', async () => {
	const my = await openShop(product, { balancePaise: 1000 })
	const { db, log } = product.process.context
	// Quiet hours that last now, and began an hour ago or at midnight.
	await db`
		insert into sending_rules (account_id, quiet_from, quiet_until)
		select ${my.accountId}, case when clock < '01:00' then '00:00' else clock - interval '1 hour' end,
			case when clock > '22:59' then '23:59:59' else clock + interval '1 hour' end
		from (select (now() at time zone 'Asia/Kolkata')::time as clock) c
	`
	const { id } = (await my.send('919876500915')).body
	const hold = () => transaction(db, (sql) => holdRestored(sql, my.accountId, notify))
	assert.equal((await hold()).doubtful, 0)
	await countDoubtfulAsSent({ db, log, notify })
	assert.equal((await my.find(id)).status, 'pending')
	// A backup from before the quiet hours: the product may have sent until these began.
	await db`
		update ledger_entries set created_at = (created_at at time zone 'UTC' - interval '2 days') at time zone 'UTC'
		where account_id = ${my.accountId}
	`
	assert.equal((await hold()).doubtful, 1)
	await countDoubtfulAsSent({ db, log, notify })
	assert.equal((await my.find(id)).status, 'sent')
	assert.deepEqual(await moneyFindings(db), [])
})

test('single messages of chats and programs that were not sent at the backup count as sent, outside quiet hours', async () => {
	const my = await openShop(product, { balancePaise: 1000, contacts: 1 })
	const { db, log } = product.process.context
	const { id } = (await my.send('919876500916')).body
	const body = { number: '919876500917', templateId: my.templateId, variables: { var1: 'Asha' } }
	assert.equal((await call(product.process.url, chats.sendTemplate, { body, token: my.session })).status, 200)
	const held = await transaction(db, (sql) => holdRestored(sql, my.accountId, notify))
	assert.deepEqual([held.campaigns, held.doubtful], [[], 2])
	await countDoubtfulAsSent({ db, log, notify })
	assert.equal((await my.find(id)).status, 'sent')
	const chat = await db`
		select m.status from campaign_messages m join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id
		where c.account_id = ${my.accountId} and c.kind = 'chat'
	`
	assert.deepEqual([...chat], [{ status: 'sent' }])
	assert.equal((await my.wallet()).heldPaise, 0)
	assert.deepEqual(await moneyFindings(db), [])
})

test('a campaign that is scheduled for later waits for a decision after a restore, and is still scheduled once resumed', async () => {
	const sender = await sendingAccount(product, { contacts: 2 })
	const { accountId: tenant } = sender
	const { context } = product.process
	const campaignId = String(await startCampaign(product, sender, LATER))
	const { campaigns } = await transaction(context.db, (sql) => holdRestored(sql, tenant, context.notify))
	assert.deepEqual(
		campaigns.map(({ id }) => String(id)),
		[campaignId],
	)
	const read = async () =>
		(await context.db`select status, status_reason as reason from campaigns where id = ${campaignId}`)[0]
	assert.partialDeepStrictEqual(await read(), { status: 'paused' })
	assert.match(String((await read())?.reason), /sent earlier, changed or cancelled/)
	for (const change of [resumeCampaign, cancelCampaign])
		await assert.rejects(change(context, tenant, campaignId), { status: 409 })
	await decideRestored(context, tenant, { campaignId, sentThrough: 0 })
	await resumeCampaign(context, tenant, campaignId)
	assert.partialDeepStrictEqual(await read(), { status: 'pending', reason: null })
	assert.deepEqual(await moneyFindings(context.db), [])
})

test('a restored campaign of which messages were sent keeps its price when its template moves to another category', async () => {
	const sender = await sendingAccount(product, { contacts: 4, balancePaise: 800 })
	const { accountId: tenant } = sender
	const { context } = product.process
	const { db } = context
	// The second recipient is in the UAE, which is blocked once the campaign is written.
	await db`
		update contacts set number = '971501230042'
		where account_id = ${tenant} and id = (select id from contacts where account_id = ${tenant} order by id offset 1 limit 1)
	`
	const ids = [await startCampaign(product, sender, LATER), await startCampaign(product, sender, LATER)] as const
	await db`update prices set abroad_rule = 'blocked', utility_paise = 30 where account_id = ${tenant}`
	await transaction(db, (sql) => holdRestored(sql, tenant, notify))
	// A status update confirms one message of the first campaign; the account says that two of the second were sent.
	const sent = { campaignId: ids[0], seq: 1, status: 'sent' as const, wamid: null, errorCode: null, error: null }
	await transaction(db, (sql) => settle(sql, tenant, { updates: [{ ...sent, at: new Date() }], notify }))
	await decideRestored(context, tenant, { campaignId: String(ids[0]), sentThrough: 0 })
	await decideRestored(context, tenant, { campaignId: String(ids[1]), sentThrough: 2 })
	const [template] = await db<{ name: string; language: string }[]>`
		update templates set category = 'UTILITY' where account_id = ${tenant} and template_id = ${sender.templateId}
		returning name, language
	`
	assert.ok(template)
	await transaction(db, (sql) =>
		pauseRepriced(sql, tenant, { template: { ...template, to: 'UTILITY' }, notify: context.notify }),
	)
	for (const id of ids) await resumeCampaign(context, tenant, String(id))
	await countDoubtfulAsSent({ db, log: context.log, notify })
	const rows = await db`
		select price_paise as paise, total_count as total, sent_count as sent from campaigns
		where account_id = ${tenant} order by id
	`
	assert.deepEqual(
		[...rows],
		[
			{ paise: 100, total: 4, sent: 1 },
			{ paise: 100, total: 4, sent: 2 },
		],
	)
	assert.deepEqual(await moneyFindings(db), [])
	for (const campaignId of ids) assert.equal(await pauseIfRepriced(context, tenant, campaignId), false)
})

test('a webhook delivery, a campaign and a statement line after a restore have higher ids than any before it', async () => {
	const first = await createTestDatabase()
	const tenant = await bareAccount(first.sql)
	const backup = await first.keep()
	const idsIn = async (isRestored: boolean) => {
		const database = await createTestDatabase(backup)
		if (isRestored) await prepareRestored({ db: database.sql, notify })
		const { id } = await insertDelivery(database.sql, tenant, { address: 1, body: 'event', eventCount: 1 })
		const campaignId = await campaignRow(database.sql, tenant)
		const line = { kind: 'recharge', reference: 'test', paise: 100 } as const
		await openWallet(database.sql, tenant)
		await post(database.sql, tenant, line)
		const [{ lineId } = { lineId: 0 }] = await database.sql<{ lineId: number }[]>`
			select id as "lineId" from statement_lines where account_id = ${tenant}
		`
		await database.drop()
		return [id, campaignId, lineId]
	}
	const [lost, restored] = [await idsIn(false), await idsIn(true)]
	for (const [index, id] of restored.entries())
		assert.ok(id > (lost[index] ?? 0) + 100_000, `${id} after ${lost[index]}`)
})
