import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { tooManyAttempts, problem } from '#lib/problems.ts'
import { createTestSemaphores } from '#test/semaphores.ts'
import type { AccountId } from '../db.ts'
import { createLog } from '../log.ts'
import { createHttpServer } from './http-server.ts'
import { mount, type Session } from './http.ts'
import { securityLog, type SecurityEntry } from './security-log.ts'

const ADMIN: Session = {
	userId: 7,
	role: 'admin',
	seat: 'owner',
	accountId: 70 as AccountId,
	tokenHash: Buffer.alloc(32),
}
const USER: Session = { ...ADMIN, userId: 8, role: 'user', accountId: 80 as AccountId }
const SESSIONS: Record<string, Session> = { 'admin-token': ADMIN, 'user-token': USER }

/** Starts a server with one route for each logged event. `lines()` returns the entries of the security log. */
async function startServer(t: TestContext, { level = 'info', trustProxy = ['loopback'] } = {}) {
	const written: string[] = []
	const log = createLog(level, { write: (line) => void written.push(line) })
	const http = await createHttpServer({
		log,
		trustProxy,
		findSession: async (token) => SESSIONS[token] ?? null,
		semaphores: createTestSemaphores(10),
	})
	const given: { entry: SecurityEntry } = { entry: { event: 'sign-in.failed' } }
	const path = { method: 'POST', response: {} as never } as const
	http.post('/write', (request) => {
		securityLog(request, given.entry)
		return {}
	})
	http.get('/throttled', () => {
		throw tooManyAttempts(3)
	})
	mount(http, { ...path, path: '/admin/{id}', access: 'admin', response: { file: 'text/plain' } }, async () => ({
		filename: 'a.txt',
		content: Buffer.from('a'),
	}))
	mount(http, { ...path, path: '/chats/{number}', access: 'admin', response: { file: 'text/plain' } }, async () => ({
		filename: 'a.txt',
		content: Buffer.from('a'),
	}))
	mount(http, { ...path, path: '/refused', access: 'signed-in', response: { file: 'text/plain' } }, async () => {
		throw problem('forbidden')
	})
	const url = await http.listen({ host: '127.0.0.1', port: 0 })
	t.after(() => http.close())
	const send = (address: string, headers: Record<string, string> = {}, method = 'POST') =>
		fetch(url + address, { method, headers })
	const lines = () =>
		written.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.security === true)
	return { http, send, lines, given, written }
}

const as = (token: string) => ({ authorization: `Bearer ${token}` })

test('securityLog writes event, user, account, address, route and the request id that the answer carries', async (t) => {
	const { send, lines, given } = await startServer(t)
	given.entry = { event: 'sign-in.failed', userId: 9, account: 90 as AccountId, reason: 'wrong password' }
	const answer = await send('/write', { 'x-forwarded-for': '198.51.100.7' })
	const [line] = lines()
	const { time: _time, pid: _pid, hostname: _hostname, ...said } = line ?? {}
	assert.deepEqual(said, {
		level: 40,
		security: true,
		event: 'sign-in.failed',
		reqId: answer.headers.get('x-request-id'),
		user: 9,
		account: 90,
		address: '198.51.100.7',
		method: 'POST',
		route: '/write',
		reason: 'wrong password',
	})
})

test('securityLog writes at LOG_LEVEL error, and writes nothing to a silent log', async (t) => {
	const [loud, silent] = [await startServer(t, { level: 'error' }), await startServer(t, { level: 'silent' })]
	for (const { send } of [loud, silent]) await send('/write')
	assert.deepEqual([loud.lines().length, silent.lines().length], [1, 0])
})

test('the security log names the caller, as far as known, for an unknown token, a missing role, a 403 and a 429', async (t) => {
	const { send, lines } = await startServer(t)
	await send('/refused', as('stolen-and-expired'))
	await send('/refused')
	await send('/admin/12', as('user-token'))
	await send('/refused', as('user-token'))
	await send('/throttled', {}, 'GET')
	assert.deepEqual(
		lines().map(({ event, user, account, route, target }) => ({ event, user, account, route, target })),
		[
			{ event: 'access.denied', user: undefined, account: undefined, route: '/refused', target: undefined },
			{ event: 'access.denied', user: 8, account: 80, route: '/admin/:id', target: '12' },
			{ event: 'access.denied', user: 8, account: 80, route: '/refused', target: undefined },
			{ event: 'throttled', user: undefined, account: undefined, route: '/throttled', target: undefined },
		],
	)
})

