import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { test, type TestContext } from 'node:test'
import {
	createTemplate,
	deleteTemplates,
	findTemplatesNamed,
	listTemplatePages,
	uploadSample,
} from './cloud-api-templates.ts'
import { createCloudApi } from './graph-client.ts'

interface Asked {
	call: string
	authorization: string | undefined
	fileOffset: string | undefined
	body: string
}

type Reply = (asked: Asked) => { status?: number; body: object } | 'drop'

/** Starts a server that records requests byte for byte and replies as Meta's documentation describes. */
async function network(t: TestContext, reply: Reply) {
	const asked: Asked[] = []
	const server = createServer((request, response) => {
		const take = (body: string) => {
			const { method, url, headers } = request
			const fileOffset = headers['file_offset']?.toString()
			const call = { call: `${method} ${url}`, authorization: headers.authorization, fileOffset, body }
			asked.push(call)
			const answer = reply(call)
			if (answer === 'drop') return request.socket.destroy()
			response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
			return response.end(JSON.stringify(answer.body))
		}
		// A client that gives up breaks its request off.
		void read(request).then(take, () => {})
	})
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
	const { port } = server.address() as { port: number }
	const api = createCloudApi({ url: `http://127.0.0.1:${port}`, version: 'v25.0' })
	t.after(async () => {
		await api.close()
		server.close()
	})
	return { api, asked }
}

async function read(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = []
	for await (const chunk of request) chunks.push(chunk as Buffer)
	return Buffer.concat(chunks).toString('latin1')
}

const accessToken = 'EAAG-token'
const FIELDS =
	'id,name,language,status,category,previous_category,correct_category,quality_score,rejected_reason,parameter_format,message_send_ttl_seconds,components'

test('createTemplate posts the template’s JSON to /{waba_id}/message_templates', async (t) => {
	const { api, asked } = await network(t, () => ({
		body: { id: '594425479261596', status: 'PENDING', category: 'MARKETING' },
	}))
	const template = { name: 'offer', language: 'hi', category: 'UTILITY', components: [{ type: 'BODY', text: 'नमस्ते' }] }
	const created = await createTemplate(api, '102290129340398', { accessToken, template })
	assert.deepEqual(created, { templateId: '594425479261596', status: 'PENDING', category: 'MARKETING' })
	assert.deepEqual(
		[asked[0]?.call, asked[0]?.authorization],
		['POST /v25.0/102290129340398/message_templates', 'Bearer EAAG-token'],
	)
	assert.deepEqual(JSON.parse(Buffer.from(asked[0]?.body ?? '', 'latin1').toString()), template)
})

test('deleteTemplates deletes all languages by the template’s name', async (t) => {
	const { api, asked } = await network(t, () => ({ body: { success: true } }))
	await deleteTemplates(api, '102', { accessToken, name: 'order_update' })
	assert.equal(asked[0]?.call, 'DELETE /v25.0/102/message_templates?name=order_update')
})

test('uploadSample uploads to a session of the app, with the scheme OAuth and an offset', async (t) => {
	const { api, asked } = await network(t, ({ call }) =>
		call.includes('/uploads') ? { body: { id: 'upload:MTphdHRh?sig=ARZqkGCA_uQ' } } : { body: { h: '4::aW1h:ARZ' } },
	)
	const content = Buffer.from('\xff\xd8\xff bytes', 'latin1')
	const file = { accessToken, filename: 'my offer.jpg', type: 'image/jpeg', content }
	assert.equal(await uploadSample(api, '987', file), '4::aW1h:ARZ')
	assert.deepEqual(asked, [
		{
			call: 'POST /v25.0/987/uploads?file_name=my+offer.jpg&file_length=9&file_type=image%2Fjpeg',
			authorization: 'Bearer EAAG-token',
			fileOffset: undefined,
			body: '',
		},
		{
			call: 'POST /v25.0/upload:MTphdHRh?sig=ARZqkGCA_uQ',
			authorization: 'OAuth EAAG-token',
			fileOffset: '0',
			body: '\xff\xd8\xff bytes',
		},
	])
})

test('uploadSample resumes an interrupted upload at the offset that Meta returns', async (t) => {
	let posts = 0
	const { api, asked } = await network(t, ({ call }) => {
		if (call.includes('/uploads')) return { body: { id: 'upload:x?sig=y' } }
		if (call.startsWith('GET')) return { body: { id: 'upload:x?sig=y', file_offset: 4 } }
		return ++posts === 1 ? 'drop' : { body: { h: '4::h' } }
	})
	const file = { accessToken, filename: 'a.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.4') }
	assert.equal(await uploadSample(api, '987', file), '4::h')
	assert.deepEqual([asked[3]?.fileOffset, asked[3]?.body], ['4', '-1.4'])
})

test('uploadSample throws without a retry when Meta refuses the upload', async (t) => {
	const { api, asked } = await network(t, ({ call }) =>
		call.includes('/uploads')
			? { body: { id: 'upload:x' } }
			: { status: 400, body: { error: { code: 100, message: 'No' } } },
	)
	const file = { accessToken, filename: 'a.pdf', type: 'application/pdf', content: Buffer.from('%PDF') }
	await assert.rejects(uploadSample(api, '987', file), { name: 'GraphError', status: 400 })
	assert.equal(asked.length, 2)
})

/** Replies with a list of three pages; the last page has a cursor as well. */
const pages: Reply = ({ call }) => {
	const after = new URLSearchParams(call.split('?')[1]).get('after')
	const number = after === null ? 1 : Number(after) + 1
	const paging = {
		cursors: { before: 'b', after: String(number) },
		...(number < 3 && { next: 'https://graph.example/next' }),
	}
	return { body: { data: [{ id: String(number), name: number === 2 ? 'order_update' : 'order' }], paging } }
}

test('listTemplatePages follows the cursors until a page has no next one', async (t) => {
	const { api, asked } = await network(t, pages)
	const ids: unknown[] = []
	for await (const rows of listTemplatePages(api, '102', { accessToken })) ids.push(...rows.map(({ id }) => id))
	assert.deepEqual(ids, ['1', '2', '3'])
	assert.deepEqual(
		asked.map(({ call }) => call),
		['', '&after=1', '&after=2'].map((after) => `GET /v25.0/102/message_templates?fields=${FIELDS}&limit=200${after}`),
	)
})

test('findTemplatesNamed returns only templates with the exact name', async (t) => {
	const { api, asked } = await network(t, pages)
	const found = await findTemplatesNamed(api, '102', { accessToken, name: 'order' })
	assert.deepEqual(
		found.map(({ id }) => id),
		['1', '3'],
	)
	assert.match(asked[0]?.call ?? '', /&name=order&limit=200$/)
})

test('findTemplatesNamed throws when a cursor leads back to an earlier page', async (t) => {
	const { api } = await network(t, () => ({ body: { data: [], paging: { cursors: { after: 'same' }, next: 'x' } } }))
	await assert.rejects(findTemplatesNamed(api, '102', { accessToken, name: 'x' }), /leads back/)
})
