import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sendingAccount, startCampaign, startProduct, type Product } from '#test/product.ts'
import { claimFresh, claimRetries, type ClaimedMessage } from './claim-queries.ts'
import { createRecorder } from './recorder.ts'
import { adoptClaims } from './recovery.ts'
import type { Outcome } from './reply-classifier.ts'
import { openWireLog } from './send-log.ts'

const LATER = { schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' } as const
const UNREACHED: Outcome = {
	kind: 'retry',
	code: 0,
	error: 'The network could not be reached',
	delayMs: 0,
	slowDown: false,
}

let product: Product
before(async () => {
	// No worker: these tests play the workers themselves.
	product = await startProduct({ env: { ROLE: 'http' } })
})
after(() => product.close())

/** A campaign that is being sent, and what a worker of this name does to it. */
async function scene(contacts: number) {
	const sender = await sendingAccount(product, { contacts })
	const campaignId = await startCampaign(product, sender, LATER)
	const { db, process } = product
	await db`update campaigns set status = 'processing', started_at = now() where id = ${campaignId}`
	return {
		owner: sender.ownerId,
		worker() {
			const worker = randomUUID()
			const log = openWireLog(worker)
			const request = { campaignId, limit: 10, worker }
			const recorder = createRecorder({
				db,
				owner: sender.ownerId,
				notify: process.context.notify,
				log: process.context.log,
			})
			return {
				log,
				claim: () => claimFresh(db, sender.ownerId, request),
				claimRetries: () => claimRetries(db, sender.ownerId, request),
				adopt: () => adoptClaims(db, sender.ownerId, worker),
				async record(message: ClaimedMessage | undefined, outcome: Outcome) {
					assert.ok(message)
					recorder.expect([message])
					recorder.add(message, outcome)
					await recorder.drain()
				},
			}
		},
	}
}

test('of a dead worker’s claims on one message the latest decides: handed over then, it is not sent again', async () => {
	const { worker } = await scene(2)
	const dead = worker()
	const [unreached, hanging] = await dead.claim()
	dead.log.note(hanging?.claimId ?? 0, hanging?.seq ?? 0)
	// The second message keeps the first claim open, while the first message is tried again under another one.
	await product.db`
		insert into unsettled_messages (account_id, campaign_id, seq, retry_at)
		select account_id, campaign_id, ${unreached?.seq ?? 0}, now() from message_claims where id = ${unreached?.claimId ?? 0}
	`
	const [again] = await dead.claimRetries()
	dead.log.note(again?.claimId ?? 0, again?.seq ?? 0)
	const next = worker()
	assert.deepEqual(await next.adopt(), { unknown: 2, unsent: 0 })
	assert.deepEqual([...(await next.claimRetries())], [])
})

test('a worker that was taken over puts nothing back into the queue', async () => {
	const { worker } = await scene(1)
	const stale = worker()
	const [message] = await stale.claim()
	const next = worker()
	assert.deepEqual(await next.adopt(), { unknown: 0, unsent: 1 })
	assert.equal((await next.claimRetries()).length, 1)
	assert.throws(() => stale.log.note(message?.claimId ?? 0, message?.seq ?? 0))
	await stale.record(message, UNREACHED)
	assert.deepEqual([...(await next.claimRetries())], [])
})
