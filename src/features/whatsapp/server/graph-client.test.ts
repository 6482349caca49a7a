import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
	createSecureServer,
	type Http2SecureServer,
	type Http2ServerRequest,
	type Http2ServerResponse,
} from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { Pool } from 'undici'
import { trustedCertificate } from '#test/certificate.ts'
import { downloadMedia } from './cloud-api-media.ts'
import { collectReply, createCloudApi, type GraphReply } from './graph-client.ts'
import { downloadSample } from './sample-download.ts'

const CALLS = 60

interface Call {
	request: Http2ServerRequest
	response: Http2ServerResponse
	/** Of all calls so far, from 1. */
	number: number
	/** The connection below TLS. */
	socket: Socket
}

/** A server like Meta's, which offers HTTP/2; `answer` replaces the usual reply to a call, unless it returns false. */
async function startServer(t: TestContext, answer: (call: Call) => boolean | void = () => false) {
	const seen = { http2Sessions: 0, bodies: new Map<string, number>(), calls: 0 }
	const server: Http2SecureServer = createSecureServer({ ...(await trustedCertificate()), allowHTTP1: true })
	const sockets = new Map<number | undefined, Socket>()
	server.on('connection', (socket: Socket) => sockets.set(socket.remotePort, socket))
	server.on('session', () => seen.http2Sessions++)
	server.on('request', (request, response) => {
		let body = ''
		request.on('data', (chunk: Buffer) => (body += chunk.toString()))
		request.on('error', () => {})
		request.on('end', () => {
			seen.bodies.set(body, (seen.bodies.get(body) ?? 0) + 1)
			const socket = sockets.get(request.socket.remotePort) as Socket
			if (!answer({ request, response, number: ++seen.calls, socket })) response.end('{"ok":true}')
		})
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
	const api = createCloudApi({ url, version: 'v25.0' })
	t.after(async () => {
		await api.close()
		server.close()
	})
	return { seen, url, api }
}

type TestServer = Awaited<ReturnType<typeof startServer>>

/** Sends so many different messages at once; returns how often each was begun, and the replies. */
async function postAll({ api }: TestServer) {
	const begun = new Map<string, number>()
	const replies = await Promise.allSettled(
		Array.from({ length: CALLS }, (_, index) => {
			const body = `{"message":${index}}`
			const onStart = () => void begun.set(body, (begun.get(body) ?? 0) + 1)
			return api.request({ method: 'POST', path: '/1/messages', token: 'secret', body, onStart })
		}),
	)
	const answered = replies.filter(({ status }) => status === 'fulfilled').length
	return { begun, answered }
}

const most = (counts: Map<string, number>) => Math.max(...counts.values())

test('the Graph client and its downloads speak HTTP/1.1 to a server that offers HTTP/2', async (t) => {
	const server = await startServer(t)
	const { answered } = await postAll(server)
	assert.equal(answered, CALLS)
	const { signal } = new AbortController()
	const file = { url: `${server.url}/file`, token: 'secret', maxBytes: 100, signal }
	for await (const chunk of await downloadMedia(server.api, file)) assert.ok(chunk.length > 0)
	assert.equal(String(await downloadSample(server.api, `${server.url}/sample`, 100)), '{"ok":true}')
	assert.equal(server.seen.http2Sessions, 0)
})

const FAULTS: Record<string, (call: Call) => boolean> = {
	// What it has answered nevertheless, it says it has not begun.
	'retires the connection with GOAWAY': ({ request, number }) => {
		if (number === 10) request.stream?.session?.goaway(0, 1)
		return false
	},
	'resets every third connection after the request': ({ number, socket }) => {
		if (number % 3 !== 0) return false
		socket.resetAndDestroy()
		return true
	},
	'closes its side of every third connection without an answer': ({ number, socket }) => {
		if (number % 3 !== 0) return false
		socket.end()
		return true
	},
}

for (const [fault, answer] of Object.entries(FAULTS))
	test(`the Graph client sends no request twice when the server ${fault}`, async (t) => {
		const server = await startServer(t, answer)
		const { begun, answered } = await postAll(server)
		const lost = fault.includes('GOAWAY') ? 0 : CALLS / 3
		assert.equal(answered, CALLS - lost)
		assert.equal(most(begun), 1)
		assert.equal(most(server.seen.bodies), 1)
		assert.equal(server.seen.bodies.size, CALLS)
	})

test('the Graph client waits for the answer that follows interim ones', async (t) => {
	const server = await startServer(t, ({ response }) => {
		response.writeEarlyHints({ link: '</file>; rel=preload' })
		return false
	})
	const { begun, answered } = await postAll(server)
	assert.equal(answered, CALLS)
	assert.equal(most(begun), 1)
})

test('a request that its connection begins a second time fails without being sent again', async (t) => {
	// HTTP/2 alone makes undici begin a request twice: the server refuses each stream the first time.
	const refused = new Set<string>()
	const server = await startServer(t, ({ request, response, number }) => {
		const key = String(request.headers['x-name'])
		if (refused.has(key) || number > 3) return false
		refused.add(key)
		response.stream.close(7)
		return true
	})
	const pool = new Pool(server.url, { allowH2: true })
	t.after(() => pool.destroy())
	let begun = 0
	const reply = new Promise<GraphReply>((resolve, reject) => {
		const headers = { 'x-name': 'one' }
		pool.dispatch(
			{ method: 'POST', path: '/', headers, body: '{}' },
			collectReply({ onStart: () => begun++ }, { resolve, reject }),
		)
	})
	await assert.rejects(reply, /not sent again/)
	assert.equal(begun, 1)
	assert.equal(server.seen.bodies.get('{}'), 1)
})

test('a reply of more than 16 MB is refused and ends its connection, and one of 1 MB is read', async (t) => {
	const sizes = [1_000_000, 40_000_000]
	const { api } = await startServer(t, ({ response, number }) => {
		response.on('error', () => {})
		response.end(JSON.stringify('x'.repeat(sizes[number - 1] ?? 0)))
		return true
	})
	const ask = () => api.request({ method: 'GET', path: '/1', token: 't' })
	assert.deepEqual((await ask()).body, 'x'.repeat(1_000_000))
	await assert.rejects(ask(), /more than 16000000 bytes/)
})
