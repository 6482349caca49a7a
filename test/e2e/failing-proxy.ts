import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The readings of a page: whether each was answered after it had failed. */
export interface Readings {
	answered: ReadonlyMap<string, boolean>
	/** The number of calls in progress. */
	inFlight(): number
}

export interface FailingProxy {
	origin: string
	/** From now on each reading fails once more. */
	failAgain(): Readings
	close(): Promise<void>
}

interface Calls {
	answered: Map<string, boolean>
	running: number
}

/**
 * Leads to the product, and answers 500 to each reading the first time. Unlike calls that Playwright answers, those through
 * it leave the browser its cache of scripts, without which a page takes twice as long.
 */
export async function startFailingProxy(target: string): Promise<FailingProxy> {
	let calls: Calls = { answered: new Map(), running: 0 }
	const server = createServer((incoming, answer) => {
		if (/^\/api\/(?!events)/.test(incoming.url ?? '')) {
			const counted = calls
			counted.running++
			answer.once('close', () => counted.running--)
			if (failsNow(incoming, counted)) return fail(incoming, answer)
		}
		pass(target, incoming, answer)
	})
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		failAgain() {
			const counted: Calls = { answered: new Map(), running: 0 }
			calls = counted
			return { answered: counted.answered, inFlight: () => counted.running }
		},
		async close() {
			server.closeAllConnections()
			await new Promise((resolve) => server.close(resolve))
		},
	}
}

function failsNow({ url = '', method }: IncomingMessage, { answered }: Calls): boolean {
	const isReading = method === 'GET' || /^[^?]*\/estimate(\?|$)/.test(url)
	if (!isReading) return false
	const isFirst = !answered.has(url)
	answered.set(url, !isFirst)
	return isFirst
}

function fail(incoming: IncomingMessage, answer: ServerResponse) {
	incoming.resume()
	answer.writeHead(500, { 'content-type': 'application/json' }).end('{}')
}

/** Sends the request on to `target`, and its answer back, both as streams. */
export function pass(target: string, incoming: IncomingMessage, answer: ServerResponse) {
	const { method, headers, url = '/' } = incoming
	const outgoing = forward(new URL(url, target), { method, headers }, (given) => {
		answer.writeHead(given.statusCode ?? 502, given.headers)
		// A stream of events begins with its headers alone.
		answer.flushHeaders()
		given.pipe(answer)
	})
	outgoing.on('error', () => answer.destroy())
	answer.once('close', () => outgoing.destroy())
	incoming.pipe(outgoing)
}
