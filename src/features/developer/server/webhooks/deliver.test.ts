import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { recordFailure, recordSuccess } from '#features/events/server/delivery-queries.ts'
import { recordEvents, takeDelivery } from '#features/events/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import { startTestApp } from '#test/http-app.ts'
import { accept, ALL_EVENTS, launchWebhookScene, numbersOf, refuse, upTo } from '#test/scenes/webhook-scene.ts'
import { until, untilLocked } from '#test/until.ts'
import { queueDeliveries, webhookHandlers } from './deliver.ts'

const scene = await launchWebhookScene()
const { app } = scene

test('a failed delivery is repeated with the same id and body, and waiting events follow in order and full batches', async () => {
	const { person, receiver, id } = await scene.subscriber()
	receiver.answer = refuse
	await scene.happen(person, 1)
	await scene.deliver()
	await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.attempts === 1)
	const [failed] = (await scene.deliveriesOf(person, id)).data
	assert.deepEqual([failed?.state, failed?.answerStatus, failed?.events], ['waiting', 503, 1])
	const waitMs = Date.parse(failed?.nextAttemptAt ?? '') - Date.parse(failed?.attemptedAt ?? '')
	assert.ok(waitMs > 3000 && waitMs < 7000, `${waitMs} ms`)
	for (let first = 2; first < 1302; first += 260) await scene.happen(person, 260, { first })
	const [address] = await scene.addressesOf(person)
	assert.ok(address?.failingSince !== null)
	assert.equal(address?.waiting, 1301)
	// Nothing is due yet, so nothing is sent.
	await scene.deliver()
	receiver.answer = (response) => void response.writeHead(200).end('taken')
	assert.equal((await app.call(webhooks.sendAgain, { params: { id: failed?.id ?? '' } }, person)).status, 202)
	await until(() => receiver.accepted().length === 1301)
	assert.deepEqual(numbersOf(receiver), upTo(1301))
	assert.deepEqual(
		receiver.received.map(({ events }) => events.length),
		[1, 1, 500, 500, 300],
	)
	const [first, second] = receiver.received
	assert.deepEqual([second?.headers['webhook-id'], second?.body], [first?.headers['webhook-id'], first?.body])
	await until(async () => (await scene.deliveriesOf(person, id)).data.every(({ state }) => state === 'delivered'))
	assert.equal((await scene.addressesOf(person))[0]?.failingSince, null)
	const page = await scene.deliveriesOf(person, id, { limit: 3 })
	assert.deepEqual(
		page.data.map(({ events, state }) => [events, state]),
		[300, 500, 500].map((events) => [events, 'delivered']),
	)
	const rest = await scene.deliveriesOf(person, id, { limit: 3, cursor: page.next ?? '' })
	assert.deepEqual([rest.data.map(({ attempts }) => attempts), rest.next], [[2], null])
})

test('a body has less than a megabyte', async () => {
	const { person, receiver } = await scene.subscriber()
	const events = upTo(300).map((number) => ({
		type: 'message.received' as const,
		at: new Date(),
		data: { number, text: '₹'.repeat(2000) },
	}))
	await transaction(app.context.db, (sql) => recordEvents(sql, person.accountId, events))
	await scene.deliver()
	await until(() => receiver.accepted().length === 300)
	assert.deepEqual(numbersOf(receiver), upTo(300))
	for (const { body } of receiver.received) assert.ok(Buffer.byteLength(body) < 1_000_100)
	assert.ok(receiver.received.length === 2, `${receiver.received.length}`)
})

test('a receiver that does not answer delays neither another account nor another address of its own', async () => {
	const [slow, good] = [await scene.subscriber(), await scene.subscriber()]
	slow.receiver.answer = () => {}
	const second = await scene.newReceiver()
	await scene.add(slow.person, { url: second.url })
	await scene.happen(slow.person, 1)
	await scene.deliver()
	await until(() => slow.receiver.received.length === 1 && second.accepted().length === 1)
	for (let number = 1; number <= 3; number++) {
		await Promise.all([slow, good].map(({ person }) => scene.happen(person, 1, { first: number + 1 })))
		await scene.deliver()
	}
	await until(() => good.receiver.accepted().length === 3 && second.accepted().length === 4)
	assert.equal(slow.receiver.received.length, 1)
	await until(async () => (await scene.deliveriesOf(slow.person, slow.id)).data[0]?.attempts === 1)
	const [timedOut] = (await scene.deliveriesOf(slow.person, slow.id)).data
	assert.equal(
		timedOut?.error,
		'No answer from this address within 10 seconds. Check the address, its certificate and its firewall.',
	)
	assert.equal(timedOut?.durationMs, null)
})

test('a redirect is a failure and is not followed', async () => {
	const [{ person, receiver, id }, other] = [await scene.subscriber(), await scene.newReceiver()]
	receiver.answer = (response) => void response.writeHead(307, { location: other.url }).end()
	await scene.happen(person, 1)
	await scene.deliver()
	await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.answerStatus === 307)
	assert.equal(other.received.length, 0)
})