test('the security log omits a phone number in the path', async (t) => {
	const { send, lines, written } = await startServer(t)
	await send('/chats/919876543210', as('user-token'))
	assert.deepEqual(
		lines().map(({ event, user, route }) => ({ event, user, route })),
		[{ event: 'access.denied', user: 8, route: '/chats/:number' }],
	)
	assert.ok(!written.join('').includes('9876543210'))
})

test('the security log names the user whom an admin’s change concerns', async (t) => {
	const { send, lines } = await startServer(t)
	assert.equal((await send('/admin/12', as('admin-token'))).status, 200)
	const [line] = lines()
	assert.deepEqual([line?.event, line?.user, line?.target], ['admin.acted', 7, '12'])
})

test('securityLog masks a typed address, cuts long texts, and replaces line breaks and control characters', async (t) => {
	const { send, lines, given, written } = await startServer(t)
	const forged = `x\n{"security":true,"event":"sign-in.succeeded"}\r\u001b[2J\u202e`
	given.entry = {
		event: 'sign-in.failed',
		email: `secret.name@example.com${forged}`,
		reason: forged + 'y'.repeat(5000),
	}
	await send(`/write?${encodeURIComponent(forged)}`, { 'x-request-id': 'a b' })
	const [line] = lines()
	assert.equal(lines().length, 1)
	assert.match(String(line?.email), /^s•••@example\.comx\?/)
	assert.ok(String(line?.reason).length <= 100)
	const [text = ''] = written
	assert.match(text, /^[^\p{Cc}\p{Cf}]+\n$/u)
	assert.ok(!text.includes('secret.name') && text.length < 1000)
})

test('a flood of equal denials becomes two lines with their count, and hides no other event', async (t) => {
	const { http, send, lines, given } = await startServer(t)
	for (let n = 0; n < 50; n++) await send('/refused', as('guess'))
	given.entry = { event: 'sign-in.succeeded', userId: 9 }
	await send('/write')
	await http.close()
	const denials = lines().filter(({ event }) => event === 'access.denied')
	assert.deepEqual(
		denials.map(({ repeats }) => repeats),
		[undefined, 49],
	)
	assert.ok(lines().some(({ event, user }) => event === 'sign-in.succeeded' && user === 9))
})

test('a flood of denials from 2,000 addresses writes 500 lines and the number of the others', async (t) => {
	const { http, lines } = await startServer(t)
	for (let n = 0; n < 2000; n++) {
		const address = `198.18.${n >> 8}.${n & 255}`
		http.securityLines.add('access.denied', { event: 'access.denied', address, method: 'GET', route: '/a' }, {})
	}
	await http.close()
	assert.equal(lines().length, 501)
	assert.deepEqual([lines().at(-1)?.event, lines().at(-1)?.repeats], ['access.denied', 1500])
})

test('a request keeps the X-Request-Id of a trusted proxy when it is well-formed, and gets a new one otherwise', async (t) => {
	const [near, distant] = [await startServer(t), await startServer(t, { trustProxy: ['10.0.0.5'] })]
	const idFor = async (server: typeof near, id: string) =>
		(await server.send('/nowhere', { 'x-request-id': id })).headers.get('x-request-id')
	assert.equal(await idFor(near, 'from-the.proxy_01'), 'from-the.proxy_01')
	for (const wrong of ['short', 'two words here', 'x'.repeat(65)]) {
		assert.match((await idFor(near, wrong)) ?? '', /^[0-9a-f-]{36}$/)
	}
	assert.match((await idFor(distant, 'from-the.proxy_01')) ?? '', /^[0-9a-f-]{36}$/)
	assert.notEqual(await idFor(near, 'short'), await idFor(near, 'short'))
})
