import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { transaction } from '#lib/server/db.ts'
import { accept, ALL_EVENTS, launchWebhookScene, numbersOf, refuse, upTo } from '#test/scenes/webhook-scene.ts'
import { until, untilLocked } from '#test/until.ts'
import { deleteOldDeliveries } from './delivery-queries.ts'
import { boundWaiting, eraseEvents, recordEvents, takeDelivery } from './service.ts'
import { deleteUnwanted } from './waiting-queries.ts'

const scene = await launchWebhookScene()
const { app } = scene

test('an address receives its chosen events of each transaction, signed so that standardwebhooks accepts them', async () => {
	const { person, receiver, secret } = await scene.subscriber(['message.read', 'wallet.low'])
	await scene.happen(person, 3, { type: 'message.sent' })
	await transaction(app.context.db, (sql) =>
		recordEvents(sql, person.accountId, [
			{ type: 'message.sent', at: new Date(), data: { number: 4 } },
			{ type: 'wallet.low', at: new Date('2026-11-23T06:30:00Z'), data: { number: 5 } },
		]),
	)
	await scene.deliver()
	await until(() => receiver.received.length > 0)
	const [{ headers, body, events } = { headers: {}, body: '', events: [] }] = receiver.received
	assert.deepEqual(
		events.map(({ type, at, data }) => ({ type, at, data })),
		[{ type: 'wallet.low', at: '2026-11-23T06:30:00.000Z', data: { number: 5 } }],
	)
	const signed = headers as Record<string, string>
	assert.deepEqual(new Webhook(secret).verify(body, signed), { events })
	assert.throws(() => new Webhook(secret).verify(`${body} `, signed))
})

test('events of a rolled-back transaction are not sent, and those of an account without an address are not stored', async () => {
	const [{ person, receiver }, other] = [await scene.subscriber(), await app.signIn('user')]
	await assert.rejects(
		transaction(app.context.db, async (sql) => {
			await recordEvents(sql, person.accountId, [{ type: 'wallet.low', at: new Date(), data: {} }])
			throw new Error('rolled back')
		}),
	)
	await scene.happen(other, 5)
	await scene.happen(person, 1)
	await scene.deliver()
	await until(() => receiver.accepted().length > 0)
	assert.deepEqual(numbersOf(receiver), [1])
	const rows = await app.context.db`select 1 from waiting_events where account_id = ${other.accountId}`
	assert.equal(rows.length, 0)
})

test('takeDelivery during an erasure takes the events that the erasure leaves', async () => {
	const { db } = app.context
	const { person, id } = await scene.subscriber()
	await scene.happen(person, 2)
	const begun = await transaction(db, async (sql) => {
		await eraseEvents(sql, person.accountId, ['"number":1'])
		const taken = takeDelivery(db, person.accountId, Number(id))
		await untilLocked(db)
		return { taken }
	})
	const delivery = await begun.taken
	assert.equal(delivery?.eventCount, 1)
	assert.match(delivery?.body ?? '', /"number":2/)
	assert.doesNotMatch(delivery?.body ?? '', /"number":1/)
})

test('an address stores no more events than may wait, and stores new ones after some were sent', async () => {
	const { person, receiver } = await scene.subscriber()
	await scene.happen(person, 3)
	await boundWaiting(app.context, 3)
	assert.equal((await scene.addressesOf(person))[0]?.isFull, true)
	await scene.happen(person, 2, { first: 10 })
	await scene.deliver()
	await until(() => receiver.accepted().length === 3)
	await boundWaiting(app.context, 3)
	await scene.happen(person, 1, { first: 4 })
	await scene.deliver()
	await until(() => receiver.accepted().length === 4)
	assert.deepEqual(numbersOf(receiver), upTo(4))
})

