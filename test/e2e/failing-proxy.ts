import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** GET requests of a page by path: true if answered after they had failed. */
export interface Readings {
	answered: ReadonlyMap<string, boolean>
	/** Returns the number of calls in progress. */
	inFlight(): number
}

export interface FailingProxy {
	origin: string
	/** Makes each GET request fail once more. */
	failAgain(): Readings
	close(): Promise<void>
}

interface Calls {
	answered: Map<string, boolean>
	running: number
}

/**
 * Starts a proxy to the product that answers 500 to each GET request the first time. Unlike Playwright's routes, it leaves the
 * browser its cache of scripts, without which a page takes twice as long.
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

/** Forwards the request to `target` and its answer back, both as streams. */
export function pass(target: string, incoming: IncomingMessage, answer: ServerResponse) {
	const { method, headers, url = '/' } = incoming
	const outgoing = forward(new URL(url, target), { method, headers }, (given) => {
		answer.writeHead(given.statusCode ?? 502, given.headers)
		// An event stream sends its headers before any data.
		answer.flushHeaders()
		given.pipe(answer)
	})
	outgoing.on('error', () => answer.destroy())
	answer.once('close', () => outgoing.destroy())
	incoming.pipe(outgoing)
}
