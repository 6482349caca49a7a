import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { higherStatus } from '#features/campaigns/rules.ts'
import { getWallet } from '#features/wallet/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import { auditFindings, sendingAccount, startCampaign, startProduct, type Product } from '#test/product.ts'
import type { StatusUpdate } from './settle-queries.ts'
import { settle } from './settle.ts'

const MESSAGES = 6
/** Far enough away that nothing but these tests moves the messages. */
const LATER = { schedule: 'later', scheduleDatetime: '2099-01-01T10:00:00' } as const

let product: Product
before(async () => {
	product = await startProduct()
})
after(() => product.close())

const report = fc.record({
	seq: fc.integer({ min: 1, max: MESSAGES }),
	status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
})

function update(campaignId: number, { seq, status }: Pick<StatusUpdate, 'seq' | 'status'>): StatusUpdate {
	const code = status === 'failed' ? 131026 : null
	return {
		campaignId,
		seq,
		status,
		at: new Date(),
		wamid: `w${seq}`,
		errorCode: code,
		error: code ? 'Undeliverable' : null,
		held: false,
	}
}

async function apply(owner: Parameters<typeof settle>[1], updates: StatusUpdate[]): Promise<void> {
	const notify = product.process.context.notify
	await transaction(product.db, (sql) => settle(sql, owner, { updates, notify }))
}

test('any reports, in any batches, repeated and at once, end in the highest status of each message and in the right money', async () => {
	const sender = await sendingAccount(product, { contacts: MESSAGES, balancePaise: 1_000_000 })
	await fc.assert(
		fc.asyncProperty(fc.array(fc.array(report, { maxLength: 8 }), { maxLength: 6 }), async (batches) => {
			const earlier = await getWallet(product.db, sender.ownerId)
			const campaignId = await startCampaign(product, sender, LATER)
			const twice = [...batches, ...batches.toReversed()]
			await Promise.all(
				twice.map((batch) =>
					apply(
						sender.ownerId,
						batch.map((one) => update(campaignId, one)),
					),
				),
			)

			const highest = new Map<number, StatusUpdate['status']>()
			for (const { seq, status } of batches.flat()) {
				highest.set(seq, higherStatus(highest.get(seq) ?? 'pending', status) as StatusUpdate['status'])
			}
			const rows = await product.db<{ seq: number; status: StatusUpdate['status'] }[]>`
				select seq, status from campaign_messages
				where account_id = ${sender.ownerId} and campaign_id = ${campaignId} and status <> 'pending'
			`
			assert.deepEqual(
				new Map(rows.map((row) => [row.seq, row.status])),
				new Map([...highest].toSorted((a, b) => a[0] - b[0])),
			)
			const accepted = [...highest.values()].filter((status) => status !== 'failed').length
			const pending = MESSAGES - highest.size
			const now = await getWallet(product.db, sender.ownerId)
			assert.equal(earlier.availablePaise - now.availablePaise, (accepted + pending) * 100)
			assert.equal(now.heldPaise - earlier.heldPaise, pending * 100)
			assert.deepEqual(await auditFindings(product.db), [])
		}),
		{ numRuns: 40 },
	)
})

test('a message that a report has settled is not given up as unconfirmed afterwards, however often both come', async () => {
	const sender = await sendingAccount(product, { contacts: 1, balancePaise: 100 })
	const campaignId = await startCampaign(product, sender, LATER)
	const sent = update(campaignId, { seq: 1, status: 'sent' })
	const unconfirmed = { ...update(campaignId, { seq: 1, status: 'failed' }), errorCode: -1 }
	for (const one of [unconfirmed, sent, unconfirmed, sent, unconfirmed]) await apply(sender.ownerId, [one])
	assert.deepEqual(await getWallet(product.db, sender.ownerId), { availablePaise: 0, heldPaise: 0 })
	assert.deepEqual(await auditFindings(product.db), [])
})

test('a message confirmed after its money was given back and spent is counted, and marked as not paid for', async () => {
	const sender = await sendingAccount(product, { contacts: 2, balancePaise: 200 })
	const campaignId = await startCampaign(product, sender, LATER)
	const unconfirmed = { ...update(campaignId, { seq: 1, status: 'failed' }), errorCode: -1 }
	await apply(sender.ownerId, [unconfirmed, { ...unconfirmed, seq: 2 }])
	assert.deepEqual(await getWallet(product.db, sender.ownerId), { availablePaise: 200, heldPaise: 0 })
	await product.db`update prices set marketing_paise = 200 where account_id = ${sender.ownerId}`
	await product.db`delete from contacts where account_id = ${sender.ownerId} and id = (select max(id) from contacts where account_id = ${sender.ownerId})`
	await startCampaign(product, sender, LATER)
	await apply(sender.ownerId, [
		update(campaignId, { seq: 1, status: 'sent' }),
		update(campaignId, { seq: 2, status: 'delivered' }),
	])
	const [row] =
		await product.db`select sent_count, delivered_count, waived_count from campaigns where id = ${campaignId}`
	assert.deepEqual({ ...row }, { sent_count: 1, delivered_count: 1, waived_count: 2 })
	await apply(sender.ownerId, [update(campaignId, { seq: 1, status: 'failed' })])
	assert.deepEqual(await getWallet(product.db, sender.ownerId), { availablePaise: 0, heldPaise: 200 })
	assert.deepEqual(await auditFindings(product.db), [])
})
