import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import {
	createSecureServer,
	type Http2SecureServer,
	type Http2ServerRequest,
	type Http2ServerResponse,
} from 'node:http2'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { Pool } from 'undici'
import type { Fault } from '#simulator/network/faults.ts'
import { HELLO, startScene } from '#simulator/test-scene.ts'
import { trustedCertificate } from '#test/servers/certificate.ts'
import { downloadMedia, downloadSample } from './cloud-api-media.ts'
import { collectResponse, createCloudApi, type GraphResponse } from './graph-client.ts'

const CALLS = 60

interface Call {
	request: Http2ServerRequest
	response: Http2ServerResponse
	/** Number of the call, from 1. */
	number: number
}

/**
 * Starts a server that offers HTTP/2, as Meta's does. `answer` replaces the usual reply to a call, unless it returns
 * false.
 */
async function startServer(t: TestContext, answer: (call: Call) => boolean | void = () => false) {
	const seen = { http2Sessions: 0, bodies: new Map<string, number>(), calls: 0 }
	const server: Http2SecureServer = createSecureServer({ ...(await trustedCertificate()), allowHTTP1: true })
	server.on('session', () => seen.http2Sessions++)
	server.on('request', (request, response) => {
		let body = ''
		request.on('data', (chunk: Buffer) => (body += chunk.toString()))
		request.on('error', () => {})
		request.on('end', () => {
			seen.bodies.set(body, (seen.bodies.get(body) ?? 0) + 1)
			if (!answer({ request, response, number: ++seen.calls })) response.end('{"ok":true}')
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

test('the Graph client and its downloads use HTTP/1.1 with a server that offers HTTP/2', async (t) => {
	const server = await startServer(t)
	const { status } = await server.api.request({ method: 'POST', path: '/1/messages', token: 'secret', body: '{}' })
	assert.equal(status, 200)
	const { signal } = new AbortController()
	const file = { url: `${server.url}/file`, token: 'secret', maxBytes: 100, signal }
	for await (const chunk of await downloadMedia(server.api, file)) assert.ok(chunk.length > 0)
	assert.equal(String(await downloadSample(server.api, `${server.url}/sample`, 100)), '{"ok":true}')
	assert.equal(server.seen.http2Sessions, 0)
})

/**
 * Sends `CALLS` messages at once to a simulator with the given fault. Returns the number of answered and of started
 * requests.
 */
async function sendAll(t: TestContext, fault: Fault) {
	const { url, control, account } = await startScene(t, { certificate: await trustedCertificate() })
	const api = createCloudApi({ url, version: 'v25.0' })
	t.after(() => api.close())
	await control.addFault(fault)
	let begun = 0
	const replies = await Promise.allSettled(
		Array.from({ length: CALLS }, (_, index) => {
			const message = { to: `+91${9_800_000_000 + index}`, biz_opaque_callback_data: `m${index}` }
			const body = JSON.stringify({ messaging_product: 'whatsapp', type: 'template', template: HELLO, ...message })
			const path = `/${account.phone_number_id}/messages`
			return api.request({ method: 'POST', path, token: account.access_token, body, onStart: () => begun++ })
		}),
	)
	const answered = replies.filter((reply) => reply.status === 'fulfilled' && reply.value.status === 200).length
	const { accepted, duplicates } = await control.counters()
	const [applied] = await control.appliedFaults()
	return {
		answered,
		begun,
		accepted,
		duplicates,
		applied: applied?.times,
		http2Calls: (await control.loadStats()).http2_calls,
	}
}

const SOUND = { answered: CALLS, begun: CALLS, accepted: CALLS, duplicates: [], http2Calls: 0 }
const HARMED = CALLS / 3

for (const by of ['reset', 'half-close'] as const)
	for (const after of ['headers', 'request', 'half the answer'] as const)
		test(`the Graph client sends no request twice when the server breaks connections (${by}, after ${after})`, async (t) => {
			const accepted = after === 'headers' ? CALLS - HARMED : CALLS
			assert.deepEqual(await sendAll(t, { kind: 'break', by, after, times: HARMED }), {
				...SOUND,
				answered: CALLS - HARMED,
				accepted,
				applied: HARMED,
			})
		})

for (const status of [100, 103] as const)
	test(`the Graph client waits for the final response after an interim ${status}`, async (t) => {
		assert.deepEqual(await sendAll(t, { kind: 'interim', status }), { ...SOUND, applied: CALLS })
	})

test('the Graph client sends no request twice when the server retires connections', async (t) => {
	assert.deepEqual(await sendAll(t, { kind: 'retire', times: HARMED }), { ...SOUND, applied: HARMED })
})

for (const [by, end] of Object.entries({
	reset: (socket: Socket) => socket.resetAndDestroy(),
	'half-close': (socket: Socket) => socket.end(),
}))
	test(`a request fails without having started when its connection ends by ${by} in the TLS handshake`, async (t) => {
		const server = createServer(end).listen(0, '127.0.0.1')
		await once(server, 'listening')
		const api = createCloudApi({
			url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
			version: 'v25.0',
		})
		t.after(async () => {
			await api.close()
			server.close()
		})
		let begun = 0
		const request = { method: 'POST', path: '/1/messages', token: 'secret', body: '{}' } as const
		await assert.rejects(api.request({ ...request, onStart: () => begun++ }), { code: 'ECONNRESET' })
		assert.equal(begun, 0)
	})

test('a request fails without being repeated when its connection starts it a second time', async (t) => {
	// Only HTTP/2 makes undici start a request twice: the server refuses each stream the first time.
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
	const reply = new Promise<GraphResponse>((resolve, reject) => {
		const headers = { 'x-name': 'one' }
		pool.dispatch(
			{ method: 'POST', path: '/', headers, body: '{}' },
			collectResponse({ onStart: () => begun++ }, { resolve, reject }),
		)
	})
	await assert.rejects(reply, /not sent again/)
	assert.equal(begun, 1)
	assert.equal(server.seen.bodies.get('{}'), 1)
})

test('the Graph client aborts a response over 16 MB and closes the connection, and reads one of 1 MB', async (t) => {
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

for (const [what, start, drip] of [
	['bytes of its body', 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{', ' '],
	['interim answers', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
] as const)
	test(`the Graph client aborts a response after a minute when ${what} keep arriving without an end`, async (t) => {
		const dripped = new EventEmitter()
		const server = createServer((socket) => {
			socket
				.on('error', () => {})
				.once('data', () => {
					socket.write(start)
					const timer = setInterval(() => socket.write(drip, () => dripped.emit('drip')), 5)
					socket.on('close', () => clearInterval(timer))
				})
		}).listen(0, '127.0.0.1')
		await once(server, 'listening')
		const api = createCloudApi({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, version: 'v25.0' })
		t.after(async () => {
			await api.close()
			server.close()
		})
		t.mock.timers.enable({ apis: ['setTimeout'] })
		let isOver = false
		const call = api.request({ method: 'GET', path: '/1', token: 't' }).finally(() => (isOver = true))
		const refused = assert.rejects(call, /did not end its answer within 60000 ms/)
		for (let tens = 0; tens < 6; tens++) {
			for (let drips = 0; drips < 3; drips++) await once(dripped, 'drip')
			assert.equal(isOver, false, `after ${tens * 10} s`)
			t.mock.timers.tick(10_000)
		}
		// The timer may have started after the first tick, when the first bytes were read late.
		t.mock.timers.tick(10_000)
		await refused
	})
