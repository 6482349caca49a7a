import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { OWN_ERRORS, STATUS_ORDER } from '#features/delivery/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { untilLocked } from '#test/until.ts'
import type { MessageUpdate } from './message-changes.ts'
import { settle } from './settle.ts'

const MESSAGES = 6

const product = await launchProduct({ env: { ROLE: 'http' } })

const anyStatus = fc.constantFrom('sent', 'delivered', 'read', 'failed')
const anyUpdate = fc.record({ seq: fc.integer({ min: 1, max: MESSAGES }), status: anyStatus })

function update(campaignId: number, { seq, status }: Pick<MessageUpdate, 'seq' | 'status'>): MessageUpdate {
	const code = status === 'failed' ? 131026 : null
	return {
		campaignId,
		seq,
		status,
		at: new Date(),
		wamid: `w${seq}`,
		errorCode: code,
		error: code ? 'Undeliverable' : null,
		isInQualityCheck: false,
	}
}

async function apply(shop: Parameters<typeof settle>[1], updates: MessageUpdate[]): Promise<void> {
	const notify = product.process.context.notify
	await transaction(product.db, (sql) => settle(sql, shop, { updates, notify }))
}

test('settle keeps the wamid of the answer when a status update names another, and stores that of a status update when none is stored', async () => {
	const sender = await sendingAccount(product, { contacts: 2, balancePaise: 200 })
	const campaignId = await startCampaign(product, sender, LATER)
	const one = (seq: number, status: MessageUpdate['status'], wamid: string | null) => ({
		...update(campaignId, { seq, status }),
		wamid,
	})
	await apply(sender.accountId, [one(1, 'sent', 'answered'), one(2, 'failed', null)])
	await apply(sender.accountId, [one(1, 'delivered', 'reported'), one(2, 'delivered', 'late'), one(2, 'read', 'later')])
	const rows = await product.db<{ wamid: string | null }[]>`
		select wamid from campaign_messages where account_id = ${sender.accountId} and campaign_id = ${campaignId} order by seq
	`
	assert.deepEqual(
		rows.map(({ wamid }) => wamid),
		['answered', 'late'],
	)
})

test('settle brings each message to its highest status, charges it once and counts it once as sent, for status updates in any order, batch and repetition', async () => {
	const sender = await sendingAccount(product, { contacts: MESSAGES, balancePaise: 1_000_000 })
	await fc.assert(
		fc.asyncProperty(fc.array(fc.array(anyUpdate, { maxLength: 8 }), { maxLength: 6 }), async (batches) => {
			const earlier = await getWallet(product.db, sender.accountId)
			const campaignId = await startCampaign(product, sender, LATER)
			const twice = [...batches, ...batches.toReversed()]
			await Promise.all(
				twice.map((batch) =>
					apply(
						sender.accountId,
						batch.map((one) => update(campaignId, one)),
					),
				),
			)

			const highest = new Map<number, MessageUpdate['status']>()
			for (const { seq, status } of batches.flat()) {
				const rank = STATUS_ORDER.indexOf(highest.get(seq) ?? 'pending')
				if (STATUS_ORDER.indexOf(status) > rank) highest.set(seq, status)
			}
			const rows = await product.db<{ seq: number; status: MessageUpdate['status'] }[]>`
				select seq, status from campaign_messages
				where account_id = ${sender.accountId} and campaign_id = ${campaignId} and status <> 'pending'
			`
			assert.deepEqual(
				new Map(rows.map((row) => [row.seq, row.status])),
				new Map([...highest].toSorted((a, b) => a[0] - b[0])),
			)
			const accepted = [...highest.values()].filter((status) => status !== 'failed').length
			const pending = MESSAGES - highest.size
			const now = await getWallet(product.db, sender.accountId)
			assert.equal(earlier.availablePaise - now.availablePaise, (accepted + pending) * 100)
			assert.equal(now.heldPaise - earlier.heldPaise, pending * 100)
			const [sent] = await product.db`
				select (select coalesce(sum(sent), 0) from daily_totals where account_id = ${sender.accountId}) as home,
					(select sum(sent_count + delivered_count + read_count) from campaigns where account_id = ${sender.accountId}) as reports
			`
			assert.equal(sent?.['home'], sent?.['reports'])
			assert.deepEqual(await moneyFindings(product.db), [])
		}),
		{ numRuns: 40 },
	)
})

