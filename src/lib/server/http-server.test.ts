import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createHttpServer } from './http-server.ts'
import { createLog } from './log.ts'

/** Far less than connections are kept alive for. */
const MAX_STOP_MS = 10_000

test(
	'a server that stops while an answer is under way completes it, then closes the connection',
	{ timeout: MAX_STOP_MS },
	async (t) => {
		const http = await createHttpServer({ log: createLog('silent'), findSession: async () => null, trustProxy: [] })
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
