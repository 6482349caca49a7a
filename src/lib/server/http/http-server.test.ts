import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import * as z from 'zod/mini'
import { problemsOf } from '#lib/app-error.ts'
import { endpoint } from '#lib/endpoint.ts'
import { createTestSemaphores } from '#test/semaphores.ts'
import { until } from '#test/until.ts'
import type { AccountId } from '../db.ts'
import { createLog } from '../log.ts'
import { createHttpServer } from './http-server.ts'
import { mount, type Http } from './http.ts'

/** Limit for a stop in milliseconds, far below the keep-alive timeout of a connection. */
const MAX_STOP_MS = 10_000

/**
 * Returns a server whose fair semaphores allow each account one call of each kind and no waiting call. A token is its account's
 * number.
 */
function createServer({ log = createLog('silent'), trustProxy = [] as string[] } = {}): Promise<Http> {
	return createHttpServer({
		log,
		findSession: async (token) => ({
			userId: Number(token),
			role: 'user',
			seat: 'owner',
			accountId: Number(token) as AccountId,
			tokenHash: Buffer.alloc(32),
		}),
		semaphores: createTestSemaphores(1),
		trustProxy,
	})
}

const problem = problemsOf({ too_slow: { status: 503, text: 'This takes too long' } })

test(
	'a server that stops during an answer completes the answer, then closes the connection',
	{ timeout: MAX_STOP_MS },
	async (t) => {
		const http = await createServer()
		const rest = Promise.withResolvers<string>()
		http.get('/slow', (_request, reply) => {
			reply.hijack()
			reply.raw.writeHead(200, { 'content-length': '4' }).write('al')
			void rest.promise.then((end) => reply.raw.end(end))
		})
		const url = await http.listen({ port: 0, host: '127.0.0.1' })
		const agent = new Agent({ keepAlive: true })
		t.after(() => agent.destroy())
		const [answer] = (await once(get(`${url}/slow`, { agent }), 'response')) as [IncomingMessage]
		const closed = http.close()
		setTimeout(rest.resolve, 200, 'so')
		assert.equal(await text(answer), 'also')
		await closed
	},
)

test('a call returns 429 with Retry-After beyond the limit of its account, while another account and another kind of call are served', async (t) => {
	const http = await createServer()
	const calls = Promise.withResolvers<void>()
	const response = z.object({ ok: z.boolean() })
	const handle = async () => {
		await calls.promise
		return { ok: true }
	}
	mount(http, endpoint('GET /plain', { access: 'agent', response }), handle)
	mount(http, endpoint('GET /heavy', { access: 'agent', effort: 'heavy', response }), handle)
	const url = await http.listen({ port: 0, host: '127.0.0.1' })
	t.after(() => http.close())
	const ask = (path: string, token: string) => fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
	const begun = [ask('/plain', '1'), ask('/plain', '2'), ask('/heavy', '1')]
	await until(async () => (await ask('/plain', '1')).status === 429)
	const refused = await ask('/plain', '1')
	assert.equal(refused.status, 429)
	assert.equal(refused.headers.get('retry-after'), '5')
	calls.resolve()
	for (const answer of await Promise.all(begun)) assert.equal(answer.status, 200)
	assert.equal((await ask('/plain', '1')).status, 200)
})

test('an export keeps its permit until its last byte is sent, and returns it when its reader disconnects', async (t) => {
	const http = await createServer()
	const files: PassThrough[] = []
	const shape = endpoint('GET /export', { access: 'agent', effort: 'export', response: { file: 'text/csv' } })
	mount(http, shape, async () => {
		const content = new PassThrough()
		files.push(content)
		content.write('a,b\n')
		return { filename: 'list.csv', content }
	})
	const url = await http.listen({ port: 0, host: '127.0.0.1' })
	t.after(() => http.close())
	const ask = (signal?: AbortSignal) =>
		fetch(`${url}/export`, {
			headers: { authorization: 'Bearer 1', 'accept-encoding': 'identity' },
			...(signal && { signal }),
		})
	const first = await ask()
	assert.equal((await ask()).status, 429)
	files[0]?.end('c,d\n')
	assert.equal(await first.text(), 'a,b\nc,d\n')
	const leaving = new AbortController()
	await until(async () => (await ask(leaving.signal)).status === 200)
	assert.equal((await ask()).status, 429)
	leaving.abort()
	await until(async () => (await ask()).status === 200)
	for (const file of files) file.destroy()
})

