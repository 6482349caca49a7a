import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { Pool } from 'undici'
import { createTransport } from './transport.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
const BODY = 'HTTP/1.1 100 Continue, quoted'
const FINAL = `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

/** Starts a server that replies to each request with these bytes. */
async function startServer(t: TestContext, answer: string) {
	const server = createServer((socket) => {
		socket.on('error', () => {})
		socket.on('data', () => socket.write(answer))
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	const pool = new Pool(origin, { ...createTransport(), connections: 1, pipelining: 1 })
	t.after(async () => {
		await pool.destroy()
		server.close()
	})
	return pool
}

for (const [name, interim] of Object.entries({
	'no interim answer': '',
	'two answers of 100': CONTINUE + CONTINUE,
	'an answer of 103 and one of 100': HINTS + CONTINUE,
}))
	test(`a connection reads the final response that arrives in one piece after ${name}, and the next response`, async (t) => {
		const pool = await startServer(t, interim + FINAL)
		for (let each = 0; each < 2; each++) {
			const { statusCode, body } = await pool.request({ method: 'POST', path: '/', body: '{}' })
			assert.equal(statusCode, 200)
			assert.equal(await body.text(), BODY)
		}
	})

test('a request to an unreachable server fails with ECONNREFUSED', async (t) => {
	const refused = new Pool('http://127.0.0.1:1', createTransport())
	t.after(() => refused.destroy())
	await assert.rejects(refused.request({ method: 'GET', path: '/' }), { code: 'ECONNREFUSED' })
})
