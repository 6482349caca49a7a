import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { listDueControlGroupsAllAccounts } from '#features/audiences/server/control-group-queries.ts'
import { getCampaign } from '#features/campaigns/server/service.ts'
import { listUnlinkedAllAccounts } from '#features/chats/server/inbound/link-queries.ts'
import * as chatSweeps from '#features/chats/server/settlement/settle-queries.ts'
import * as claims from '#features/delivery/server/claims/claim-queries.ts'
import * as finishQueries from '#features/delivery/server/claims/finish-queries.ts'
import * as sendingQueries from '#features/delivery/server/claims/sending-state-queries.ts'
import { insertUnsettled } from '#features/delivery/server/claims/unsettled-queries.ts'
import { listDueAllAccounts as listOpening } from '#features/delivery/server/lifecycle/transition-queries.ts'
import { listUncountedAllAccounts } from '#features/delivery/server/replies/reply-queries.ts'
import { listDecidedAllAccounts } from '#features/delivery/server/restore/restore-queries.ts'
import { listActiveAllAccounts } from '#features/delivery/server/sending/lease-queries.ts'
import { settle } from '#features/delivery/server/settlement/settle.ts'
import {
	findByWamid,
	insertUnmatched,
	listUnmatchedAllAccounts,
	lockUnmatched,
	postponeUnmatched,
} from '#features/delivery/server/settlement/status-update-queries.ts'
import { listMaybeSilentAllAccounts } from '#features/delivery/server/sweeps/silence-queries.ts'
import * as sweeps from '#features/delivery/server/sweeps/sweep-queries.ts'
import { listDueAllAccounts as listDueAddresses } from '#features/events/server/delivery-queries.ts'
import { listTurnedAllAccounts } from '#features/events/server/waiting-queries.ts'
import { insertNotification } from '#features/notifications/server/queries.ts'
import { listDueAllAccounts as listUnsynced } from '#features/templates/server/sync/sync-queries.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { listLowAllAccounts } from '#features/wallet/server/queries.ts'
import { listUnannouncedAllAccounts } from '#features/wallet/server/refund-queries.ts'
import { updateReportedThrough, acquireLease } from '#features/whatsapp/server/sending-state-queries.ts'
import * as deliveries from '#features/whatsapp/server/webhooks/queries.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { campaignWhen, moneyFindings, sendingAccount, startCampaign, startProduct, type Product } from './full-stack.ts'
import { explainPlans } from './readers/statement-plans.ts'
import { withCountedLink } from './scenes/counted-link.ts'
import { everyday, follow } from './scenes/everyday.ts'
import { setLimit } from './scenes/limited-shop.ts'
import { findNodes } from './servers/cluster.ts'
import { startTcpProxy, type TcpProxy } from './servers/tcp-proxy.ts'
import { until } from './until.ts'

