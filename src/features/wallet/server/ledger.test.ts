import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { account, campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { untilLocked } from '#test/until.ts'
import { addOwed, getWallet, post, type Posting } from './ledger.ts'
import { reconcileWallet } from './reconciliation.ts'

const app = await launchTestApp()

/** Creates an account with ₹100, of which ₹60 are on hold for a campaign. */
async function holding(): Promise<{ accountId: AccountId; campaignId: number }> {
	const { db } = app.context
	const { accountId } = await account(app.context, { balancePaise: 10_000 })
	const campaignId = await campaignRow(db, accountId, { name: 'Diwali' })
	const hold = { kind: 'hold', reference: 'hold', paise: 6000, campaignId, messageCount: 60 } as const
	await transaction(db, (sql) => post(sql, accountId, hold))
	return { accountId, campaignId }
}

/** Posts both entries in overlapping transactions: the second waits for the wallet until the first commits. */
async function postTogether(accountId: AccountId, [first, second]: [Posting, Posting]): Promise<unknown> {
	const { db } = app.context
	let waiting: Promise<unknown> | undefined
	await transaction(db, async (sql) => {
		await post(sql, accountId, first)
		waiting = transaction(db, (other) => post(other, accountId, second)).catch((error: unknown) => error)
		await untilLocked(db)
	})
	return waiting
}

async function listLines(accountId: AccountId): Promise<string[]> {
	const lines = await app.context.db<{ line: string }[]>`
		select format('%s %s %s %s', kind, available_change_paise, held_change_paise, message_count) as line
		from statement_lines where account_id = ${accountId} and kind <> 'recharge' order by id
	`
	return lines.map(({ line }) => line)
}

test('post waits when another transaction writes the same statement line, and adds to that line', async () => {
	const { accountId, campaignId } = await holding()
	const capture = { kind: 'capture', campaignId } as const
	const twice = () => [1, 2].map((n) => ({ ...capture, reference: `${n}`, paise: 1000 * n, messageCount: 10 * n }))
	await postTogether(accountId, twice() as [Posting, Posting])
	assert.deepEqual(await listLines(accountId), ['hold -6000 6000 60', 'capture 0 -3000 30'])
	const more = twice().map((posting) => ({ ...posting, reference: `more ${posting.reference}` }))
	await postTogether(accountId, more as [Posting, Posting])
	assert.deepEqual(await listLines(accountId), ['hold -6000 6000 60', 'capture 0 -6000 60'])
	assert.deepEqual(await getWallet(app.context.db, accountId), { availablePaise: 4000, heldPaise: 0 })
	assert.deepEqual(await reconcileWallet(app.context.db, accountId, { since: null }), [])
})

test('post returns null and writes nothing when another transaction has spent the money', async () => {
	const { accountId, campaignId } = await holding()
	const hold = { kind: 'hold', paise: 3000, campaignId, messageCount: 30 } as const
	const later = await postTogether(accountId, [
		{ ...hold, reference: 'first' },
		{ ...hold, reference: 'second' },
	])
	assert.equal(later, null)
	assert.deepEqual(await listLines(accountId), ['hold -6000 6000 60', 'hold -3000 3000 30'])
	assert.deepEqual(await getWallet(app.context.db, accountId), { availablePaise: 1000, heldPaise: 9000 })
	assert.deepEqual(await reconcileWallet(app.context.db, accountId, { since: null }), [])
})

test('post returns null for a hold that refuses owing when another transaction has made the account owe, and posts any other', async () => {
	const { accountId, campaignId } = await holding()
	const { db } = app.context
	const hold = { kind: 'hold', paise: 1000, campaignId, messageCount: 10 } as const
	let ordered: Promise<unknown> | undefined
	await transaction(db, async (sql) => {
		await addOwed(sql, accountId, 1)
		ordered = post(db, accountId, { ...hold, reference: 'order', refusesOwing: true })
		await untilLocked(db)
	})
	assert.equal(await ordered, null)
	assert.deepEqual(await post(db, accountId, { ...hold, reference: 'dearer' }), {
		availablePaise: 3000,
		heldPaise: 7000,
	})
	await addOwed(db, accountId, -1)
	const held = await post(db, accountId, { ...hold, reference: 'order', refusesOwing: true })
	assert.deepEqual(held, { availablePaise: 2000, heldPaise: 8000 })
	assert.deepEqual(await reconcileWallet(db, accountId, { since: null }), [])
})

test('post fails and rolls back when another transaction posts the same reference, and changes nothing when repeated', async () => {
	const { accountId, campaignId } = await holding()
	const capture: Posting = { kind: 'capture', reference: 'once', paise: 1000, campaignId, messageCount: 10 }
	assert.match(String(await postTogether(accountId, [capture, capture])), /ledger_entries/)
	const wallet = { availablePaise: 4000, heldPaise: 5000 }
	assert.deepEqual(await transaction(app.context.db, (sql) => post(sql, accountId, capture)), wallet)
	assert.deepEqual(await getWallet(app.context.db, accountId), wallet)
	assert.deepEqual(await listLines(accountId), ['hold -6000 6000 60', 'capture 0 -1000 10'])
	assert.deepEqual(await reconcileWallet(app.context.db, accountId, { since: null }), [])
})