test('a message that a status update has settled does not fail as unconfirmed afterwards, however often both come', async () => {
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 100 })
	const campaignId = await startCampaign(product, sender, LATER)
	const sent = update(campaignId, { seq: 1, status: 'sent' })
	const unconfirmed = { ...update(campaignId, { seq: 1, status: 'failed' }), errorCode: OWN_ERRORS.unconfirmed.code }
	for (const one of [unconfirmed, sent, unconfirmed, sent, unconfirmed]) await apply(sender.accountId, [one])
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('settle counts a late confirmation as waived when its released money has been spent', async () => {
	const sender = await sendingAccount(product, { contacts: 2, balancePaise: 200 })
	const campaignId = await startCampaign(product, sender, LATER)
	const unconfirmed = { ...update(campaignId, { seq: 1, status: 'failed' }), errorCode: OWN_ERRORS.unconfirmed.code }
	await apply(sender.accountId, [unconfirmed, { ...unconfirmed, seq: 2 }])
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 200, heldPaise: 0 })
	await product.db`update prices set marketing_paise = 200 where account_id = ${sender.accountId}`
	await product.db`delete from contacts where account_id = ${sender.accountId} and id = (select max(id) from contacts where account_id = ${sender.accountId})`
	await startCampaign(product, sender, LATER)
	await apply(sender.accountId, [
		update(campaignId, { seq: 1, status: 'sent' }),
		update(campaignId, { seq: 2, status: 'delivered' }),
	])
	const [row] =
		await product.db`select sent_count, delivered_count, waived_count from campaigns where id = ${campaignId}`
	assert.deepEqual({ ...row }, { sent_count: 1, delivered_count: 1, waived_count: 2 })
	await apply(sender.accountId, [update(campaignId, { seq: 1, status: 'failed' })])
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 0, heldPaise: 200 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('settle pays for a late confirmation with what an earlier update of its batch has released', async () => {
	const sender = await sendingAccount(product, { contacts: 2, balancePaise: 200 })
	const campaignId = await startCampaign(product, sender, LATER)
	const unconfirmed = { ...update(campaignId, { seq: 1, status: 'failed' }), errorCode: OWN_ERRORS.unconfirmed.code }
	await apply(sender.accountId, [unconfirmed])
	await product.db`update prices set marketing_paise = 50 where account_id = ${sender.accountId}`
	await startCampaign(product, sender, LATER)
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 0, heldPaise: 200 })
	await apply(sender.accountId, [
		update(campaignId, { seq: 2, status: 'failed' }),
		update(campaignId, { seq: 1, status: 'sent' }),
	])
	const { wallet, campaign } = await outcomeOf({ shop: sender.accountId, campaignId })
	assert.deepEqual(wallet, { availablePaise: 0, heldPaise: 100 })
	assert.equal(campaign.waived_count, 0)
	assert.deepEqual(await moneyFindings(product.db), [])
})

const LATE = 10
const AFFORDABLE = 6

/** Creates a campaign of `LATE` messages that failed as unconfirmed, and a wallet that can pay for `AFFORDABLE` of them again. */
async function givenUpCampaign() {
	const sender = await sendingAccount(product, { contacts: LATE, balancePaise: LATE * 100 })
	const campaignId = await startCampaign(product, sender, LATER)
	const unconfirmed = Array.from({ length: LATE }, (_, index) => ({
		...update(campaignId, { seq: index + 1, status: 'failed' }),
		errorCode: OWN_ERRORS.unconfirmed.code,
	}))
	await apply(sender.accountId, unconfirmed)
	await product.db`
		update prices set marketing_paise = ${((LATE - AFFORDABLE) * 100) / LATE} where account_id = ${sender.accountId}
	`
	await startCampaign(product, sender, LATER)
	return { shop: sender.accountId, campaignId }
}

async function outcomeOf({ shop, campaignId }: Awaited<ReturnType<typeof givenUpCampaign>>) {
	const [campaign] = await product.db`
		select pending_count, sent_count, delivered_count, read_count, failed_count, waived_count
		from campaigns where account_id = ${shop} and id = ${campaignId}
	`
	const failures = await product.db`
		select error_code, message_count from campaign_failures
		where account_id = ${shop} and campaign_id = ${campaignId} and message_count <> 0 order by error_code
	`
	const [day] = await product.db`
		select sent, delivered, read, failed, spent_paise from daily_totals where account_id = ${shop}
	`
	return {
		wallet: await getWallet(product.db, shop),
		campaign: { ...campaign },
		failures: [...failures],
		day: { ...day },
	}
}

test('settle captures six and waives four of ten late confirmations when the wallet can pay for six, in one batch', async () => {
	const given = await givenUpCampaign()
	await apply(
		given.shop,
		Array.from({ length: LATE }, (_, index) => update(given.campaignId, { seq: index + 1, status: 'sent' })),
	)
	const { wallet, campaign } = await outcomeOf(given)
	assert.deepEqual(wallet, { availablePaise: 0, heldPaise: (LATE - AFFORDABLE) * 100 })
	assert.equal(campaign.waived_count, LATE - AFFORDABLE)
	assert.equal(campaign.sent_count, LATE)
})