/** Tests that the statements for one account run on one machine of a cluster, and continue while another machine is down. */
const SERVER = process.env.TEST_LISTEN_URL || process.env.TEST_DATABASE_URL
const nodes = SERVER ? await findNodes(SERVER) : null
const skip = nodes && nodes.length > 2 ? false : 'TEST_DATABASE_URL names no Citus coordinator with two workers'
const LATER = { schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' } as const
const RECIPIENTS = 40
/** Number of connections: more than a process opens. */
const MAX_CONNECTIONS = 40

type Sender = Awaited<ReturnType<typeof sendingAccount>>

let product: Product
let proxy: TcpProxy
/** Accounts whose rows are on the machine behind the proxy (`lost`) and on the other one (`kept`). */
let lost: Sender
let kept: Sender

before(async () => {
	if (skip) return
	product = await startProduct({ env: { ALLOW_PRIVATE_TARGETS: '1' } })
	proxy = await reachLastThroughProxy()
	const components = withCountedLink(product)
	const made: { sender: Sender; port: number }[] = []
	const isOn = (isLost: boolean) => made.find(({ port }) => (port === proxy.port) === isLost)?.sender
	while (!isOn(true) || !isOn(false)) {
		const sender = await sendingAccount(product, {
			contacts: RECIPIENTS,
			balancePaise: 20 * RECIPIENTS * 100,
			components,
		})
		made.push({ sender, port: await portOf(sender.accountId) })
	}
	lost = isOn(true) as Sender
	kept = isOn(false) as Sender
})
after(async () => {
	if (skip) return
	proxy.refuse(false)
	await product.close()
	await proxy.close()
})

async function reachLastThroughProxy(): Promise<TcpProxy> {
	const last = new URL(nodes?.at(-1) ?? '')
	const started = await startTcpProxy({ host: last.hostname, port: Number(last.port || 5432) })
	await product.db`
		select citus_update_node(nodeid, '127.0.0.1', ${started.port}) from pg_dist_node where nodeport = ${Number(last.port || 5432)}
	`
	return started
}

async function portOf(accountId: AccountId): Promise<number> {
	const [shard] = await product.db<{ port: number }[]>`
		select nodeport as port from citus_shards
		where shardid = get_shard_id_for_distribution_column('campaigns', ${accountId}::bigint)
	`
	return shard?.port ?? 0
}

/** Sends a campaign's messages by the statements that a worker runs. */
async function sendByHand(
	sql: Sql,
	{ accountId, campaignId }: { accountId: AccountId; campaignId: number },
): Promise<void> {
	const [seen] = await product.db<{ worker: string | null; epoch: number }[]>`
		select lease_worker as worker, lease_epoch as epoch from senders where account_id = ${accountId}
	`
	const lease = await acquireLease(sql, accountId, { worker: randomUUID(), seen: seen ?? { worker: null, epoch: 0 } })
	assert.ok(lease)
	assert.ok(await sendingQueries.findSendingState(sql, accountId))
	const request = { lease, campaignId, limit: RECIPIENTS / 4 }
	const fresh = await claims.claimFresh(sql, accountId, { ...request, batch: 1 })
	assert.equal((await claims.findClaim(sql, accountId, { lease, batch: 1 }))?.length, request.limit)
	assert.equal(
		(await finishQueries.finishClaimed(sql, accountId, { epoch: lease.epoch, finished: fresh })).length,
		request.limit,
	)
	await insertUnsettled(
		sql,
		accountId,
		fresh.map(({ seq }) => ({ campaignId, seq, attempts: 0, retryInMs: 0 })),
	)
	const retries = await claims.claimRetries(sql, accountId, { ...request, batch: 2 })
	assert.equal(retries.length, request.limit)
	await finishQueries.finishClaimed(sql, accountId, { epoch: lease.epoch, finished: retries })
	const known = { campaignId, at: new Date(), errorCode: null, error: null, isInQualityCheck: false }
	for (const status of ['sent', 'delivered', 'failed'] as const) {
		const updates = retries.map(({ seq }) =>
			status === 'failed'
				? {
						...known,
						seq: seq + request.limit,
						status,
						wamid: null,
						errorCode: 131026,
						error: 'Undeliverable',
						isStatusUpdate: true,
					}
				: { ...known, seq, status, wamid: `wamid.${campaignId}.${seq}` },
		)
		await settle(sql, accountId, {
			updates,
			notify: async (given, to, notification) => void (await insertNotification(given, to, notification)),
		})
	}
	await finishQueries.takeOrphanedClaims(sql, accountId, lease)
	await sweeps.listUnconfirmed(sql, accountId, { seconds: 0, limit: 10 })
	await sweeps.takeWaiting(sql, accountId, { campaignId, limit: 10 })
	await sweeps.takeNeverClaimed(sql, accountId, { campaignId, limit: 10 })
	const statusUpdates = retries.map(({ seq, number }) => ({ wamid: `wamid.${campaignId}.${seq}`, recipient: number }))
	assert.equal((await findByWamid(sql, accountId, statusUpdates)).length, retries.length)
	await updateReportedThrough(sql, accountId, new Date())
}

test('every statement that sends and settles for an account runs only on its machine', { skip }, async () => {
	const { accountId } = kept
	const campaignId = await startCampaign(product, kept, LATER)
	await transaction(product.db, async (plain) => {
		const { sql, elsewhere, count } = explainPlans(plain, await portOf(accountId))
		await plain`update campaigns set status = 'processing', started_at = now() where account_id = ${accountId} and id = ${campaignId}`
		await sendByHand(sql, { accountId: accountId, campaignId })
		for (const kind of ['recharge', 'hold', 'hold', 'capture', 'capture', 'release'] as const)
			for (const subject of [{ campaignId }, { isReply: true }])
				assert.ok(await post(sql, accountId, { kind, paise: 100, reference: randomUUID(), ...subject }))
		await insertNotification(sql, accountId, { text: 'Sent' })
		assert.deepEqual(elsewhere, [])
		assert.ok(count() > 40)
		throw new Error('not to be kept')
	}).catch((error: unknown) => {
		if (!(error instanceof Error) || error.message !== 'not to be kept') throw error
	})
})

test('every statement that processes webhooks of an account runs only on its machine', { skip }, async () => {
	const { accountId } = kept
	await transaction(product.db, async (plain) => {
		const { sql, elsewhere } = explainPlans(plain, await portOf(accountId))
		await deliveries.insertDeliveriesAllAccounts(sql, [
			{ accountId: accountId, body: '{}', deadLetterReason: 'failed: for a test' },
		])
		await deliveries.claimDeliveries(sql, accountId, { deliveries: 10, bytes: 1000 })
		await deliveries.countProcessed(sql, accountId, { deliveries: 1, ignored: 0, receivedAt: new Date() })
		await deliveries.deleteExcessDeadLetters(sql, accountId)
		await deliveries.deleteDeliveries(sql, accountId, [1])
		const statusUpdate = {
			wamid: 'wamid.1',
			recipient: '919800000001',
			status: 'sent' as const,
			at: new Date(),
			errorCode: null,
			error: null,
			callbackData: '',
			isInQualityCheck: false,
		}
		await insertUnmatched(sql, accountId, [statusUpdate])
		await lockUnmatched(sql, accountId, 10)
		await postponeUnmatched(sql, accountId, [statusUpdate])
		assert.deepEqual(elsewhere, [])
	})
})

test('every scan of housekeeping for one account runs only on its machine', { skip }, async () => {
	const { accountId: only } = kept
	const { sql, elsewhere, count } = explainPlans(product.db, await portOf(only))
	const some = { limit: 10, only }
	const scans = [
		listActiveAllAccounts(sql, only),
		listOpening(sql, { ...some, except: [] }),
		sweeps.listUnconfirmedAllAccounts(sql, { seconds: 60, only }),
		sweeps.listEndedAllAccounts(sql, only),
		sweeps.listExpiredAllAccounts(sql, { days: 30, only }),
		listUnmatchedAllAccounts(sql, only),
		listMaybeSilentAllAccounts(sql, only),
		listUncountedAllAccounts(sql, only),
		listDueControlGroupsAllAccounts(sql, some),
		listDecidedAllAccounts(sql, only),
		chatSweeps.listUnconfirmedAllAccounts(sql, { seconds: 60, only }),
		listUnlinkedAllAccounts(sql, only),
		listDueAddresses(sql, only),
		listTurnedAllAccounts(sql, { most: 10, only }),
		listUnsynced(sql, some),
		listLowAllAccounts(sql, only),
		listUnannouncedAllAccounts(sql, only),
		deliveries.listWaitingAllAccounts(sql, { accountIds: [only], limit: 10 }),
		deliveries.listDeadLetterReasonsAllAccounts(sql, only),
	]
	await Promise.all(scans)
	assert.deepEqual(elsewhere, [])
	assert.equal(count(), scans.length)
})

async function delivered(sender: Sender): Promise<number> {
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, isDone)
	// The first click of a campaign looks up the target of its link.
	assert.equal((await follow(product, sender, campaignId)).status, 302)
	return campaignId
}

