import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerId } from '#lib/server/db.ts'
import { launchTestDatabase } from '#test/database.ts'
import { bareAccount } from '#test/factories.ts'
import { DeliveryWriter } from './delivery-writer.ts'

const { sql: db } = await launchTestDatabase()

/** No account: a row that names it violates a foreign key. */
const NOBODY = 999_999 as OwnerId

const to = (owner: OwnerId, body: string) => ({ owner, body, keptBecause: null })

async function bodiesOf(owner: OwnerId): Promise<string[]> {
	const rows = await db<{ body: string }[]>`
		select body from webhook_deliveries where account_id = ${owner} order by id
	`
	return rows.map(({ body }) => body)
}

test('webhook deliveries that arrive together are stored by one statement, each under its account and unchanged', async () => {
	const [first, second] = [await bareAccount(db), await bareAccount(db)]
	const writer = new DeliveryWriter(db)
	const texts = ['{"a":"\\u00fc \\"x\\" {1,2}"}', 'NULL', '', '\\', '{}', '\u{1F600}\n\t']
	await Promise.all(texts.flatMap((text) => [writer.write(to(first, text)), writer.write(to(second, `${text}2`))]))
	assert.deepEqual(await bodiesOf(first), texts)
	assert.deepEqual(
		await bodiesOf(second),
		texts.map((text) => `${text}2`),
	)
	// Machines of a distributed database number their transactions each for itself.
	for (const owner of [first, second]) {
		const [written] = await db<{ transactions: number }[]>`
			select count(distinct xmin::text)::int as transactions from webhook_deliveries where account_id = ${owner}
		`
		assert.equal(written?.transactions, 1)
	}
})

test('only the webhook deliveries of an account that cannot be written are refused, the first time and later', async () => {
	const ownerId = await bareAccount(db)
	const writer = new DeliveryWriter(db)
	for (const text of ['first', 'later']) {
		const settled = await Promise.allSettled([
			writer.write(to(ownerId, text)),
			writer.write(to(NOBODY, text)),
			writer.write(to(ownerId, `${text} too`)),
		])
		assert.deepEqual(
			settled.map(({ status }) => status),
			['fulfilled', 'rejected', 'fulfilled'],
		)
	}
	assert.deepEqual(await bodiesOf(ownerId), ['first', 'first too', 'later', 'later too'])
})

test('a webhook delivery is refused while the database stores none, and stored when it does again', async () => {
	const ownerId = await bareAccount(db)
	const writer = new DeliveryWriter(db)
	await db`alter table webhook_deliveries rename to deliveries_away`
	await assert.rejects(writer.write(to(ownerId, 'lost')))
	await db`alter table deliveries_away rename to webhook_deliveries`
	await writer.write(to(ownerId, 'after'))
	assert.deepEqual(await bodiesOf(ownerId), ['after'])
})