test('sent events are deleted after their retention, those of a deleted address too, and an erasure removes texts from both', async () => {
	const { db } = app.context
	const { person, receiver, id } = await scene.subscriber()
	await scene.happen(person, 2)
	await scene.deliver()
	await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.state === 'delivered')
	const old = { age: '7 days', limit: 10 }
	assert.equal(await deleteOldDeliveries(db, person.accountId, old), 0)
	await eraseEvents(db, person.accountId, ['"number":3'])
	assert.equal((await scene.deliveriesOf(person, id)).data.length, 1)
	await eraseEvents(db, person.accountId, ['"number":2'])
	assert.equal((await scene.deliveriesOf(person, id)).data.length, 0)

	receiver.answer = refuse
	await scene.happen(person, 3, { first: 3 })
	await scene.deliver()
	await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.attempts === 1)
	await scene.happen(person, 3, { first: 6 })
	await scene.happen(person, 1, { first: 9 })
	await eraseEvents(db, person.accountId, ['"number":4', '"number":7', '"number":9'])
	const [address] = await scene.addressesOf(person)
	assert.equal(address?.waiting, 4)
	receiver.answer = accept
	const delivery = (await scene.deliveriesOf(person, id)).data[0]?.id ?? ''
	await app.call(webhooks.sendAgain, { params: { id: delivery } }, person)
	await until(() => receiver.accepted().length === 6)
	assert.deepEqual(numbersOf(receiver), [1, 2, 3, 5, 6, 8])

	await scene.happen(person, 1)
	await app.call(webhooks.remove, { params: { id } }, person)
	assert.equal(await deleteUnwanted(db, person.accountId, { age: '7 days', limit: 10 }), 1)
	await db`update event_deliveries set created_at = now() - interval '8 days' where account_id = ${person.accountId}`
	assert.equal(await deleteOldDeliveries(db, person.accountId, old), 2)
})

test('waiting events of a switched-off address remain for seven days, and are sent in order when it is switched on', async () => {
	const { db } = app.context
	const { person, receiver, id } = await scene.subscriber()
	const off = (since: string) => db`
		update webhook_addresses set switched_off_at = now() - ${since}::interval where account_id = ${person.accountId}
	`
	const old = { age: '7 days', limit: 10 }
	await scene.happen(person, 1)
	assert.ok(await takeDelivery(db, person.accountId, Number(id)))
	await scene.happen(person, 2, { first: 2 })
	await db`
		update event_deliveries set created_at = now() - interval '8 days', due_at = now() + interval '15 minutes'
		where account_id = ${person.accountId}
	`
	await off('6 days 23:59')
	assert.equal(await deleteUnwanted(db, person.accountId, old), 0)
	assert.equal(await deleteOldDeliveries(db, person.accountId, old), 0)
	assert.equal((await scene.addressesOf(person))[0]?.waiting, 3)
	const [shown] = (await scene.deliveriesOf(person, id)).data
	assert.deepEqual([shown?.state, shown?.nextAttemptAt], ['waiting', null])
	const body = { url: receiver.url, events: ALL_EVENTS }
	assert.equal((await app.call(webhooks.change, { params: { id }, body }, person)).status, 200)
	await scene.deliver()
	await until(() => receiver.accepted().length === 3)
	assert.deepEqual(numbersOf(receiver), upTo(3))

	await off('0')
	await db`
		insert into event_deliveries (account_id, address_id, body, event_count, due_at, created_at)
		values (${person.accountId}, ${id}, '{"events":[]}', 1, now(), now() - interval '8 days')
	`
	await db`
		insert into waiting_events (account_id, address_id, events, event_count) values (${person.accountId}, ${id}, '[{}]', 1)
	`
	await off('7 days 00:01')
	assert.equal(await deleteUnwanted(db, person.accountId, old), 1)
	assert.equal(await deleteOldDeliveries(db, person.accountId, old), 2)
})

test('eraseEvents erases events from all waiting rows when they fill several chunks, and deletes rows without events left', async () => {
	const { db } = app.context
	const { person, id } = await scene.subscriber()
	await db`
		insert into waiting_events (account_id, address_id, id, events, event_count)
		overriding system value
		select ${person.accountId}::bigint, ${id}::bigint, r, json_build_array(json_build_object('number', r), json_build_object('number', r % 2)), 2
		from generate_series(-300, 299) r
	`
	await eraseEvents(db, person.accountId, ['"number" : 0}', '"number" : -300}', '"number" : 299}'])
	const [left] = await db<{ rows: number; events: number; least: number }[]>`
		select count(*)::int as rows, sum(event_count)::int as events, min(id)::int as least
		from waiting_events where account_id = ${person.accountId}
	`
	// Each of the 300 even rows loses an event. Rows 0 and -300 lose both and are deleted, and row 299 loses one of two.
	assert.deepEqual(left, { rows: 598, events: 1200 - 300 - 1 - 1 - 1, least: -299 })
})
