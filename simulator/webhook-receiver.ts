import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Status {
	id: string
	status: string
	timestamp: string
	recipient_id: string
	biz_opaque_callback_data?: string
	pricing?: { category: string; type: string; pricing_model: string; billable?: boolean }
	conversation?: { id: string; expiration_timestamp: string }
	errors?: { code: number; error_data: { details: string } }[]
}

export interface Change {
	field: string
	value: Record<string, unknown> & { statuses?: Status[]; messages?: Record<string, unknown>[] }
}

export interface Delivery {
	text: string
	headers: IncomingHttpHeaders
	entries: { id: string; changes: Change[] }[]
	/** HTTP status that the receiver answered with. */
	answered: number
}

export interface Receiver {
	url: string
	deliveries: Delivery[]
	/** Sets the function that chooses the status for the next deliveries; 200 by default. */
	answerWith(answer: (text: string) => number): void
	/** Returns the changes in deliveries answered with 200, in order of arrival. */
	changes(field?: string): Change[]
	statuses(): Status[]
	close(): Promise<void>
}

const VERIFY_TOKEN = 'verify-me'
const takeAll: (text: string) => number = () => 200

/** Starts a webhook endpoint that records its deliveries. Its verify token is `verify-me`. */
export async function startReceiver(): Promise<Receiver> {
	const deliveries: Delivery[] = []
	let answer = takeAll
	const server = createServer((request, response) => {
		if (request.method === 'GET') {
			const query = new URL(request.url ?? '/', 'http://receiver').searchParams
			const known = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === VERIFY_TOKEN
			response.writeHead(known ? 200 : 403).end(known ? query.get('hub.challenge') : 'no')
			return
		}
		const chunks: Buffer[] = []
		request.on('data', (chunk: Buffer) => chunks.push(chunk))
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString('latin1')
			const answered = answer(text)
			const { entry } = JSON.parse(text) as { entry: Delivery['entries'] }
			deliveries.push({ text, headers: request.headers, entries: entry, answered })
			response.writeHead(answered).end()
		})
	})
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
	const changes = (field = 'messages'): Change[] => {
		const taken = deliveries.filter((delivery) => delivery.answered === 200)
		const all = taken.flatMap((delivery) => delivery.entries).flatMap((entry) => entry.changes)
		return all.filter((change) => change.field === field)
	}
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		deliveries,
		answerWith: (given) => {
			answer = given
		},
		changes,
		statuses: () => changes().flatMap((change) => change.value.statuses ?? []),
		close: async () => {
			const closed = new Promise((resolve) => server.close(resolve))
			server.closeAllConnections()
			await closed
		},
	}
}