test('an answer holds no field that its contract does not name, on any level', async (t) => {
	const http = await createServer()
	t.after(() => http.close())
	const response = z.object({ user: z.object({ name: z.string() }) })
	const row = { user: { name: 'Asha', passwordHash: 'hidden' }, secret: 'hidden' }
	mount(http, endpoint('GET /mine', { access: 'public', response }), async () => row)
	assert.deepEqual((await http.inject({ url: '/mine' })).json(), { user: { name: 'Asha' } })
})

test('a file’s Content-Disposition keeps a name of any characters, and the name adds no header line', async (t) => {
	const http = await createServer()
	t.after(() => http.close())
	const response = { file: 'text/plain' }
	mount(http, endpoint('GET /file', { access: 'public', response }), async () => ({
		filename: 'offer "₹1"\r\nset-cookie: a=b.txt',
		content: Buffer.from('a'),
	}))
	const { headers } = await http.inject({ url: '/file' })
	assert.equal(headers['set-cookie'], undefined)
	assert.equal(
		headers['content-disposition'],
		`attachment; filename="offer __1___set-cookie: a=b.txt"; filename*=UTF-8''offer%20%22%E2%82%B91%22%0D%0Aset-cookie%3A%20a%3Db.txt`,
	)
})

test('a failed call is logged with the request id of a trusted proxy, and its answer carries that id', async (t) => {
	const lines: string[] = []
	const http = await createServer({
		log: createLog('error', { write: (line) => void lines.push(line) }),
		trustProxy: ['loopback'],
	})
	t.after(() => http.close())
	http.get('/broken', () => {
		throw new Error('The disk is gone')
	})
	const answer = await http.inject({ url: '/broken', headers: { 'x-request-id': '5f3a9c1e-77b2d0aa' } })
	assert.deepEqual([answer.statusCode, answer.headers['x-request-id']], [500, '5f3a9c1e-77b2d0aa'])
	// The body has no message, so that each screen says which of its actions failed.
	assert.deepEqual(answer.json(), {})
	const [line, ...more] = lines.map((logged) => JSON.parse(logged) as { reqId: string; error: { message: string } })
	assert.deepEqual([line?.reqId, line?.error.message, more.length], ['5f3a9c1e-77b2d0aa', 'The disk is gone', 0])
})

test('an intended 503 is logged as a warning without a trace, and equal failures within ten seconds as one line with their count', async () => {
	const lines: string[] = []
	const http = await createServer({ log: createLog('warn', { write: (line) => void lines.push(line) }) })
	http.get('/refused', () => {
		throw problem('too_slow')
	})
	http.get('/broken', () => {
		throw new Error('The disk is gone')
	})
	for (const url of ['/refused', '/broken', '/refused', '/broken', '/broken']) await http.inject({ url })
	// The counts are written after ten seconds or when the server closes.
	await http.close()
	const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
	assert.deepEqual(
		logged.map(({ level, msg, url, message, error, repeats = 1 }) => [level, msg, url, message, !!error, repeats]),
		[
			[40, 'call refused', '/refused', 'This takes too long', false, 1],
			[50, 'call failed', '/broken', 'The disk is gone', true, 1],
			[40, 'call refused', '/refused', 'This takes too long', false, 1],
			[50, 'call failed', '/broken', 'The disk is gone', false, 2],
		],
	)
})
