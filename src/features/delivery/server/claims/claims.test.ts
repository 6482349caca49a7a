import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { conversations } from '#features/chats/server/open-conversation-queries.ts'
import { setOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { acquireLease } from '#features/whatsapp/server/sending-state-queries.ts'
import { connect, transaction, type Db, type AccountId } from '#lib/server/db.ts'
import { LATER, sendingAccount, startCampaign, startProduct, type Product } from '#test/full-stack.ts'
import { openShop } from '#test/scenes/shop.ts'
import { startTcpProxy, type TcpProxy } from '#test/servers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import { createClaims, MAX_CLAIM_AGE_MS } from './claims.ts'
import { recoverClaims } from './recovery.ts'

/** A sender without a limit of people. */
const UNLIMITED = { isLimited: () => false, conversations }

let product: Product
let proxy: TcpProxy
/** Connections to the database through the proxy, which tests cut. */
let cuttable: Db
before(async () => {
	// No worker: these tests do a worker's steps themselves.
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
	{ accountId, claims }: { accountId: AccountId; claims: ReturnType<typeof createClaims> },
	{ campaign, hold }: { campaign: Parameters<typeof claims.claim>[0]; hold: 'campaigns' | 'senders' },
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
	const campaign = { id: campaignId, isSingle: false, hasFresh: true, retryInMs: null, waitInMs: null, mediaId: null }
	const messages = await claimWithCut({ accountId, claims }, { campaign, hold: 'campaigns' })
	assert.deepEqual(
		messages.map(({ seq }) => seq),
		[1, 2, 3],
	)
})

test('claim returns the due retries when the connection was cut while the statement was still running', async () => {
	const { accountId, campaignId, claims } = await scene(3)
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
		select ${accountId}, ${campaignId}, seq, now() from generate_series(1, 3) seq
	`
	await product.db`update campaigns set claimed_through = 3 where id = ${campaignId}`
	const campaign = { id: campaignId, isSingle: false, hasFresh: false, retryInMs: 0, waitInMs: null, mediaId: null }
	const messages = await claimWithCut({ accountId, claims }, { campaign, hold: 'senders' })
	assert.deepEqual(
		messages.map(({ seq }) => seq),
		[1, 2, 3],
	)
})

test('recovery returns every message of a claim to the queue when its worker ended before the answer to its COMMIT came', async () => {
	const { accountId, campaignId, lease, claims } = await scene(3, { hasCurrentLease: false })
	const lost = proxy.dropReplyTo('commit', { ending: 'cut' })
	assert.deepEqual(
		await claims.claim(
			{ id: campaignId, isSingle: false, hasFresh: true, retryInMs: null, waitInMs: null, mediaId: null },
			10,
		),
		[],
	)
	await lost.happened
	const next = await acquireLease(product.db, accountId, { worker: randomUUID(), seen: lease })
	assert.ok(next)
	assert.deepEqual(await recoverClaims(product.db, accountId, { lease: next }), { unknown: 0, unsent: 3 })
})

test('isRecent returns false for a message whose claim is older than sending may take', async (t) => {
	const { campaignId, claims } = await scene(1)
	const [message] = await claims.claim(
		{ id: campaignId, isSingle: false, hasFresh: true, retryInMs: null, waitInMs: null, mediaId: null },
		10,
	)
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
	const campaign = { id: entry.id, isSingle: true, hasFresh: true, retryInMs: null, waitInMs: null, mediaId: null }
	assert.deepEqual(
		(await claims.claim(campaign, 10)).map(({ number, isOptedOut }) => [number, isOptedOut]),
		[
			[stopped, true],
			[other, false],
		],
	)
})
