import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { DAY_MS } from '#lib/durations.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { until } from '#test/until.ts'
import { UNMARKED } from '../message/restore-generations.ts'
import { readStatusUpdates } from '../message/status-update.ts'
import { settle } from '../settlement/settle.ts'
import { settleStatusUpdates } from '../settlement/status-updates.ts'
import { retryUnmatched, sweepEnded, sweepExpired, sweepUnconfirmed } from './sweeps.ts'

const UNKNOWN_AFTER_SECONDS = 900
const notify = async () => {}

// The product runs without a worker, because each test calls the sweep.
const product = await launchProduct({ env: { ROLE: 'http' } })
const { db, log } = product.process.context
const deps = { db, restoreGenerations: UNMARKED, log, notify, unknownAfter: UNKNOWN_AFTER_SECONDS }

async function campaignTo(contacts: number) {
	const sender = await sendingAccount(product, { contacts })
	const campaignId = await startCampaign(product, sender, LATER)
	return { accountId: sender.accountId, campaignId, sender }
}

async function accept(
	{ accountId, campaignId }: { accountId: AccountId; campaignId: number },
	seqs: number[],
	at = new Date(),
) {
	const updates = seqs.map((seq) => ({
		campaignId,
		seq,
		status: 'sent' as const,
		at,
		wamid: `w${campaignId}-${seq}`,
		errorCode: null,
		error: null,
		isInQualityCheck: false,
	}))
	await transaction(product.db, (sql) => settle(sql, accountId, { updates, notify }))
}

async function errorsOf({ accountId, campaignId }: { accountId: AccountId; campaignId: number }) {
	const rows = await product.db<{ code: number | null }[]>`
		select error_code as code from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId} order by seq
	`
	return rows.map((row) => row.code)
}

/** Runs a sweep as the housekeeping does: again and again until it finds no more. */
async function sweepAll(sweep: (given: typeof deps) => Promise<number>): Promise<void> {
	while ((await sweep(deps)) > 0);
}

test('sweepUnconfirmed does not change a message until UNKNOWN_AFTER has passed since its loss was noticed', async () => {
	const given = await campaignTo(2)
	// Both messages are claimed. The outcome of the first has been unknown for half of UNKNOWN_AFTER.
	await product.db`update campaigns set claimed_through = 2 where account_id = ${given.accountId} and id = ${given.campaignId}`
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, unknown_since) values
			(${given.accountId}, ${given.campaignId}, 1, now() - ${UNKNOWN_AFTER_SECONDS / 2} * interval '1 second'),
			(${given.accountId}, ${given.campaignId}, 2, now() - ${UNKNOWN_AFTER_SECONDS + 5} * interval '1 second')
	`
	await sweepAll(sweepUnconfirmed)
	assert.deepEqual(await errorsOf(given), [null, OWN_ERRORS.unconfirmed.code])
	assert.deepEqual(await getWallet(product.db, given.accountId), { availablePaise: 100, heldPaise: 100 })
	const [left] = await product.db<{ seqs: number[] }[]>`
		select array_agg(seq) as seqs from unsettled_messages where account_id = ${given.accountId}
	`
	assert.deepEqual(left?.seqs, [1])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('sweepUnconfirmed continues with the other accounts when one fails', async () => {
	const [failing, sound] = [await campaignTo(1), await campaignTo(1)]
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, unknown_since)
		select account_id, id, 1, now() - interval '1 day' from campaigns where id in (${failing.campaignId}, ${sound.campaignId})
	`
	// The wallet holds less than the price of the message, so its release is refused.
	await product.db`update wallets set held_paise = 0 where account_id = ${failing.accountId}`
	assert.equal(await sweepUnconfirmed(deps), 1)
	assert.deepEqual(await errorsOf(sound), [OWN_ERRORS.unconfirmed.code])
	await product.db`update wallets set held_paise = 100 where account_id = ${failing.accountId}`
	await sweepAll(sweepUnconfirmed)
})

