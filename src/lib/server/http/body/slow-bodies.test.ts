import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { createLog } from '#lib/server/log.ts'
import { createTestSemaphores } from '#test/semaphores.ts'
import { createHttpServer } from '../http-server.ts'
import { mount } from '../http.ts'
import { endSlowBodies } from './slow-bodies.ts'

const FILE_BYTES = 64 * 1024

test('a request whose body has stopped gets a 408, while an upload that goes on outlasts the time of a stopped one', async (t) => {
	const semaphores = createTestSemaphores(2)
	const http = await createHttpServer({
		log: createLog('silent'),
		findSession: async () => null,
		semaphores,
		trustProxy: [],
	})
	endSlowBodies(http, 200)
	const files = { file: { maxBytes: 2 * FILE_BYTES } }
	const shape = endpoint('POST /file', { access: 'public', files, response: z.object({ bytes: z.int() }) })
	mount(http, shape, async ({ files: { file } }) => ({ bytes: file?.bytes ?? 0 }))
	const url = await http.listen({ port: 0, host: '127.0.0.1' })
	t.after(() => http.close())
	const begin = (sent: Buffer) => {
		const outgoing = request(`${url}/file`, {
			method: 'POST',
			headers: { 'content-type': 'multipart/form-data; boundary=b' },
		})
		outgoing.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n')
		outgoing.write(sent)
		return outgoing
	}
	const [going, stopped] = [begin(Buffer.alloc(FILE_BYTES)), begin(Buffer.alloc(1))]
	const answered = once(going, 'response')
	const [refusal] = (await once(stopped, 'response')) as [IncomingMessage]
	assert.equal(refusal.statusCode, 408)
	going.end('\r\n--b--\r\n')
	const [answer] = (await answered) as [IncomingMessage]
	assert.deepEqual(JSON.parse(String(await answer.toArray())), { bytes: FILE_BYTES })
})
