import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '#lib/server/db.ts'
import { SCHEMA_VERSION } from '#lib/server/db/schema/schema.ts'
import { bareAccount } from '#test/factories.ts'
import { launchIngest } from '#test/scenes/ingest-scene.ts'
import { until } from '#test/until.ts'
import type { WebhookHandler } from './ingest.ts'

const { database, start, waitingOf, ...scene } = await launchIngest()
const db = database.sql

const body = (id: string) =>
	JSON.stringify({ entry: [{ changes: [{ field: 'messages', value: { statuses: [id] } }] }] })

/** Creates an account with these webhooks. */
async function deliver(...bodies: string[]): Promise<AccountId> {
	const shop = await bareAccount(db)
	await scene.deliver(shop, ...bodies)
	return shop
}

/** Returns handlers that record the statuses of each call and then run `work`. */
function noting(work: WebhookHandler = async () => {}) {
	const calls: unknown[][] = []
	const statuses: WebhookHandler = async (sql, shop, values) => {
		calls.push(values)
		return work(sql, shop, values)
	}
	return { calls, handlers: { statuses } }
}

test('ingest processes a dead letter of unknown kind once a release knows all its changes', async () => {
	const inbound = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value: { messages: ['hello'] } }] }] })
	const strange = JSON.stringify({ entry: [{ changes: [{ field: 'hologram', value: 1 }] }] })
	const shop = await deliver(inbound, strange)
	const { handlers } = noting()
	const older = await start(handlers)
	await until(async () => (await waitingOf(shop)).every(({ reason }) => reason !== null))
	await older.stop()
	const received: unknown[] = []
	await start({ ...handlers, messages: async (_sql, _owner, values) => void received.push(...values) })
	await until(async () => (await waitingOf(shop)).length === 1)
	assert.deepEqual(received, [{ messages: ['hello'] }])
	assert.deepEqual(
		(await waitingOf(shop)).map(({ reason }) => reason),
		['not understood: hologram'],
	)
})

test('ingest repeats a dead letter that failed in another release, and leaves one that failed in this release', async () => {
	const [earliest, earlier, own] = [body('earliest'), body('earlier'), body('own')]
	const shop = await deliver(earliest, earlier, own)
	const reasons = [
		[earliest, 'failed'],
		[earlier, 'failed on 0001_a.sql'],
		[own, `failed on ${SCHEMA_VERSION}`],
	] as const
	for (const [text, reason] of reasons)
		await db`
			update webhook_deliveries set kept_because = ${`${reason}: column "x" does not exist`}
			where account_id = ${shop} and body = ${text}
		`
	const { handlers, calls } = noting()
	await start(handlers)
	await until(async () => (await waitingOf(shop)).length === 1)
	assert.deepEqual(calls.flat(), ['earliest', 'earlier'])
	assert.equal((await waitingOf(shop))[0]?.body, own)
})

test('a webhook that fails after a newer release has migrated the database waits for a process of that release', async (t) => {
	await db`insert into schema_migrations (file) values ('9999_next.sql')`
	t.after(() => db`delete from schema_migrations where file = '9999_next.sql'`)
	const { handlers, calls } = noting(async (sql) => void (await sql`select a_column_of_before from accounts`))
	const shop = await deliver(body('a'), body('b'))
	const older = await start(handlers)
	await until(() => calls.length >= 4)
	await older.stop()
	assert.deepEqual(
		(await waitingOf(shop)).map(({ reason }) => reason),
		[null, null],
	)
	await start(noting().handlers)
	await until(async () => (await waitingOf(shop)).length === 0)
})
