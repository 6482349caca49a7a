import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { trustedCertificate } from '#test/servers/certificate.ts'
import { until } from '#test/until.ts'
import { HELLO, type Scene, startScene } from './test-scene.ts'

/** Time within which an answer arrives over a connection that is not silent. */
const SILENCE_MS = 150

function messageOf({ account }: Scene) {
	const path = `/v25.0/${account.phone_number_id}/messages`
	const content = { type: 'template', template: HELLO, biz_opaque_callback_data: 'm1' }
	const body = JSON.stringify({ messaging_product: 'whatsapp', to: '+919811111111', ...content })
	return { path, body, authorization: `Bearer ${account.access_token}` }
}

/** Opens a connection that stays open on the client's side after the server has ended its own. */
function open(t: TestContext, scene: Scene) {
	const socket = connect({ port: Number(new URL(scene.url).port), host: '127.0.0.1', allowHalfOpen: true })
	t.after(() => socket.destroy())
	const { path, body, authorization } = messageOf(scene)
	const seen = { text: '', ending: 'none' as 'none' | 'half-close' | 'reset' }
	socket.on('data', (chunk: Buffer) => (seen.text += chunk.toString()))
	socket.on('end', () => (seen.ending = 'half-close'))
	socket.on('error', () => (seen.ending = 'reset'))
	const post = () => socket.write(requestText(path, { authorization, body }))
	return { socket, seen, post }
}

function requestText(path: string, { authorization, body }: { authorization: string; body: string }): string {
	const headers = ['host: 127.0.0.1', `authorization: ${authorization}`, `content-length: ${body.length}`]
	return [`POST ${path} HTTP/1.1`, ...headers, '', body].join('\r\n')
}

const POINTS = {
	headers: { accepted: 0, answer: /^$/ },
	request: { accepted: 1, answer: /^$/ },
	'half the answer': {
		accepted: 1,
		answer: /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\{"messaging_product"(?!.*message_status)/,
	},
	answer: { accepted: 1, answer: /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\{"messaging_product".*message_status.*\}$/ },
} as const
const ENDINGS = { reset: 'reset', 'half-close': 'half-close', silence: 'none' } as const

for (const after of Object.keys(POINTS) as (keyof typeof POINTS)[])
	for (const by of Object.keys(ENDINGS) as (keyof typeof ENDINGS)[])
		test(`a break by ${by} after ${after} leaves the next connection whole`, async (t) => {
			const scene = await startScene(t)
			await scene.control.addFault({ kind: 'break', by, after, times: 1 })
			const { socket, seen, post } = open(t, scene)
			post()
			await until(async () => (await scene.control.appliedFaults()).length > 0)
			await until(() => seen.ending === ENDINGS[by] && POINTS[after].answer.test(seen.text))
			if (by === 'silence') {
				post()
				await sleep(SILENCE_MS)
				assert.match(seen.text, POINTS[after].answer)
			}
			assert.equal(isOpenForWriting(socket), by !== 'reset')
			assert.equal(await scene.control.acceptedWith('m1'), POINTS[after].accepted)
			assert.equal((await scene.send()).status, 200)
			const [applied] = await scene.control.appliedFaults()
			assert.deepEqual(applied, { fault: { kind: 'break', by, after, times: 1 }, times: 1 })
		})

function isOpenForWriting(socket: Socket): boolean {
	return socket.writable && !socket.destroyed
}

for (const [status, line] of [
	[100, 'HTTP/1.1 100 Continue'],
	[103, 'HTTP/1.1 103 Early Hints'],
] as const)
	test(`an interim fault answers ${status} before the final answer on the same connection`, async (t) => {
		const scene = await startScene(t)
		await scene.control.addFault({ kind: 'interim', status, times: 1 })
		const { seen, post } = open(t, scene)
		post()
		await until(() => seen.text.includes('HTTP/1.1 200 OK'))
		assert.ok(seen.text.startsWith(`${line}\r\n`))
		post()
		await until(() => seen.text.split('HTTP/1.1 200 OK').length === 3)
		assert.equal(seen.text.split(line).length, 2)
	})

test('a retired connection is closed after an answer with the header "connection: close"', async (t) => {
	const scene = await startScene(t)
	await scene.control.addFault({ kind: 'retire', times: 1 })
	const { seen, post } = open(t, scene)
	post()
	await until(() => seen.ending === 'half-close')
	assert.match(seen.text, /^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*\}$/i)
})

test('a retired connection over HTTP/2 gets a GOAWAY', async (t) => {
	const scene = await startScene(t, { certificate: await trustedCertificate() })
	await scene.control.addFault({ kind: 'retire', times: 1 })
	const { path, body, authorization } = messageOf(scene)
	const session = connectHttp2(scene.url)
	t.after(() => session.destroy())
	const retired = once(session, 'goaway')
	const stream = session.request({ ':method': 'POST', ':path': path, authorization })
	stream.on('error', () => {})
	stream.end(body)
	const [code, lastStream] = (await retired) as [number, number]
	assert.deepEqual([code, lastStream], [0, 1])
	assert.equal(await scene.control.acceptedWith('m1'), 1)
})
