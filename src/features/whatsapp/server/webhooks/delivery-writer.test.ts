import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '#lib/server/db.ts'
import { launchTestDatabase } from '#test/database.ts'
import { bareAccount } from '#test/factories.ts'
import { DeliveryWriter } from './delivery-writer.ts'

const { sql: db } = await launchTestDatabase()

/** Id of no account: a row with it violates a foreign key. */
const NOBODY = 999_999 as AccountId

const to = (accountId: AccountId, body: string) => ({ accountId, body, deadLetterReason: null })

async function bodiesOf(accountId: AccountId): Promise<string[]> {
	const rows = await db<{ body: string }[]>`
		select body from webhook_deliveries where account_id = ${accountId} order by id
	`
	return rows.map(({ body }) => body)
}

test('DeliveryWriter stores webhooks that arrive together in one statement, each under its account and unchanged', async () => {
	const [first, second] = [await bareAccount(db), await bareAccount(db)]
	const writer = new DeliveryWriter(db)
	const texts = ['{"a":"\\u00fc \\"x\\" {1,2}"}', 'NULL', '', '\\', '{}', '\u{1F600}\n\t']
	await Promise.all(texts.flatMap((text) => [writer.write(to(first, text)), writer.write(to(second, `${text}2`))]))
	assert.deepEqual(await bodiesOf(first), texts)
	assert.deepEqual(
		await bodiesOf(second),
		texts.map((text) => `${text}2`),
	)
	// Nodes of a distributed database number their transactions separately.
	for (const accountId of [first, second]) {
		const [written] = await db<{ transactions: number }[]>`
			select count(distinct xmin::text)::int as transactions from webhook_deliveries where account_id = ${accountId}
		`
		assert.equal(written?.transactions, 1)
	}
})

test('DeliveryWriter refuses only the webhooks of an account that cannot be written, at first and later', async () => {
	const accountId = await bareAccount(db)
	const writer = new DeliveryWriter(db)
	for (const text of ['first', 'later']) {
		const settled = await Promise.allSettled([
			writer.write(to(accountId, text)),
			writer.write(to(NOBODY, text)),
			writer.write(to(accountId, `${text} too`)),
		])
		assert.deepEqual(
			settled.map(({ status }) => status),
			['fulfilled', 'rejected', 'fulfilled'],
		)
	}
	assert.deepEqual(await bodiesOf(accountId), ['first', 'first too', 'later', 'later too'])
})

test('DeliveryWriter rejects while the database fails, and stores again afterwards', async () => {
	const accountId = await bareAccount(db)
	const writer = new DeliveryWriter(db)
	await db`alter table webhook_deliveries rename to deliveries_away`
	await assert.rejects(writer.write(to(accountId, 'lost')))
	await db`alter table deliveries_away rename to webhook_deliveries`
	await writer.write(to(accountId, 'after'))
	assert.deepEqual(await bodiesOf(accountId), ['after'])
})
