import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { AccountId } from '#lib/server/db.ts'
import { launchTestDatabase } from '#test/database.ts'
import { bareAccount } from '#test/factories.ts'
import { DeliveryWriter } from './delivery-writer.ts'
import { keepDeliveries } from './queries.ts'

const database = await launchTestDatabase()

const listKept = (accountId: AccountId) => database.sql<{ body: string }[]>`
	select left(body, 20) as body from webhook_deliveries
	where account_id = ${accountId} and kept_because is not null order by id
`

test('a delivery that is kept removes the oldest beyond 1,000 kept ones, and none that waits', async () => {
	const { sql } = database
	const [accountId, other] = [await bareAccount(database.sql), await bareAccount(database.sql)]
	for (const each of [accountId, other])
		await sql`
			insert into webhook_deliveries (account_id, body, kept_because)
			select ${each}, n::text, case when n > 0 then 'forged' end from generate_series(-2, 1003) n
		`
	await new DeliveryWriter(sql).write({ accountId, body: 'the newest', keptBecause: 'not JSON' })
	const kept = await listKept(accountId)
	assert.deepEqual([kept.length, kept[0]?.body, kept.at(-1)?.body], [1000, '5', 'the newest'])
	const [waiting] = await sql<{ id: number }[]>`
		select id from webhook_deliveries where account_id = ${accountId} and kept_because is null order by id limit 1
	`
	assert.ok(waiting)
	await keepDeliveries(sql, accountId, [{ id: waiting.id, because: 'not understood: weather' }])
	const [count] = await sql<{ all: number; others: number }[]>`
		select count(*) filter (where account_id = ${accountId}) as all, count(*) filter (where account_id = ${other}) as others
		from webhook_deliveries where kept_because is not null
	`
	assert.deepEqual({ ...count }, { all: 1000, others: 1003 })
})

test('kept deliveries of an account take 64 MB at most', async () => {
	const accountId = await bareAccount(database.sql)
	const writer = new DeliveryWriter(database.sql)
	// Random, as a forger's would be: what repeats is stored compressed.
	const large = randomBytes(12 * 1024 * 1024).toString('base64')
	for (const name of ['1', '2', '3', '4', '5'])
		await writer.write({ accountId, body: name + large, keptBecause: 'forged' })
	const kept = await listKept(accountId)
	assert.ok(kept.length < 5 && kept.length >= 3, String(kept.length))
	assert.equal(kept.at(-1)?.body[0], '5')
})