test('sweepEnded releases messages never claimed and those that wait for a retry in chunks, and leaves messages in flight', async () => {
	const recipients = 7000
	const given = await campaignTo(recipients)
	const { accountId, campaignId } = given
	await product.db`
		update campaigns set status = 'cancelled', claimed_through = 3501, started_at = now()
		where account_id = ${accountId} and id = ${campaignId}
	`
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
		select ${accountId}, ${campaignId}, seq, now() from generate_series(1, 3500) seq
	`
	const chunks: number[] = []
	for (let swept = -1; swept !== 0; chunks.push(swept)) swept = await sweepEnded(deps)
	assert.ok(
		chunks.every((chunk) => chunk <= 3000),
		chunks.join(),
	)
	const errors = await errorsOf(given)
	assert.equal(errors.filter((code) => code === OWN_ERRORS.cancelled.code).length, recipients - 1)
	assert.equal(errors[3500], null)
	assert.deepEqual(await getWallet(product.db, accountId), { availablePaise: (recipients - 1) * 100, heldPaise: 100 })
	await accept(given, [3501])
	const [campaign] = await product.db`select status, pending_count from campaigns where id = ${campaignId}`
	assert.deepEqual({ ...campaign }, { status: 'cancelled', pending_count: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('sweepEnded leaves a retry that a claim has taken at this moment', async () => {
	const given = await campaignTo(1)
	await product.db`
		update campaigns set status = 'cancelled', claimed_through = 1 where account_id = ${given.accountId} and id = ${given.campaignId}
	`
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at) values (${given.accountId}, ${given.campaignId}, 1, now())
	`
	let sweeping: Promise<number> | undefined
	await transaction(product.db, async (sql) => {
		await sql`delete from unsettled_messages where account_id = ${given.accountId}`
		await sql`
			insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs)
			values (${given.accountId}, 1, 1, ${given.campaignId}, 'worker', '{1}')
		`
		sweeping = sweepEnded(deps)
		await waitForStatementOn('unsettled_messages')
	})
	assert.equal(await sweeping, 0)
	assert.deepEqual(await errorsOf(given), [null])
})

/** Resolves when another connection runs a statement about this table; on a cluster its lock is on another machine. */
function waitForStatementOn(table: string): Promise<void> {
	return until(async () => {
		const running = await product.db`
			select 1 from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ilike ${`%${table}%`}
		`
		return running.length > 0
	})
}

const settleAll = (accountId: AccountId, statuses: readonly unknown[]) =>
	transaction(db, (sql) => settleStatusUpdates(sql, accountId, { statusUpdates: readStatusUpdates(statuses), notify }))

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

