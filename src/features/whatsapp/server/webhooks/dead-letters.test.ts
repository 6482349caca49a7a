import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { AccountId } from '#lib/server/db.ts'
import { launchTestDatabase } from '#test/database.ts'
import { bareAccount } from '#test/factories.ts'
import { DeliveryWriter } from './delivery-writer.ts'
import { markDeadLetters } from './queries.ts'

const database = await launchTestDatabase()

const listDeadLetters = (accountId: AccountId) => database.sql<{ body: string }[]>`
	select left(body, 20) as body from webhook_deliveries
	where account_id = ${accountId} and kept_because is not null order by id
`

test('a new dead letter deletes the oldest beyond 1,000, and no waiting webhook', async () => {
	const { sql } = database
	const [accountId, other] = [await bareAccount(database.sql), await bareAccount(database.sql)]
	for (const each of [accountId, other])
		await sql`
			insert into webhook_deliveries (account_id, body, kept_because)
			select ${each}, n::text, case when n > 0 then 'forged' end from generate_series(-2, 1003) n
		`
	await new DeliveryWriter(sql).write({ accountId, body: 'the newest', deadLetterReason: 'not JSON' })
	const kept = await listDeadLetters(accountId)
	assert.deepEqual([kept.length, kept[0]?.body, kept.at(-1)?.body], [1000, '5', 'the newest'])
	const [waiting] = await sql<{ id: number }[]>`
		select id from webhook_deliveries where account_id = ${accountId} and kept_because is null order by id limit 1
	`
	assert.ok(waiting)
	await markDeadLetters(sql, accountId, [{ id: waiting.id, reason: 'not understood: weather' }])
	const [count] = await sql<{ all: number; others: number }[]>`
		select count(*) filter (where account_id = ${accountId}) as all, count(*) filter (where account_id = ${other}) as others
		from webhook_deliveries where kept_because is not null
	`
	assert.deepEqual({ ...count }, { all: 1000, others: 1003 })
})

test('dead letters of an account are limited to 64 MB', async () => {
	const accountId = await bareAccount(database.sql)
	const writer = new DeliveryWriter(database.sql)
	// Random bytes, because repetitive ones are stored compressed.
	const large = randomBytes(12 * 1024 * 1024).toString('base64')
	for (const name of ['1', '2', '3', '4', '5'])
		await writer.write({ accountId, body: name + large, deadLetterReason: 'forged' })
	const kept = await listDeadLetters(accountId)
	assert.ok(kept.length < 5 && kept.length >= 3, String(kept.length))
	assert.equal(kept.at(-1)?.body[0], '5')
})
