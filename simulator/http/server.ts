import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Control } from '../control.ts'
import { callControl } from '../control/http.ts'
import { logBug } from '../error-log.ts'
import { NoResponse } from '../graph/call.ts'
import type { NetworkState } from '../network-state.ts'
import { answerPaymentCall, isPaymentCall, paymentCallName } from '../razorpay/api.ts'
import { answerPaymentPage, PAYMENT_PAGE_PATH } from '../razorpay/hosted-page.ts'
import { type Answer, gateway, type Received } from './answer.ts'
import { Connections } from './connections.ts'
import { answerGraph, callAt } from './graph.ts'
import { answerPhone, PHONES_PATH } from './phone.ts'

const MAX_BODY_BYTES = 105 * 1_024 * 1_024

/** Backlog of connections: many callers may each open a thousand connections in the same moment. */
const BACKLOG = 4_096

export interface Listener {
	url: string
	/** Closes all connections and refuses new ones until `forMs` have passed. */
	refuse(forMs: number): void
	close(): Promise<void>
}

/** Certificate and private key of the server for HTTPS, as PEM. */
export interface Certificate {
	key: string
	cert: string
}

const OPTIONS = { keepAliveTimeout: 65_000, requestTimeout: 0 }

/** Starts the server: over HTTP, or with a certificate over HTTPS, where clients may negotiate HTTP/2 as they may with Meta. */
export async function listen(
	state: NetworkState,
	control: Control,
	at: { port: number; host: string; certificate: Certificate | null },
): Promise<Listener> {
	const { load } = state
	const connections = new Connections(state.faults)
	const handle = (request: IncomingMessage, response: ServerResponse): void => {
		if (connections.isSilent(request)) return
		const exchange = { request, response, connections }
		if (isForPeople(request)) return receive(exchange, ({ url }) => answerPhone(state, url))
		if (isControlCall(request.url)) return receive(exchange, (received) => callControl(control, received))
		if (request.url?.startsWith(PAYMENT_PAGE_PATH))
			return receive(exchange, (received) => answerPaymentPage(state, received))
		if (isPaymentCall(request.url)) {
			const name = paymentCallName(request.method ?? 'GET', request.url ?? '/')
			if (!state.faults.isEmpty && connections.breakAfterHeaders(request, { name, phoneNumberId: null })) return
			return receive(exchange, (received) => answerPaymentCall(state, received))
		}
		load.changeCalls(1)
		if (request.httpVersionMajor === 2) load.countHttp2Call()
		response.once('close', () => load.changeCalls(-1))
		if (!state.faults.isEmpty && connections.breakAfterHeaders(request, callAt(state, request.url ?? '/'))) return
		receive(exchange, (received) => answerGraph(state, received))
	}
	const { certificate } = at
	const server = certificate
		? createSecureServer({ ...OPTIONS, ...certificate, allowHTTP1: true })
		: createServer(OPTIONS)
	// For HTTP/2, Node passes requests and responses of other classes with the same methods.
	server.on('request', handle)
	server.on('connection', (socket: Socket) => {
		load.changeConnections(1)
		connections.opened(socket)
		socket.once('close', () => load.changeConnections(-1))
	})
	await open(server, at)
	const { port } = server.address() as AddressInfo
	let reopening: NodeJS.Timeout | undefined
	const shut = async (): Promise<void> => {
		clearTimeout(reopening)
		const closed = new Promise((resolve) => server.close(resolve))
		connections.closeAll()
		await closed
	}
	const refuse = (forMs: number): void => {
		void shut()
		reopening = setTimeout(() => void open(server, { ...at, port }).catch(logBug), forMs)
	}
	return { url: `${certificate ? 'https' : 'http'}://${at.host}:${port}`, refuse, close: shut }
}

function open(server: Server | Http2SecureServer, at: { port: number; host: string }): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject)
		server.listen({ port: at.port, host: at.host, backlog: BACKLOG }, () => {
			server.off('error', reject)
			resolve()
		})
	})
}

function isForPeople({ method, url = '/' }: IncomingMessage): boolean {
	return method === 'GET' && url.split('?')[0] === PHONES_PATH
}

/** Returns true for a path under `/_simulator`. */
function isControlCall(url = '/'): boolean {
	return url.startsWith('/_simulator')
}

interface Exchange {
	request: IncomingMessage
	response: ServerResponse
	connections: Connections
}

function receive(exchange: Exchange, respond: (received: Received) => Answer | Promise<Answer>): void {
	const { request, response } = exchange
	const chunks: Buffer[] = []
	let bytes = 0
	request.on('data', (chunk: Buffer) => {
		chunks.push(chunk)
		bytes += chunk.length
		if (bytes > MAX_BODY_BYTES) request.destroy()
	})
	request.on('error', () => response.destroy())
	request.on('end', () => {
		const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
		const { method = 'GET', url = '/', headers } = request
		reply(exchange, () => respond({ method, url, headers, body }))
	})
}

// Sends the result of `respond`. A synchronous result is sent without a promise, because every message would pay for one.
function reply({ response, connections }: Exchange, respond: () => Answer | Promise<Answer>): void {
	const fail = (error: unknown) => {
		if (error instanceof NoResponse && error.kind === 'drop') response.destroy()
		const answer = answerToError(error)
		if (answer) connections.send(response, answer)
	}
	try {
		const answer = respond()
		if (!(answer instanceof Promise)) return connections.send(response, answer)
		answer.then((late) => connections.send(response, late), fail)
	} catch (error) {
		fail(error)
	}
}

/** Returns the answer to an error, or null if a fault withholds the answer. */
function answerToError(error: unknown): Answer | null {
	if (error instanceof NoResponse) return error.kind === 'server-error' ? gateway(error.status) : null
	// A fault of the simulator itself: logged, and answered in a form that callers cannot mistake for an answer of Meta.
	logBug(error)
	return gateway(500)
}
