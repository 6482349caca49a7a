import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Text } from '#lib/fields.ts'
import { createLog } from '#lib/server/log.ts'
import { createTestSemaphores } from '#test/semaphores.ts'
import { createHttpServer } from '../http-server.ts'
import { mount } from '../http.ts'
import { excessOf, JsonCounter } from './json-body.ts'

const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
const names = (count: number) => Buffer.from(`{${Array(count).fill('"a":1').join(',')}}`)
const values = (count: number) => Buffer.from(`[${Array(count).fill('{}').join(',')}]`)
const numbers = (count: number) => JSON.stringify({ numbers: Array(count).fill('9876543210') })

test('JsonCounter counts the same wherever a text is cut, and ignores the content of strings', () => {
	const members = Array.from({ length: 10 }, (_, index) => `"n${index}\\"{[,:":["[[,:\\\\"]`)
	const bytes = Buffer.from(`{${members.join(',')}}`)
	for (const [limit, excess] of [
		[{ names: 10, values: 1000 }, null],
		[{ names: 9, values: 1000 }, 'size'],
		// Values: the object, one per brace, nine commas and ten lists.
		[{ names: 1000, values: 21 }, null],
		[{ names: 1000, values: 20 }, 'size'],
	] as const) {
		for (let cut = 0; cut < bytes.length; cut++) {
			const counter = new JsonCounter(limit)
			const first = counter.add(bytes.subarray(0, cut))
			assert.equal(first ?? counter.add(bytes.subarray(cut)), excess, `cut at ${cut}`)
		}
	}
})

test('excessOf returns an excess for a 33rd level, 250,001 names and 450,001 values', () => {
	assert.deepEqual([excessOf(nested(32)), excessOf(nested(33))], [null, 'depth'])
	assert.deepEqual([excessOf(names(249_990)), excessOf(names(250_001))], [null, 'size'])
	assert.deepEqual([excessOf(values(200_000)), excessOf(values(250_000))], [null, 'size'])
})

async function startServer(t: TestContext): Promise<string> {
	const http = await createHttpServer({
		log: createLog('silent'),
		findSession: async () => null,
		semaphores: createTestSemaphores(1),
		trustProxy: [],
	})
	t.after(() => http.close())
	const body = z.object({ numbers: z.array(Text(40)).check(z.maxLength(10_000)) })
	const response = z.object({ count: z.int() })
	mount(http, endpoint('POST /open', { access: 'public', body, response }), async (call) => ({
		count: call.body.numbers.length,
	}))
	mount(http, endpoint('POST /closed', { access: 'agent', body, response }), async () => ({ count: 0 }))
	return http.listen({ port: 0, host: '127.0.0.1' })
}

test('a body beyond its bounds is refused immediately and the connection stays open: 413 for bytes, names and values, 400 for depth', async (t) => {
	const url = await startServer(t)
	const post = async (body: string, path = '/open') => {
		const answer = await fetch(url + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body,
		})
		return [answer.status, ((await answer.json()) as { message?: string }).message]
	}
	const tooLarge = [413, 'This request is too large']
	assert.deepEqual(await post(numbers(10_000)), [200, undefined])
	const [status, message] = await post(numbers(10_001))
	assert.equal(status, 400)
	// Full sentences replace zod's short one when the product has been loaded.
	assert.match(String(message), /^numbers: (?:Invalid input|Too big)/)
	assert.deepEqual(await post(numbers(30_000)), tooLarge)
	assert.deepEqual(await post(`{"numbers":["${'9'.repeat(2e6)}"]}`), tooLarge)
	assert.deepEqual(await post(`{${Array.from({ length: 6000 }, (_, index) => `"n${index}":1`).join(',')}}`), tooLarge)
	assert.deepEqual(await post(`{"numbers":${'['.repeat(5e5)}`), [400, 'This request could not be read'])
	// An unknown address returns 404 for any body.
	assert.equal((await post('['.repeat(5e5), '/nowhere'))[0], 404)
})

test('a call that needs a session returns 401 to a caller without one before any of the body has arrived', async (t) => {
	const { port } = new URL(await startServer(t))
	for (const type of ['application/json', 'multipart/form-data; boundary=b', 'text/plain', 'application/x-unknown']) {
		const socket = connect(Number(port), '127.0.0.1')
		// The header announces a body that is never sent.
		socket.write(`POST /closed HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 16000000\r\n\r\n`)
		const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
		assert.match(await answered, /^HTTP\/1\.1 401 /, type)
		socket.destroy()
	}
})

test('a call without a body is served when it carries the content type of JSON', async (t) => {
	const socket = connect(Number(new URL(await startServer(t)).port), '127.0.0.1')
	socket.end(
		'POST /open HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n',
	)
	assert.match(await text(socket), /^HTTP\/1\.1 400 [^]*numbers: Invalid input/)
})