test('settle leaves the same wallet and campaign for every batching of the same late status updates', async () => {
	const late = fc.record({ seq: fc.integer({ min: 1, max: LATE }), status: anyStatus })
	await fc.assert(
		fc.asyncProperty(
			fc.array(late, { minLength: 1, maxLength: 30 }),
			fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 }),
			async (statuses, sizes) => {
				const [whole, split] = [await givenUpCampaign(), await givenUpCampaign()]
				await apply(
					whole.shop,
					statuses.map((one) => update(whole.campaignId, one)),
				)
				const rest = [...statuses]
				for (let index = 0; rest.length > 0; index++) {
					const batch = rest.splice(0, sizes[index % sizes.length])
					await apply(
						split.shop,
						batch.map((one) => update(split.campaignId, one)),
					)
				}
				assert.deepEqual(await outcomeOf(whole), await outcomeOf(split))
			},
		),
		{ numRuns: 25 },
	)
})

test('settle of an opted-out message releases its money and leaves the day’s totals unchanged; a sent message stays sent', async () => {
	const sender = await sendingAccount(product, { contacts: 2, balancePaise: 200 })
	const campaignId = await startCampaign(product, sender, LATER)
	const { code, text: error } = OWN_ERRORS.optedOut
	const optedOut = { ...update(campaignId, { seq: 1, status: 'failed' }), errorCode: code, error }
	await apply(sender.accountId, [optedOut, update(campaignId, { seq: 2, status: 'sent' }), { ...optedOut, seq: 2 }])
	assert.deepEqual(await getWallet(product.db, sender.accountId), { availablePaise: 100, heldPaise: 0 })
	const { campaign, failures, day } = await outcomeOf({ shop: sender.accountId, campaignId })
	assert.deepEqual([campaign.failed_count, campaign.sent_count], [1, 1])
	assert.deepEqual(failures, [{ error_code: code, message_count: 1 }])
	assert.deepEqual([day.sent, day.failed], [1, 0])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('settle counts both of two concurrent batches on a day without totals', async () => {
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 200 })
	const { accountId: shop } = sender
	const [first, second] = [await startCampaign(product, sender, LATER), await startCampaign(product, sender, LATER)]
	const both = [first, second] as const
	for (const id of both) await apply(shop, [update(id, { seq: 1, status: 'sent' })])
	await product.db`delete from daily_totals where account_id = ${shop}`
	const notify = product.process.context.notify
	let later: Promise<void> | undefined
	await transaction(product.db, async (sql) => {
		await settle(sql, shop, { updates: [update(first, { seq: 1, status: 'delivered' })], notify })
		later = apply(shop, [update(second, { seq: 1, status: 'delivered' })])
		await untilLocked(product.db)
	})
	await later
	const totals = await product.db`select sent, delivered from daily_totals where account_id = ${shop}`
	assert.deepEqual([...totals], [{ sent: 0, delivered: 2 }])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('the transaction of settle sends at most eight queries for accepted messages of a running campaign and eleven with failed ones, begin and commit included', async (t) => {
	const sender = await sendingAccount(product, { contacts: 7, balancePaise: 700 })
	const campaignId = await startCampaign(product, sender, LATER)
	const at = new Date()
	const listQueries = async (updates: MessageUpdate[]) => {
		const client = await product.db.acquire()
		const query = t.mock.method(client, 'query')
		const db = Object.assign((...given: Parameters<Db>) => product.db(...given), product.db, {
			acquire: () => Promise.resolve(client),
		})
		const ofOneMinute = updates.map((one) => ({ ...one, at }))
		await transaction(db, (sql) =>
			settle(sql, sender.accountId, { updates: ofOneMinute, notify: product.process.context.notify }),
		)
		query.mock.restore()
		return query.mock.calls.map((call) => (call.arguments[0] as unknown as { text: string }).text.trim())
	}
	const both = (seq: number) => [
		update(campaignId, { seq, status: 'sent' }),
		update(campaignId, { seq: seq + 1, status: 'failed' }),
	]
	// The first change of a minute and of a day also inserts their rows.
	await listQueries(both(5))
	const accepted = await listQueries([1, 2].map((seq) => update(campaignId, { seq, status: 'sent' })))
	const mixed = await listQueries(both(3))
	for (const [queries, most] of [
		[accepted, 8],
		[mixed, 11],
	] as const) {
		assert.match(queries[0] ?? '', /^begin; set local /)
		assert.equal(queries.at(-1), 'commit')
		assert.ok(queries.length <= most, `${queries.length} queries:\n${queries.join('\n')}`)
	}
	assert.deepEqual(await moneyFindings(product.db), [])
})
