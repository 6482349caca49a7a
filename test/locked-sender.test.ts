import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction } from '#lib/server/db.ts'
import { LATER, launchProduct, sendingAccount, startCampaign } from './full-stack.ts'
import { until } from './until.ts'

const product = await launchProduct()

test('workers take other senders while the row of one sender is locked for long', async () => {
	const { db } = product
	const [locked, other] = await Promise.all([0, 1].map(() => sendingAccount(product, { contacts: 5 })))
	assert.ok(locked && other)
	const campaignId = await startCampaign(product, locked, LATER)
	const waits = async () => {
		const rows = await db`
			select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
				and query like '%set lease_worker%'
		`
		return rows.length > 0
	}
	await transaction(db, async (sql) => {
		await sql`select 1 from senders where account_id = ${locked.accountId} for update`
		await db`update campaigns set status = 'processing', started_at = now() where id = ${campaignId}`
		await until(waits)
		const id = await startCampaign(product, other)
		// The statement of the worker that waits for the row ends after 20 seconds. By reading in the transaction, the test
		// keeps the transaction from being ended as idle.
		const isClaimed = async () =>
			(await sql`select 1 from campaigns where id = ${id} and claimed_through > 0`).length > 0
		await until(isClaimed, 15_000)
	})
})