const isDone = ({ status }: { status: string }) => status === 'completed'

/**
 * Repeats work that fails: each connection of the coordinator detects the cut of its own connection to the machine by one more
 * failure.
 */
async function retried<T>(work: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work()
		} catch (error) {
			if (attempt === MAX_CONNECTIONS) throw error
		}
	}
}

test(
	'accounts on other machines send under a limit while a machine is down, and its own accounts send again afterwards',
	{ skip },
	async () => {
		await setLimit(product.db, kept.accountId, { limit: 10 * RECIPIENTS })
		await delivered(kept)
		proxy.refuse(true)
		const campaignId = await startCampaign(product, kept)
		await campaignWhen(product, { accountId: kept.accountId, campaignId }, isDone)
		await assert.rejects(() => startCampaign(product, lost))
		proxy.refuse(false)
		const later = await retried(() => startCampaign(product, lost))
		await retried(() => campaignWhen(product, { accountId: lost.accountId, campaignId: later }, isDone))
		assert.deepEqual(await retried(() => moneyFindings(product.db)), [])
	},
)

test(
	'while a machine is down, accounts on other machines do their everyday work, and its own accounts’ clicks count afterwards',
	{ skip },
	async () => {
		const clickedCampaign = await retried(() => delivered(lost))
		const { parts, close } = await everyday(product, kept, await delivered(kept))
		proxy.refuse(true)
		const failed: string[] = []
		assert.equal((await follow(product, lost, clickedCampaign)).status, 302)
		for (const [name, part] of Object.entries(parts))
			await part().catch((error: unknown) => failed.push(`${name}: ${String(error)}`))
		proxy.refuse(false)
		close()
		assert.deepEqual(failed, [])
		const read = () => getCampaign(product.db, lost.accountId, String(clickedCampaign))
		await until(async () => (await retried(read)).clickCount === 2)
	},
)
