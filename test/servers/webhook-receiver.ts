import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ReceivedEvent {
	id: string
	type: string
	at: string
	data: Record<string, unknown>
}

export interface ReceivedDelivery {
	headers: IncomingHttpHeaders
	body: string
	events: ReceivedEvent[]
}

export interface WebhookReceiver {
	url: string
	/** Every request, including refused ones. */
	received: ReceivedDelivery[]
	/** Returns the accepted events in the order of their arrival. */
	accepted(): ReceivedEvent[]
	/** Answers the following requests; 204 by default. */
	answer: (response: ServerResponse) => void
	close(): void
}

const ACCEPT = (response: ServerResponse) => void response.writeHead(204).end()

/** Starts a shop's system, which receives events. */
export async function startReceiver(): Promise<WebhookReceiver> {
	const received: ReceivedDelivery[] = []
	const accepted: ReceivedEvent[] = []
	const server = createServer((request, response) => {
		const receive = (bytes: Buffer) => {
			const body = bytes.toString()
			const { events } = JSON.parse(body) as { events: ReceivedEvent[] }
			received.push({ headers: request.headers, body, events })
			receiver.answer(response)
			if (response.statusCode < 300 && response.writableEnded) accepted.push(...events)
		}
		// A product that is killed breaks its delivery off.
		void buffer(request).then(receive, () => {})
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const receiver: WebhookReceiver = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		received,
		accepted: () => accepted,
		answer: ACCEPT,
		close() {
			server.closeAllConnections()
			server.close()
		},
	}
	return receiver
}