test('sweepExpired refunds after thirty days only messages sent up to the last one with a status update', async () => {
	const given = await campaignTo(4)
	const expired = OWN_ERRORS.expired.code
	await product.db`update campaigns set started_at = ${daysAgo(40)} where id = ${given.campaignId}`
	await accept(given, [1], daysAgo(33))
	await accept(given, [2], daysAgo(32))
	await accept(given, [3], daysAgo(31))
	await accept(given, [4], daysAgo(29))
	await sweepExpired(deps)
	assert.deepEqual(await errorsOf(given), [null, null, null, null], 'no status update has ever come')
	const late = {
		id: `w${given.campaignId}-2`,
		status: 'sent',
		biz_opaque_callback_data: `campaign:${given.campaignId}:2`,
	}
	await settleAll(given.accountId, [late])
	await sweepExpired(deps)
	assert.deepEqual(await errorsOf(given), [expired, expired, null, null])
	await product.db`update senders set reported_through = now() where account_id = ${given.accountId}`
	await sweepExpired(deps)
	assert.deepEqual(await errorsOf(given), [expired, expired, expired, null])
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('sweepExpired refunds undelivered messages of an account’s last campaign without later messages or status updates', async () => {
	const given = await campaignTo(20)
	const all = Array.from({ length: 20 }, (_, index) => index + 1)
	const [delivered, silent] = [all.slice(0, 10), all.slice(10)]
	await product.db`update campaigns set started_at = ${daysAgo(40)} where id = ${given.campaignId}`
	for (const seq of all) await accept(given, [seq], new Date(daysAgo(40).getTime() + seq * 100))
	const statuses = delivered.map((seq) => ({
		id: `w${given.campaignId}-${seq}`,
		status: 'delivered',
		biz_opaque_callback_data: `campaign:${given.campaignId}:${seq}`,
	}))
	for (const status of statuses) await settleAll(given.accountId, [status])
	await sweepExpired(deps)
	assert.deepEqual((await errorsOf(given)).slice(10), Array(silent.length).fill(OWN_ERRORS.expired.code))
	assert.deepEqual(await getWallet(product.db, given.accountId), { availablePaise: silent.length * 100, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(product.db), [])
})

test('a status update without our id that comes before the answer naming its message is applied by a later attempt', async () => {
	const given = await campaignTo(1)
	const [message] = await product.db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${given.accountId}
	`
	const early = {
		id: `w${given.campaignId}-1`,
		status: 'delivered',
		recipient_id: message?.number,
		timestamp: '1790000000',
	}
	const statuses = [early, early]
	await settleAll(given.accountId, statuses)
	assert.equal(await retryUnmatched(deps), 0, 'five seconds have not passed')
	await accept(given, [1])
	await product.db`update unmatched_reports set retry_at = now()`
	assert.equal(await retryUnmatched(deps), 1)
	const [campaign] = await product.db`select delivered_count from campaigns where id = ${given.campaignId}`
	assert.equal(campaign?.delivered_count, 1)
})

/** Returns the age in seconds at which the only unmatched status update is tried next; undefined without one. */
const nextAttemptSeconds = async () => {
	const [left] = await product.db<{ seconds: number }[]>`
		select extract(epoch from retry_at - received_at)::float8 as seconds from unmatched_reports
	`
	return left?.seconds
}

/** Makes unmatched status updates `seconds` older, in UTC: Citus refuses arithmetic with zoned times. */
const pass = async (seconds: number) =>
	product.db`
		update unmatched_reports
		set received_at = (received_at at time zone 'UTC' - ${seconds} * interval '1 second') at time zone 'UTC',
			retry_at = (retry_at at time zone 'UTC' - ${seconds} * interval '1 second') at time zone 'UTC'
	`

test('a status update that matches no message is tried again three times, and is deleted after an hour at most', async () => {
	const { accountId } = await campaignTo(1)
	const stranger = { id: 'of somebody else', status: 'delivered', recipient_id: '910000000000' }
	const arrive = () => settleAll(accountId, [stranger])
	await arrive()
	const ages: number[] = []
	for (let next = await nextAttemptSeconds(), age = 0; next !== undefined; next = await nextAttemptSeconds()) {
		await pass(next - age)
		age = next
		ages.push(age)
		assert.equal(await retryUnmatched(deps), 1)
	}
	assert.equal(ages.length, 3)
	for (const [index, seconds] of [5, 60, 720].entries()) {
		const age = ages[index] ?? 0
		assert.ok(age >= seconds && age < seconds * 1.5, String(age))
	}
	// An update that was not tried for two hours is tried once and then deleted.
	await arrive()
	await pass(7200)
	assert.equal(await retryUnmatched(deps), 1)
	assert.equal(await nextAttemptSeconds(), undefined)
})

test('settleStatusUpdates applies status updates in the order of the webhook, whichever id names their message', async () => {
	const given = await campaignTo(1)
	const [message] = await product.db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${given.accountId}
	`
	await accept(given, [1])
	const failed = (code: number) => ({
		id: `w${given.campaignId}-1`,
		status: 'failed',
		recipient_id: message?.number,
		errors: [{ code, title: 'Not delivered' }],
	})
	const named = { ...failed(131026), biz_opaque_callback_data: `campaign:${given.campaignId}:1` }
	await settleAll(given.accountId, [failed(131049), named])
	assert.deepEqual(await errorsOf(given), [131049])
})

test('a scan for unconfirmed messages uses their index and no Seq Scan when 50,000 messages wait', async (t) => {
	if (await isDistributed(product.db)) return t.skip('a cluster explains any one of its shards, such as an empty one')
	const given = await campaignTo(1)
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at, unknown_since)
		select ${given.accountId}, ${given.campaignId}, seq, case when seq % 2 = 0 then now() + interval '1 hour' end,
			case when seq % 2 = 1 then now() end
		from generate_series(2, 50001) seq
	`
	await product.db`analyze unsettled_messages`
	const plan = await product.db`
		explain (format json) select distinct account_id from unsettled_messages
		where unknown_since < now() - interval '900 seconds'
	`
	assert.match(JSON.stringify(plan), /unsettled_messages_unknown/)
	assert.doesNotMatch(JSON.stringify(plan), /Seq Scan/)
	await product.db`truncate unsettled_messages`
})
