import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Http } from '../http.ts'

/** Milliseconds in which the body of any request may arrive. */
const BASE_MS = 120_000
/** Bytes that must arrive for each further second: 300 MB may take five hours. */
const BYTES_PER_SECOND = 16 * 1024

/**
 * Ends requests whose body arrives too slowly, with a 408. A limit of the whole time would end large uploads over slow lines;
 * without a limit, a body that never ends would keep its connection open for ever.
 */
export function endSlowBodies(http: Http, baseMs: number = BASE_MS): void {
	// Node derives the limit of the headers from that of the whole request, which is off.
	http.server.headersTimeout = Math.min(60_000, baseMs)
	http.server.on('request', (request, answer) => {
		const { headers } = request
		if (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding']) watch(request, answer, baseMs)
	})
}

/** Bytes that a connection had received when its last body ended. A body may begin in the packet of its headers. */
const bytesBefore = new WeakMap<Socket, number>()

function watch(request: IncomingMessage, answer: ServerResponse, baseMs: number): void {
	const { socket } = request
	const startedAtMs = performance.now()
	const startBytes = bytesBefore.get(socket) ?? 0
	const check = () => {
		if (request.complete || socket.destroyed) return
		const allowedMs = baseMs + ((socket.bytesRead - startBytes) / BYTES_PER_SECOND) * 1000
		const leftMs = startedAtMs + allowedMs - performance.now()
		if (leftMs > 0) timer = setTimeout(check, leftMs).unref()
		else if (answer.headersSent) socket.destroy()
		else socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => socket.destroy())
	}
	let timer = setTimeout(check, baseMs).unref()
	request.once('close', () => {
		clearTimeout(timer)
		bytesBefore.set(socket, socket.bytesRead)
	})
}
