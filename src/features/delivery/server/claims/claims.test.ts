import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { conversations } from '#features/chats/server/open-conversation-queries.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { acquireLease } from '#features/whatsapp/server/sending-state-queries.ts'
import { connect, transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { Postponed } from '#lib/server/jobs/jobs.ts'
import { LATER, sendingAccount, startCampaign, startProduct, type Product } from '#test/full-stack.ts'
import { openShop } from '#test/scenes/shop.ts'
import { startTcpProxy, type TcpProxy } from '#test/servers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import { followNumberHandlers } from '../sweeps/follow-number.ts'
import { claimRetries, findClaim, HAS_LEASE, insertClaim, takeFresh } from './claim-queries.ts'
import { createClaims, MAX_CLAIM_AGE_MS } from './claims.ts'
import { recoverClaims } from './recovery.ts'

/** A sender without a limit of people. */
const UNLIMITED = { isLimited: () => false, conversations }

let product: Product
let proxy: TcpProxy
/** Connections to the database through the proxy, which tests cut. */
let cuttable: Db
before(async () => {
	// The product runs without a worker, because the tests do its steps one by one.
	product = await startProduct({ env: { ROLE: 'http' } })
	const { DATABASE_URL = '' } = product.env
	proxy = await startTcpProxy({ port: Number(new URL(DATABASE_URL).port) })
	cuttable = connect(proxy.url(DATABASE_URL), { max: 3, name: 'cuttable' })
})
after(async () => {
	await cuttable.end()
	await proxy.close()
	await product.close()
})

async function scene(contacts: number, { hasCurrentLease = true } = {}) {
	const { db } = product
	const sender = await sendingAccount(product, { contacts })
	const accountId = sender.accountId
	const campaignId = await startCampaign(product, sender, LATER)
	await db`update campaigns set status = 'processing', started_at = now() where id = ${campaignId}`
	const lease = await acquireLease(db, accountId, { worker: randomUUID(), seen: { worker: null, epoch: 0 } })
	assert.ok(lease)
	const claims = createClaims({
		db: cuttable,
		accountId,
		lease,
		log: product.process.context.log,
		hasCurrentLease: () => hasCurrentLease,
		...UNLIMITED,
	})
	return { accountId, campaignId, lease, claims }
}

type Claims = ReturnType<typeof createClaims>

/** Returns a campaign with fresh messages as the sender sees it. A claim does not depend on the template. */
function campaignOf(id: number, given: Partial<Parameters<Claims['claim']>[0]> = {}): Parameters<Claims['claim']>[0] {
	const template = { name: 'hello', language: 'en' }
	return { id, isSingle: false, hasFresh: true, retryInMs: null, waitInMs: null, mediaId: null, template, ...given }
}

/** Returns the number of claims that wait for a lock. On a cluster the lock is on another machine. */
async function waitingClaims(): Promise<number> {
	const rows = await product.db`
		select 1 from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
			and query like '%for no key update%'
	`
	return rows.length
}

/**
 * Claims while another transaction holds a row, cuts the connection when the claim waits for it, and releases the row
 * when the claim waits again.
 */
async function claimWithCut(
	{ accountId, claims }: { accountId: AccountId; claims: Claims },
	{ campaign, hold }: { campaign: ReturnType<typeof campaignOf>; hold: 'campaigns' | 'senders' },
) {
	return transaction(product.db, async (sql) => {
		await (hold === 'campaigns'
			? sql`select 1 from campaigns where account_id = ${accountId} for update`
			: sql`select 1 from senders where account_id = ${accountId} for update`)
		const claiming = claims.claim(campaign, 10)
		await until(async () => (await waitingClaims()) === 1)
		proxy.cut()
		await until(async () => (await waitingClaims()) === 2)
		return { claiming }
	}).then(({ claiming }) => claiming)
}

test('claim returns the last messages of a campaign when the connection was cut while the statement was still running', async () => {
	const { accountId, campaignId, claims } = await scene(3)
	const campaign = campaignOf(campaignId)
	const messages = await claimWithCut({ accountId, claims }, { campaign, hold: 'campaigns' })
	assert.deepEqual(
		messages.map(({ seq }) => seq),
		[1, 2, 3],
	)
})

test('findClaim returns a message that the limit left no place for as one that must not be sent', async () => {
	const { accountId, campaignId, lease } = await scene(1)
	const request = { lease, batch: 1, campaignId, limit: 1 }
	await transaction(product.db, async (sql) => {
		const [message] = await takeFresh(sql, accountId, { request, mayTake: HAS_LEASE })
		assert.ok(message)
		await insertClaim(sql, accountId, { lease, found: [{ ...message, isOverLimit: true }] })
	})
	assert.equal((await findClaim(product.db, accountId, request))?.[0]?.isOverLimit, true)
})

test('claim returns the due retries with attempts and refusals when the connection was cut while the statement was running', async () => {
	const { accountId, campaignId, claims, lease } = await scene(3)
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at, attempts, refused_by)
		select ${accountId}, ${campaignId}, seq, now(), seq - 1, case when seq = 3 then 'messages' end from generate_series(1, 3) seq
	`
	await product.db`update campaigns set claimed_through = 3 where id = ${campaignId}`
	const campaign = campaignOf(campaignId, { hasFresh: false, retryInMs: 0 })
	const messages = await claimWithCut({ accountId, claims }, { campaign, hold: 'senders' })
	assert.deepEqual(
		messages.map(({ seq, attempts, refusedBy }) => [seq, attempts, refusedBy]),
		[
			[1, 0, null],
			[2, 1, null],
			[3, 2, 'messages'],
		],
	)
	// A recovery keeps attempts and refusal too.
	const next = await acquireLease(product.db, accountId, { worker: randomUUID(), seen: lease })
	assert.ok(next)
	await recoverClaims(product.db, accountId, { lease: next })
	const kept =
		await product.db`select seq, attempts, refused_by from unsettled_messages where campaign_id = ${campaignId} order by seq`
	assert.deepEqual(
		kept.map((row) => [row.seq, row.attempts, row.refused_by]),
		[
			[1, 0, null],
			[2, 1, null],
			[3, 2, 'messages'],
		],
	)
})

test('recovery returns every message of a claim to the queue when its worker ended before the answer to its COMMIT came', async () => {
	const { accountId, campaignId, lease, claims } = await scene(3, { hasCurrentLease: false })
	const lost = proxy.dropReplyTo('commit', { ending: 'cut' })
	assert.deepEqual(await claims.claim(campaignOf(campaignId), 10), [])
	await lost.happened
	const next = await acquireLease(product.db, accountId, { worker: randomUUID(), seen: lease })
	assert.ok(next)
	assert.deepEqual(await recoverClaims(product.db, accountId, { lease: next }), { unknown: 0, unsent: 3 })
})

test('isRecent returns false for a message whose claim is older than sending may take', async (t) => {
	const { campaignId, claims } = await scene(1)
	const [message] = await claims.claim(campaignOf(campaignId), 10)
	assert.ok(message)
	assert.equal(claims.isRecent(message), true)
	const later = performance.now() + MAX_CLAIM_AGE_MS + 1
	t.mock.method(performance, 'now', () => later)
	assert.equal(claims.isRecent(message), false)
})

test('claim leaves out a person who opted out of marketing after a program had ordered a message to them', async () => {
	const { db } = product
	const my = await openShop(product, { balancePaise: 300 })
	const [stopped, other] = ['919876500931', '919876500932']
	for (const to of [stopped, other]) assert.equal((await my.send(to)).status, 202)
	await setOptOuts(db, my.accountId, { numbers: [stopped], optedOut: true, because: 'reply' })
	const [entry] = await my.entries()
	const lease = await acquireLease(db, my.accountId, { worker: randomUUID(), seen: { worker: null, epoch: 0 } })
	assert.ok(entry && lease)
	const { log } = product.process.context
	const claims = createClaims({ db, accountId: my.accountId, lease, log, hasCurrentLease: () => true, ...UNLIMITED })
	const campaign = campaignOf(entry.id, { isSingle: true })
	assert.deepEqual(
		(await claims.claim(campaign, 10)).map(({ number, isOptedOut }) => [number, isOptedOut]),
		[
			[stopped, true],
			[other, false],
		],
	)
})

const PRESENT = '919811122098'

/** Returns the numbers of a campaign's messages, whose people have all changed to PRESENT since. */
async function changedNumbers({ accountId, campaignId }: { accountId: AccountId; campaignId: number }) {
	const rows = await product.db<{ number: string }[]>`
		select number from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId} order by seq
	`
	const numbers = rows.map(({ number }) => number)
	await product.db`
		insert into former_ids (account_id, id, now_id, changed_at)
		select ${accountId}::bigint, unnest(${numbers}::text[]), ${PRESENT}, now()
	`
	return numbers
}

test('claim takes the present number of a message that moves while the claim waits, and leaves out one that fails', async () => {
	const { accountId, campaignId, claims } = await scene(3)
	await changedNumbers({ accountId, campaignId })
	const { claiming } = await transaction(product.db, async (sql) => {
		await sql`select 1 from senders where account_id = ${accountId} for update`
		const started = claims.claim(campaignOf(campaignId), 10)
		await until(async () => (await waitingClaims()) === 1)
		await sql`
			update campaign_messages set number = case when seq = 1 then ${PRESENT} else number end,
				status = case when seq = 2 then 'failed'::message_status else status end
			where account_id = ${accountId} and campaign_id = ${campaignId} and seq < 3
		`
		return { claiming: started }
	})
	assert.deepEqual(
		(await claiming).map(({ seq, number }) => [seq, number === PRESENT]),
		[
			[1, true],
			[3, false],
		],
	)
})

test('a message that a claim of retries is taking keeps its number', async () => {
	const { accountId, campaignId, lease } = await scene(1)
	const [number = ''] = await changedNumbers({ accountId, campaignId })
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at) values (${accountId}, ${campaignId}, 1, now())
	`
	const [handler] = followNumberHandlers(product.process.context)
	const job = { data: { accountId, number }, signal: new AbortController().signal, isMine: async () => true }
	const { following } = await transaction(product.db, async (sql) => {
		const claimed = await claimRetries(sql, accountId, { lease, batch: 1, campaignId, limit: 1 })
		assert.deepEqual([claimed.length, claimed[0]?.number], [1, number])
		const started = assert.rejects(handler?.run(job) ?? Promise.resolve(), Postponed)
		await until(async () => (await waitingClaims()) === 1)
		return { following: started }
	})
	await following
	assert.equal((await findClaim(product.db, accountId, { lease, batch: 1 }))?.[0]?.number, number)
})

test('a claim marks a message that moved to the number of another one, and one of a throttled message, as repeated', async () => {
	const { accountId, campaignId, claims } = await scene(4)
	await product.db`
		update campaign_messages m set listed_number = m.number, number = o.number from campaign_messages o
		where (m.account_id, m.campaign_id) = (${accountId}, ${campaignId}) and (o.account_id, o.campaign_id) = (${accountId}, ${campaignId})
			and m.seq in (1, 4) and o.seq = m.seq - 1 + 2 * (m.seq = 1)::int
	`
	await product.db`
		update campaign_messages set status = 'failed', error_code = 131049
		where account_id = ${accountId} and campaign_id = ${campaignId} and seq = 3
	`
	assert.deepEqual(
		(await claims.claim(campaignOf(campaignId), 10)).map(({ seq, isRepeated }) => [seq, isRepeated]),
		[
			[1, true],
			[2, false],
			[4, true],
		],
	)
})
