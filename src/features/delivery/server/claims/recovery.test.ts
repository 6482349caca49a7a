import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { optOutNumbers, setManyOptedOut } from '#features/contacts/server/service.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { acquireLease, releaseLease, type Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { openSendLog, type SendLog } from '#lib/server/storage/send-log.ts'
import { LATER, launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { listActiveAllAccounts } from '../sending/lease-queries.ts'
import { createRecorder } from '../sending/recorder.ts'
import { cancelCampaign, pauseCampaign } from '../service.ts'
import { claimFresh, claimRetries, findClaim, type ClaimedMessage } from './claim-queries.ts'
import { finishClaimed } from './finish-queries.ts'
import { recoverClaims } from './recovery.ts'

const UNREACHABLE: Outcome = { kind: 'retry', code: -7, error: 'unreachable', delayMs: 0, cause: 'unreachable' }
const ACCEPTED: Outcome = { kind: 'accepted', wamid: 'wamid.1', isInQualityCheck: false, waId: null }

// The product runs without a worker, because the tests do its steps one by one.
const product = await launchProduct({ env: { ROLE: 'http' } })
const db = product.db

/** Creates a campaign that is being sent. `takeLease` takes its sender's lease for a new worker. */
async function scene(contacts: number) {
	const sender = await sendingAccount(product, { contacts })
	const { accountId } = sender
	const campaignId = await startCampaign(product, sender, LATER)
	await db`update campaigns set status = 'processing', started_at = now() where id = ${campaignId}`
	const takeLease = async () => {
		const [seen] = await db<{ worker: string | null; epoch: number }[]>`
			select lease_worker as worker, lease_epoch as epoch from senders where account_id = ${accountId}
		`
		assert.ok(seen)
		const lease = await acquireLease(db, accountId, { worker: randomUUID(), seen })
		assert.ok(lease)
		return stepsOf(accountId, { campaignId, lease })
	}
	return { sender, accountId, campaignId, takeLease }
}

function stepsOf(accountId: AccountId, { campaignId, lease }: { campaignId: number; lease: Lease }) {
	const { notify, log, watch } = product.process.context
	const hooks = { worker: { stopped: new AbortController().signal }, onSettled: () => {}, onRetry: () => {} }
	const recorder = createRecorder({ db, accountId, lease, notify, log, watch, ...hooks })
	const logs = new Map<number, SendLog>()
	const request = (batch: number, limit = 10) => ({ lease, batch, campaignId, limit })
	return {
		lease,
		request,
		claim: (batch: number, limit?: number) =>
			transaction(db, (sql) => claimFresh(sql, accountId, request(batch, limit))),
		claimRetries: (batch: number) => transaction(db, (sql) => claimRetries(sql, accountId, request(batch))),
		openLog: (batch: number) => logs.set(batch, openSendLog({ ...lease, account: accountId, batch })),
		note: (message: ClaimedMessage | undefined) => logs.get(message?.batch ?? 0)?.note(message?.seq ?? 0),
		recover: () => recoverClaims(db, accountId, { lease }),
		async record(message: ClaimedMessage | undefined, outcome: Outcome) {
			assert.ok(message)
			recorder.add(message, outcome)
			await recorder.drain()
		},
	}
}

const unsettled = (accountId: AccountId) => db<{ seq: number; isRetry: boolean }[]>`
	select seq, retry_at is not null as "isRetry" from unsettled_messages where account_id = ${accountId} order by seq
`

test('recoverClaims returns messages not handed to a connection to the queue, and records the others as unknown', async () => {
	const { accountId, takeLease } = await scene(3)
	const crashed = await takeLease()
	const messages = await crashed.claim(1)
	crashed.openLog(1)
	crashed.note(messages[1])
	const next = await takeLease()
	assert.deepEqual(await next.recover(), { unknown: 1, unsent: 2 })
	assert.deepEqual(await unsettled(accountId), [
		{ seq: 1, isRetry: true },
		{ seq: 2, isRetry: false },
		{ seq: 3, isRetry: true },
	])
	const repeated = await next.claimRetries(1)
	assert.deepEqual([repeated[0]?.seq, repeated[1]?.seq, repeated.length], [1, 3, 2])
})

test('recoverClaims records every message as unknown when the claim has no send log', async () => {
	const { takeLease } = await scene(2)
	await (await takeLease()).claim(1)
	assert.deepEqual(await (await takeLease()).recover(), { unknown: 2, unsent: 0 })
})

test('unknown_since counts from the recovery, not from the claim, after a long downtime', async () => {
	const { accountId, takeLease } = await scene(1)
	await (await takeLease()).claim(1)
	await db`update message_claims set claimed_at = now() - interval '20 minutes' where account_id = ${accountId}`
	await (await takeLease()).recover()
	const [row] = await db<{ seconds: number }[]>`
		select extract(epoch from now() - unknown_since)::float8 as seconds from unsettled_messages where account_id = ${accountId}
	`
	assert.ok(row && row.seconds < 60)
})

for (const [word, stop] of [
	['paused', pauseCampaign],
	['cancelled', cancelCampaign],
] as const) {
	test(`the claims of a crashed worker are recovered when the campaign was ${word} before the crash was noticed`, async () => {
		const { accountId, campaignId, takeLease } = await scene(2)
		const crashed = await takeLease()
		await crashed.claim(1)
		crashed.openLog(1)
		await stop(product.process.context, accountId, String(campaignId))
		const active = await listActiveAllAccounts(db, null)
		assert.ok(active.some((one) => one.accountId === accountId))
		assert.deepEqual(await (await takeLease()).recover(), { unknown: 0, unsent: 2 })
	})
}

test('a worker whose lease was taken claims nothing, sends nothing more and puts nothing back', async () => {
	const { accountId, takeLease } = await scene(4)
	const frozen = await takeLease()
	const [message] = await frozen.claim(1, 2)
	frozen.openLog(1)
	const next = await takeLease()
	assert.deepEqual(await next.recover(), { unknown: 0, unsent: 2 })
	assert.deepEqual(await frozen.claimRetries(3), [])
	assert.equal((await next.claimRetries(1)).length, 2)
	assert.throws(() => frozen.note(message), /taken over/)
	assert.deepEqual(await frozen.claim(2), [])
	await frozen.record(message, UNREACHABLE)
	await frozen.record(message, { kind: 'opted-out' })
	assert.deepEqual(await unsettled(accountId), [])
	const [row] = await db`select status from campaign_messages where account_id = ${accountId} and seq = 1`
	assert.equal(row?.status, 'pending')
})

test('a message that the network accepted is settled although another worker has taken the sender’s lease', async () => {
	const { accountId, takeLease } = await scene(1)
	const frozen = await takeLease()
	const [message] = await frozen.claim(1)
	const next = await takeLease()
	assert.deepEqual(await next.recover(), { unknown: 1, unsent: 0 })
	await frozen.record(message, ACCEPTED)
	assert.deepEqual(await unsettled(accountId), [])
	assert.deepEqual(await getWallet(db, accountId), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(db), [])
})

test('claimFresh under the number of a claim that was written fails, and findClaim returns the same messages', async () => {
	const { accountId, takeLease } = await scene(5)
	const worker = await takeLease()
	const first = await worker.claim(1, 3)
	await assert.rejects(() => worker.claim(1, 3), /message_claims_key/)
	const claimed = first.map((message) => ({ ...message, isOverLimit: false }))
	assert.deepEqual(await findClaim(db, accountId, worker.request(1)), claimed)
	assert.equal(await findClaim(db, accountId, worker.request(2)), null)
	const next = await worker.claim(2, 3)
	assert.deepEqual([next[0]?.seq, next[1]?.seq, next.length], [4, 5, 2])
})

test('a recipient who opted out after the campaign was created gets no message, and its price is released', async () => {
	const { sender, accountId, takeLease } = await scene(2)
	await optOutNumbers(db, accountId, {
		numbers: [`9155${String(accountId).padStart(3, '0')}000000`],
		because: 'manual',
	})
	const worker = await takeLease()
	const [first, second] = await worker.claim(1)
	assert.deepEqual([first?.isOptedOut, second?.isOptedOut], [true, false])
	await worker.record(first, { kind: 'opted-out' })
	assert.deepEqual(await getWallet(db, sender.accountId), { availablePaise: 100, heldPaise: 100 })
	assert.deepEqual(await moneyFindings(db), [])
})

test('a recipient who opted out after the campaign was created and opted in again gets the message', async () => {
	const { accountId, takeLease } = await scene(1)
	const numbers = [`9155${String(accountId).padStart(3, '0')}000000`]
	await setManyOptedOut(db, accountId, { numbers, ids: [], optedOut: true })
	await setManyOptedOut(db, accountId, { numbers, ids: [], optedOut: false })
	const claimed = await (await takeLease()).claim(1)
	assert.deepEqual(
		claimed.map(({ isOptedOut }) => isOptedOut),
		[false],
	)
})

test('a recipient who opted out of marketing gets the messages of a utility campaign', async () => {
	const { accountId, campaignId, takeLease } = await scene(1)
	await db`update campaigns set template = jsonb_set(template, '{category}', '"UTILITY"') where id = ${campaignId}`
	await optOutNumbers(db, accountId, {
		numbers: [`9155${String(accountId).padStart(3, '0')}000000`],
		because: 'manual',
	})
	const [message] = await (await takeLease()).claim(1)
	assert.equal(message?.isOptedOut, false)
})

test('acquireLease returns null for a worker that saw the lease before another one took it', async () => {
	const { accountId } = await scene(1)
	const seen = { worker: null, epoch: 0 }
	const leases = await Promise.all(['a', 'b', 'c'].map((worker) => acquireLease(db, accountId, { worker, seen })))
	assert.equal(leases.filter((lease) => lease !== null).length, 1)
})

test('releaseLease of a lease that was taken over does not change the new lease', async () => {
	const { accountId, takeLease } = await scene(1)
	const former = await takeLease()
	const { lease, claim } = await takeLease()
	await releaseLease(db, accountId, former.lease)
	assert.equal((await claim(1)).length, 1)
	await releaseLease(db, accountId, lease)
	assert.deepEqual(await claim(2), [])
})

test('recoverClaims writes no unsettled row for a message that a status update has settled', async () => {
	const { accountId, takeLease } = await scene(1)
	await (await takeLease()).claim(1)
	await db`update campaign_messages set status = 'delivered' where account_id = ${accountId}`
	await (await takeLease()).recover()
	assert.deepEqual(await unsettled(accountId), [])
})

test('claimFresh claims nothing for an account whose user was deactivated', async () => {
	const { accountId, takeLease } = await scene(1)
	const worker = await takeLease()
	await db`update users set is_active = false where account_id = ${accountId}`
	assert.deepEqual(await worker.claim(1), [])
})

test('claimFresh leaves out messages that are not pending any more', async () => {
	const { accountId, takeLease } = await scene(3)
	await db`update campaign_messages set status = 'failed' where account_id = ${accountId} and seq = 2`
	const claimed = await (await takeLease()).claim(1)
	assert.deepEqual(
		claimed.map((message) => message.seq),
		[1, 3],
	)
	const [claim] = await db<{ seqs: number[] }[]>`select seqs from message_claims where account_id = ${accountId}`
	assert.deepEqual(claim?.seqs, [1, 3])
})

test('claimRetries leaves out a message that a status update has settled and deletes its row, and one whose time has not come', async () => {
	const { accountId, campaignId, takeLease } = await scene(3)
	const worker = await takeLease()
	await worker.claim(1)
	await db`update campaign_messages set status = 'delivered' where account_id = ${accountId} and seq = 1`
	await db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
		select ${accountId}, ${campaignId}, seq, now() + seq / 3 * interval '1 hour' from generate_series(1, 3) seq
	`
	assert.deepEqual(
		(await worker.claimRetries(3)).map((message) => message.seq),
		[2],
	)
	assert.deepEqual(await unsettled(accountId), [{ seq: 3, isRetry: true }])
})

test('finishClaimed returns each message once, and removes the claim with its last message', async () => {
	const { accountId, takeLease } = await scene(2)
	const { claim, lease } = await takeLease()
	await claim(1)
	const finish = (...seqs: number[]) =>
		finishClaimed(db, accountId, { epoch: lease.epoch, finished: seqs.map((seq) => ({ batch: 1, seq })) })
	assert.equal((await finish(1)).length, 1)
	assert.equal((await finish(1)).length, 0)
	assert.equal((await finish(1, 2)).length, 1)
	assert.equal((await db`select 1 from message_claims where account_id = ${accountId}`).length, 0)
})

test('a retry that its worker settles twice, as after a lost COMMIT, is in the queue once and its attempts count once', async () => {
	const { accountId, takeLease } = await scene(1)
	const worker = await takeLease()
	const [message] = await worker.claim(1)
	await worker.record(message, UNREACHABLE)
	assert.equal((await worker.claimRetries(2)).length, 1)
	await worker.record(message, UNREACHABLE)
	assert.deepEqual(await unsettled(accountId), [])
})

test('a message fails at its eighth attempt against the limit of its recipient, and attempts at an unreachable network do not count', async () => {
	const { accountId, takeLease } = await scene(1)
	const worker = await takeLease()
	const limited: Outcome = { kind: 'retry', code: 131056, error: 'Too many', delayMs: 0, cause: 'recipient-limit' }
	const status = async () =>
		(await db<{ status: string }[]>`select status from campaign_messages where account_id = ${accountId}`)[0]?.status
	let batch = 1
	let [message] = await worker.claim(batch)
	for (let attempt = 1; attempt <= 7; attempt++) {
		for (const outcome of [UNREACHABLE, limited]) {
			await worker.record(message, outcome)
			;[message] = await worker.claimRetries(++batch)
		}
		assert.equal(await status(), 'pending', `after ${attempt} attempts`)
	}
	await worker.record(message, limited)
	assert.equal(await status(), 'failed')
	assert.equal((await getWallet(db, accountId)).heldPaise, 0)
})
