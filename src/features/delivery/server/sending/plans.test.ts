import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { acquireLease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { Statement } from '#lib/server/statement.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import * as queries from '../claims/claim-queries.ts'
import * as finishQueries from '../claims/finish-queries.ts'
import { insertUnsettled } from '../claims/unsettled-queries.ts'
import { findReplied } from '../replies/reply-queries.ts'
import { settle } from '../settlement/settle.ts'
import { findByWamid } from '../settlement/status-update-queries.ts'
import { listUnconfirmed, takeWaiting } from '../sweeps/sweep-queries.ts'

const MANY = 12_000
const FEW = 20
const BALANCE_PAISE = 10_000_000
const BATCH = 500
/**
 * Maximum number of rows that a statement may read for a batch: each message a few times, in its queue, when it leaves the
 * queue, and in the campaign.
 */
const BATCH_READS = 4 * BATCH

// The product runs without a worker, because the tests do its steps one by one.
const product = await launchProduct({ env: { ROLE: 'http' } })
// Turns autovacuum off, so that statistics change only when a test analyzes.
await product.db`alter table campaign_messages_first set (autovacuum_enabled = false)`
await product.db`alter table unsettled_messages set (autovacuum_enabled = false)`

/** Returns the number of rows that this transaction has read of the tables with a row per message. */
async function readRows(sql: Sql): Promise<number> {
	const [row] = await sql<{ rows: number }[]>`
		select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as rows
		from pg_stat_xact_user_tables where relname in ('campaign_messages_first', 'unsettled_messages')
	`
	return row?.rows ?? 0
}

/** Returns a copy of `sql` that counts the rows that each statement reads, by its text. */
function counted(sql: Sql): { sql: Sql; reads: Map<string, number> } {
	const reads = new Map<string, number>()
	const tag = (strings: TemplateStringsArray, ...values: unknown[]) =>
		new Statement(strings, values, async () => {
			const readBefore = await readRows(sql)
			const rows = await sql(strings, ...values)
			reads.set(strings.join('?'), (await readRows(sql)) - readBefore)
			return rows
		})
	return { sql: Object.assign(tag as unknown as Sql, { unsafe: sql.unsafe, notify: sql.notify }), reads }
}

async function openCampaign(sender: Parameters<typeof startCampaign>[1]): Promise<number> {
	const campaignId = await startCampaign(product, sender, LATER)
	await product.db`update campaigns set status = 'processing', started_at = now() where id = ${campaignId}`
	return campaignId
}

/**
 * Runs the statements of sending for one batch, from the claim to status updates. Returns the rows that each statement
 * has read.
 */
async function sendBatches(accountId: AccountId, campaignId: number): Promise<Map<string, number>> {
	const seen = await product.db<{ epoch: number; worker: string | null }[]>`
		select lease_epoch as epoch, lease_worker as worker from senders where account_id = ${accountId}
	`
	const lease = await acquireLease(product.db, accountId, {
		worker: randomUUID(),
		seen: seen[0] ?? { worker: null, epoch: 0 },
	})
	assert.ok(lease)
	const work = async (plain: Sql) => {
		const { sql, reads } = counted(plain)
		const request = { lease, campaignId, limit: BATCH }
		const messages = await queries.claimFresh(sql, accountId, { ...request, batch: 1 })
		assert.ok((await queries.findClaim(sql, accountId, { lease, batch: 1 }))?.length)
		await finishQueries.finishClaimed(sql, accountId, { epoch: lease.epoch, finished: messages })
		const left = messages.map(({ seq }) => ({ campaignId, seq, attempts: 0 }))
		await insertUnsettled(
			sql,
			accountId,
			left.map((message) => ({ ...message, retryInMs: 0 })),
		)
		const retries = await queries.claimRetries(sql, accountId, { ...request, batch: 2 })
		assert.equal(retries.length, messages.length)
		const result = { campaignId, at: new Date(), errorCode: null, error: null, isInQualityCheck: false }
		for (const status of ['sent', 'delivered'] as const) {
			const updates = retries.map(({ seq }) => ({ ...result, seq, status, wamid: `wamid.${campaignId}.${seq}` }))
			await settle(sql, accountId, { updates, notify: async () => {} })
		}
		const statusUpdates = retries.map(({ seq, number }) => ({ wamid: `wamid.${campaignId}.${seq}`, recipient: number }))
		assert.equal((await findByWamid(sql, accountId, statusUpdates)).length, retries.length)
		const quoted = statusUpdates.map(({ wamid, recipient }) => ({ wamid, number: recipient }))
		assert.equal((await findReplied(sql, accountId, quoted)).length, retries.length)
		const next = await queries.claimFresh(sql, accountId, { ...request, batch: 3 })
		const unsettled = next.map(({ seq }) => ({ campaignId, seq, attempts: 0, retryInMs: seq % 2 === 0 ? 0 : null }))
		await insertUnsettled(sql, accountId, unsettled)
		await listUnconfirmed(sql, accountId, { seconds: -1, limit: BATCH })
		await takeWaiting(sql, accountId, { campaignId, limit: BATCH })
		return reads
	}
	return transaction(product.db, work, { isByKey: true })
}

async function assertReadsAtMost(rowLimit: number, accountId: AccountId, campaignId: number): Promise<void> {
	for (const [statement, rows] of await sendBatches(accountId, campaignId))
		assert.ok(rows <= rowLimit, `${rows} rows were read for a batch of ${BATCH} by ${statement}`)
}

test('statements of sending read a batch, not the campaign, when PostgreSQL has statistics of the account and none of its new campaign', async () => {
	const sender = await sendingAccount(product, { contacts: MANY, balancePaise: BALANCE_PAISE })
	await openCampaign(sender)
	await product.db`analyze`
	await assertReadsAtMost(BATCH_READS, sender.accountId, await openCampaign(sender))
})

test('statements of sending read a batch, not the campaign, when PostgreSQL has statistics of other accounts and none of this one', async () => {
	const known = await sendingAccount(product, { contacts: MANY, balancePaise: BALANCE_PAISE })
	await openCampaign(known)
	await product.db`analyze`
	const sender = await sendingAccount(product, { contacts: MANY, balancePaise: BALANCE_PAISE })
	await assertReadsAtMost(BATCH_READS, sender.accountId, await openCampaign(sender))
})

test('statements of sending read a campaign at most once a batch when they were planned while it was the first', async () => {
	await product.db`truncate campaign_messages, unsettled_messages`
	for (const contacts of [FEW, MANY]) {
		const sender = await sendingAccount(product, { contacts, balancePaise: BALANCE_PAISE })
		const campaignId = await openCampaign(sender)
		if (contacts === FEW) await product.db`analyze`
		await assertReadsAtMost(contacts + BATCH_READS, sender.accountId, campaignId)
	}
})
