import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { accept, launchWebhookScene, numbersOf, upTo } from '#test/scenes/webhook-scene.ts'
import type { WebhookReceiver } from '#test/servers/webhook-receiver.ts'
import { until } from '#test/until.ts'

const scene = await launchWebhookScene()
const { app } = scene

/** Refuses the last received request when it contains one of these numbers. */
const refuseNumbers =
	(receiver: WebhookReceiver, numbers: readonly number[], status = 422) =>
	(response: ServerResponse) => {
		const events = receiver.received.at(-1)?.events ?? []
		if (events.some(({ data }) => numbers.includes(data.number as number))) response.writeHead(status).end()
		else accept(response)
	}

/** Makes waiting deliveries due. */
async function hasten(accountId: number): Promise<void> {
	await app.context.db`update event_deliveries set due_at = now() where account_id = ${accountId} and due_at > now()`
	await scene.deliver()
}

test('events that a receiver always refuses are set aside as failed, and all others are delivered in order', async () => {
	const { person, receiver, id } = await scene.subscriber()
	receiver.answer = refuseNumbers(receiver, [3, 4])
	await scene.happen(person, 8)
	await until(async () => {
		await hasten(person.accountId)
		return numbersOf(receiver).includes(8)
	})
	assert.deepEqual(
		numbersOf(receiver).filter((number) => number !== undefined),
		[1, 2, 5, 6, 7, 8],
	)
	const alone = receiver.received.filter(({ events }) => events.length === 1 && events[0]?.data.number === 3)
	assert.equal(alone.length, 3)
	const failed = (await scene.deliveriesOf(person, id)).data.filter(({ state }) => state === 'failed')
	assert.deepEqual(
		failed.map(({ events, attempts, error }) => [events, attempts, error]),
		[
			[1, 1, 'Answered with status 422'],
			[1, 3, 'Answered with status 422'],
		],
	)
	assert.equal((await scene.addressesOf(person))[0]?.failingSince, null)
	receiver.answer = accept
	assert.equal((await app.call(webhooks.sendAgain, { params: { id: failed[1]?.id ?? '' } }, person)).status, 202)
	await until(() => numbersOf(receiver).includes(3))
})

test('a receiver that also refuses test events loses nothing, and receives the waiting events in order when it accepts again', async () => {
	const { person, receiver, id } = await scene.subscriber()
	receiver.answer = (response) => void response.writeHead(404).end()
	await scene.happen(person, 4)
	await until(async () => {
		await hasten(person.accountId)
		return ((await scene.deliveriesOf(person, id)).data[0]?.attempts ?? 0) >= 5
	})
	assert.equal((await scene.addressesOf(person))[0]?.waiting, 4)
	assert.notEqual((await scene.addressesOf(person))[0]?.failingSince, null)
	receiver.answer = accept
	await until(async () => {
		await hasten(person.accountId)
		return receiver.accepted().length >= 4
	})
	assert.deepEqual(numbersOf(receiver), upTo(4))
})

for (const status of [408, 429])
	test(`a batch that is answered with ${status} is repeated as a whole`, async () => {
		const { person, receiver, id } = await scene.subscriber()
		receiver.answer = (response) => void response.writeHead(status).end()
		await scene.happen(person, 4)
		await scene.deliver()
		await until(async () => (await scene.deliveriesOf(person, id)).data[0]?.attempts === 1)
		receiver.answer = accept
		await hasten(person.accountId)
		await until(() => receiver.accepted().length === 4)
		assert.deepEqual(
			receiver.received.map(({ events }) => events.length),
			[4, 4],
		)
	})
