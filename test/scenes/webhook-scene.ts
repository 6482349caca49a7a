import assert from 'node:assert/strict'
import { after } from 'node:test'
import { queueDeliveries, webhookHandlers } from '#features/developer/server/webhooks/deliver.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { EVENT_TYPES, type EventType } from '#features/events/rules.ts'
import { recordEvents } from '#features/events/server/service.ts'
import type { PartIn } from '#lib/endpoint.ts'
import { transaction } from '#lib/server/db.ts'
import type { TestAccount } from '../factories.ts'
import { startTestApp } from '../http-app.ts'
import { startReceiver, type WebhookReceiver } from '../servers/webhook-receiver.ts'

export const ALL_EVENTS = [...EVENT_TYPES]

/** Starts an app for a test file whose accounts receive events, with jobs that run until its tests have ended. */
export async function launchWebhookScene() {
	const app = await startTestApp({ env: { ALLOW_PRIVATE_TARGETS: '1' } })
	const receivers: WebhookReceiver[] = []
	after(async () => {
		// Requests that hang at a receiver would delay the end of the jobs.
		for (const receiver of receivers) receiver.close()
		await app.close()
	})
	await app.runJobs(webhookHandlers(app.context))
	const scene = {
		app,
		async newReceiver(): Promise<WebhookReceiver> {
			const receiver = await startReceiver()
			receivers.push(receiver)
			return receiver
		},
		/** Creates an account with a receiver of these events. */
		async subscriber(events = ALL_EVENTS) {
			const [person, receiver] = [await app.signIn('user'), await scene.newReceiver()]
			const { status, body } = await scene.add(person, { url: receiver.url, events })
			assert.equal(status, 201, JSON.stringify(body))
			return { person, receiver, id: body.id, secret: body.secret }
		},
		add: (person: TestAccount, { url = 'https://shop.example/hook', events = ALL_EVENTS } = {}) =>
			app.call(webhooks.create, { body: { url, events, currentPassword: person.password } }, person),
		/** Creates `count` events in one transaction, numbered from `first`. */
		happen(
			{ accountId }: TestAccount,
			count: number,
			{ first = 1, type = 'message.sent' }: { first?: number; type?: EventType } = {},
		) {
			const events = Array.from({ length: count }, (_, index) => ({
				type,
				at: new Date(),
				data: { number: first + index },
			}))
			return transaction(app.context.db, (sql) => recordEvents(sql, accountId, events))
		},
		deliver: () => queueDeliveries(app.context.db),
		addressesOf: async (person: TestAccount) => (await app.call(webhooks.addresses, {}, person)).body.addresses,
		deliveriesOf: async (person: TestAccount, id: string, query: PartIn<typeof webhooks.deliveries.query> = {}) =>
			(await app.call(webhooks.deliveries, { params: { id }, query }, person)).body,
	}
	return scene
}

export const accept: WebhookReceiver['answer'] = (response) => void response.writeHead(204).end()
export const refuse: WebhookReceiver['answer'] = (response) => void response.writeHead(503).end()
export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
/** Returns the numbers of the events that a receiver has accepted. */
export const numbersOf = (receiver: WebhookReceiver) => receiver.accepted().map(({ data }) => data.number)
