import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase } from '#test/database.ts'
import type { AccountId } from '../db.ts'
import { scanAllAccounts } from './all-accounts.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let accounts: AccountId[]
let asked: (AccountId | null)[]

before(async () => {
	database = await createTestDatabase()
	const rows = await database.sql<{ id: AccountId }[]>`
		insert into accounts select from generate_series(1, 9) returning id
	`
	accounts = rows.map((row) => row.id)
})
after(() => database.drop())
beforeEach(() => {
	asked = []
})

/**
 * Returns a scan that fails for the accounts in `down`, and for all accounts together, as when a database node is down.
 */
function scanWithout(down: AccountId[]) {
	return async (accountId: AccountId | null) => {
		asked.push(accountId)
		if (accountId === null ? down.length > 0 : down.includes(accountId))
			throw new Error('connection to the remote node failed')
		const { sql } = database
		return sql<{ id: AccountId }[]>`
			select id from accounts where true ${accountId === null ? sql`` : sql`and id = ${accountId}`} order by id
		`
	}
}

test('scanAllAccounts scans once when the scan over all accounts succeeds', async () => {
	const found = await scanAllAccounts(database.sql, scanWithout([]))
	assert.deepEqual(
		found.map((row) => row.id),
		accounts,
	)
	assert.deepEqual(asked, [null])
})

test('scanAllAccounts scans one account at a time and omits those that fail when the scan over all fails', async () => {
	const down = accounts.slice(3, 5)
	const found = await scanAllAccounts(database.sql, scanWithout(down))
	assert.deepEqual(
		found.map((row) => row.id),
		accounts.filter((id) => !down.includes(id)),
	)
	assert.equal(asked.length, 1 + accounts.length)
})

test('scanAllAccounts rejects with the first error when no account answers', async () => {
	await assert.rejects(scanAllAccounts(database.sql, scanWithout(accounts)), /remote node failed/)
})

test('scanAllAccounts rejects without further scans when the scan over all accounts times out', async () => {
	const slow = async (accountId: AccountId | null) => {
		asked.push(accountId)
		await database.sql`set statement_timeout = 20`
		return database.sql<{ id: AccountId }[]>`select pg_sleep(1)`
	}
	await assert.rejects(scanAllAccounts(database.sql, slow), /statement timeout/)
	assert.deepEqual(asked, [null])
})