test('an address inside a private network receives nothing unless private addresses are allowed', async (t) => {
	const guarded = await startTestApp()
	t.after(() => guarded.close())
	await guarded.runJobs(webhookHandlers(guarded.context))
	const [person, receiver] = [await guarded.signIn('user'), await scene.newReceiver()]
	const { body } = await guarded.call(
		webhooks.create,
		{ body: { url: 'https://localhost/', events: ALL_EVENTS, currentPassword: person.password } },
		person,
	)
	for (const url of ['https://localhost/', receiver.url]) {
		await guarded.context.db`update webhook_addresses set url = ${url} where account_id = ${person.accountId}`
		assert.equal((await guarded.call(webhooks.sendTest, { params: { id: body.id } }, person)).status, 202)
	}
	const states = async () =>
		(await guarded.call(webhooks.deliveries, { params: { id: body.id }, query: {} }, person)).body.data
	await until(async () => {
		await queueDeliveries(guarded.context.db)
		return (await states()).every(({ attempts }) => attempts === 1)
	})
	for (const { error } of await states())
		assert.equal(
			error,
			'No answer from this address within 10 seconds. Check the address, its certificate and its firewall.',
		)
	assert.equal(receiver.received.length, 0)
})

/** Starts a second run of the job of an address, like a worker that takes the job over. */
function deliverBeside(person: { accountId: number }, id: string, isMine = async () => true) {
	const job = {
		data: { accountId: person.accountId, address: Number(id) },
		signal: new AbortController().signal,
		isMine,
	}
	const [handler] = webhookHandlers(app.context)
	if (!handler) throw new Error('webhooks have no handler')
	return handler.run(job)
}

test('two runs for one address keep the order of events when the first attempt fails', async () => {
	const { db } = app.context
	const { person, receiver, id } = await scene.subscriber()
	receiver.answer = (response) => {
		if (receiver.received.length === 1) refuse(response)
		else accept(response)
	}
	await scene.happen(person, 1)
	const runs = await transaction(db, async (sql) => {
		await sql`select 1 from waiting_events where account_id = ${person.accountId} for update`
		const first = deliverBeside(person, id)
		await untilLocked(db)
		await scene.happen(person, 1, { first: 2 })
		const second = deliverBeside(person, id)
		await untilLocked(db, 2)
		return [first, second]
	})
	await Promise.all(runs)
	await until(async () => {
		await scene.deliver()
		return receiver.accepted().length >= 2
	})
	assert.deepEqual(numbersOf(receiver), upTo(2))
})

test('a run ends after its batch when another worker has taken over its job', async () => {
	const { person, receiver, id } = await scene.subscriber()
	receiver.answer = (response) => void scene.happen(person, 1, { first: 2 }).then(() => accept(response))
	await scene.happen(person, 1)
	let asked = 0
	await deliverBeside(person, id, async () => asked++ === 0)
	assert.equal(receiver.received.length, 1)
})

test('one of two runs that send the same batch sends the next one', async () => {
	const { person, receiver, id } = await scene.subscriber()
	const answers: (() => void)[] = []
	receiver.answer = (response) => void answers.push(() => accept(response))
	await scene.happen(person, 1)
	const first = deliverBeside(person, id)
	await until(() => answers.length === 1)
	const runs = [first, deliverBeside(person, id)]
	await until(() => answers.length === 2)
	await scene.happen(person, 1, { first: 2 })
	for (const answer of answers.splice(0)) answer()
	await until(() => answers.length > 0)
	// The other run must end while this batch waits for its answer.
	await Promise.race([...runs, sleep(30_000, undefined, { ref: false }).then(() => assert.fail('both go on'))])
	assert.equal(receiver.received.length, 3)
	for (const answer of answers) answer()
	await Promise.all(runs)
})

test('recordFailure leaves a delivery unchanged that another run has delivered in the meantime', async () => {
	const { db } = app.context
	const { person, id } = await scene.subscriber()
	await scene.happen(person, 1)
	const delivery = await takeDelivery(db, person.accountId, Number(id))
	assert.ok(delivery)
	const attempt = { id: delivery.id, attempts: 0, durationMs: 1 }
	const accepted = { ...attempt, answerStatus: 200, error: null }
	assert.equal(await recordSuccess(db, person.accountId, accepted), true)
	const failed = { ...attempt, answerStatus: 503, error: 'Answered with status 503', dueAt: new Date() }
	assert.equal(await recordFailure(db, person.accountId, failed), false)
	assert.equal((await scene.deliveriesOf(person, id)).data[0]?.state, 'delivered')
	assert.equal(await recordSuccess(db, person.accountId, accepted), false)
})

test('an address whose secret no key decrypts is shown as failing, and sends again with a new secret', async () => {
	const { db } = app.context
	const { person, receiver, id } = await scene.subscriber()
	await db`update webhook_addresses set secret = '\\x00010203' where account_id = ${person.accountId}`
	await scene.happen(person, 1)
	await scene.deliver()
	await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.attempts === 1)
	const [failed] = (await scene.deliveriesOf(person, id)).data
	assert.equal(failed?.error, 'The secret of this webhook can no longer be read. Make a new one.')
	assert.notEqual((await scene.addressesOf(person))[0]?.failingSince, null)
	assert.equal((await app.call(webhooks.rotateSecret, { params: { id } }, person)).status, 200)
	await app.call(webhooks.sendAgain, { params: { id: failed?.id ?? '' } }, person)
	await until(() => receiver.accepted().length === 1)
})

test('takeDelivery returns undefined while a delivery waits for its time, also with newer events', async () => {
	const { db } = app.context
	const { person, receiver, id } = await scene.subscriber()
	receiver.answer = refuse
	await scene.happen(person, 1)
	await scene.deliver()
	await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.attempts === 1)
	await scene.happen(person, 1, { first: 2 })
	assert.equal(await takeDelivery(db, person.accountId, Number(id)), undefined)
	await db`update event_deliveries set due_at = now() where account_id = ${person.accountId}`
	assert.match((await takeDelivery(db, person.accountId, Number(id)))?.body ?? '', /"number":1/)
})
