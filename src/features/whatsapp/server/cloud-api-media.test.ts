import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { downloadMedia, isMetaUrl, mayHaveToken, MediaTooLarge } from './cloud-api-media.ts'
import { createCloudApi } from './graph-client.ts'

const GRAPH = 'https://graph.facebook.com'
const LOCAL_API = { origin: 'http://127.0.0.1:4000' }

test('mayHaveToken accepts only HTTPS addresses of Meta’s hosts and the configured Graph API', () => {
	for (const url of [
		'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1',
		'https://scontent.xx.fbcdn.net/v/file',
		'https://graph.facebook.com/file',
	])
		assert.equal(mayHaveToken(url, GRAPH), true, url)
	for (const url of [
		'http://lookaside.fbsbx.com/file',
		'https://lookaside.fbsbx.com.evil.example/file',
		'https://evil.example/lookaside.fbsbx.com',
		'https://user@lookaside.fbsbx.com/file',
		'https://lookaside.fbsbx.com:8443/file',
		'https://fbcdn.net.evil.example/file',
		'https://evilfbcdn.net/file',
		'http://169.254.169.254/latest/meta-data',
		'file:///etc/passwd',
		'undefined',
		'',
	])
		assert.equal(mayHaveToken(url, GRAPH), false, url)
	assert.equal(mayHaveToken('http://127.0.0.1:4000/file', 'http://127.0.0.1:4000'), true)
	assert.equal(mayHaveToken('http://127.0.0.1:4001/file', 'http://127.0.0.1:4000'), false)
})

test('downloadMedia aborts a file over the limit, and does not follow redirects with the token', async (t) => {
	const seen: string[] = []
	const server = createServer((request, response) => {
		seen.push(`${request.url} ${request.headers.authorization}`)
		if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end()
		else response.write(Buffer.alloc(2000), () => response.end(Buffer.alloc(2000)))
	}).listen(0, '127.0.0.1')
	await once(server, 'listening')
	t.after(() => server.close())
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	const api = createCloudApi({ url, version: 'v25.0' })
	t.after(() => api.close())
	const { signal } = new AbortController()
	const get = (path: string, maxBytes: number) =>
		downloadMedia(api, { url: url + path, token: 'secret', maxBytes, signal })
	let bytes = 0
	for await (const chunk of await get('/file', 5000)) bytes += chunk.length
	assert.equal(bytes, 4000)
	await assert.rejects(async () => {
		for await (const chunk of await get('/file', 3000)) assert.ok(chunk)
	}, MediaTooLarge)
	await assert.rejects(get('/redirect', 5000))
	assert.deepEqual(
		seen.filter((line) => line.startsWith('/elsewhere')),
		[],
	)
	await assert.rejects(get('.evil.example/file', 5000), /not one of WhatsApp/)
})

test('isMetaUrl accepts Meta’s hosts over HTTPS and the configured Graph API', () => {
	for (const address of [
		'https://scontent.whatsapp.net/v/t61/x.jpg?ccb=1',
		'https://scontent.xx.fbcdn.net/a.png',
		'https://lookaside.fbsbx.com/a',
		'http://127.0.0.1:4000/scontent/7',
	]) {
		assert.equal(isMetaUrl(address, LOCAL_API), true, address)
	}
})

test('downloadSample fetches no address outside Meta’s hosts, including similar names', () => {
	for (const address of [
		'http://scontent.whatsapp.net/x.jpg',
		'https://evilfbcdn.net/x',
		'https://fbcdn.net.evil.example/x',
		'https://scontent.whatsapp.net@evil.example/x',
		'https://me@scontent.whatsapp.net/x',
		'https://scontent.whatsapp.net:8443/x',
		'http://127.0.0.1:4001/x',
		'http://169.254.169.254/latest/meta-data',
		'file:///etc/passwd',
		'//scontent.whatsapp.net/x',
		'4::aW1hZ2U=:ARZ',
		'',
	]) {
		assert.equal(isMetaUrl(address, LOCAL_API), false, address)
	}
})
