import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, suite, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createHttpServer } from '#lib/server/http/http-server.ts'
import { createLog } from '#lib/server/log.ts'
import { createTestSemaphores } from '#test/semaphores.ts'
import { serveWebApp } from './web-app.ts'

const ASSETS = new URL('../../../dist/web/assets/', import.meta.url)
const names = readdirSync(ASSETS).filter((name) => /\.(?:js|css)$/.test(name))

const http = await createHttpServer({
	log: createLog('silent'),
	findSession: async () => null,
	semaphores: createTestSemaphores(1),
	trustProxy: [],
})
const CONFIG = {
	simulator: false,
	phonesUrl: null,
	landing: 'page',
	addMoney: false,
	supportContact: 'A </script><b> & $& of <!-- Ravi',
} as const
await serveWebApp(http, CONFIG)
after(() => http.close())

const get = (url: string, encoding = 'identity') =>
	http.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })

suite('the files of the web app', () => {
	test('GET of each asset returns the bytes that the build compressed, and the original after unpacking', async () => {
		assert.ok(names.length > 50, `${names.length} assets`)
		for (const name of names) {
			const original = readFileSync(new URL(name, ASSETS))
			for (const [encoding, extension, unpack] of [
				['br', 'br', brotliDecompressSync],
				['gzip', 'gz', gunzipSync],
			] as const) {
				const { statusCode, headers, rawPayload } = await get(`/assets/${name}`, encoding)
				assert.deepEqual([statusCode, headers['content-encoding']], [200, encoding], name)
				assert.ok(rawPayload.equals(readFileSync(new URL(`${name}.${extension}`, ASSETS))), name)
				assert.ok(unpack(rawPayload).equals(original), name)
			}
		}
	})

	test('GET of an asset returns its content type and a year of caching in every encoding', async () => {
		const name = names.find((asset) => asset.endsWith('.css')) ?? ''
		for (const encoding of ['gzip, deflate, br', 'gzip', 'identity']) {
			const { headers } = await get(`/assets/${name}`, encoding)
			assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
			assert.match(headers['content-type'] as string, /^text\/css/)
			assert.match(headers.vary as string, /accept-encoding/i)
		}
	})

	test('GET of an asset omits the headers of pages, and a worker script may connect to its own origin only', async () => {
		for (const name of names) {
			const { headers } = await get(`/assets/${name}`, 'br')
			assert.equal(headers['content-security-policy'], "default-src 'self'", name)
			assert.equal(headers['x-content-type-options'], 'nosniff', name)
			const size = Object.entries(headers).reduce((sum, [key, value]) => sum + key.length + String(value).length + 4, 0)
			assert.ok(size < 400, `${size} bytes of headers with ${name}`)
		}
	})

	test('GET of a page URL returns the page without caching', async () => {
		for (const url of ['/', '/campaign/12', '/login?next=%2Fa.b']) {
			const { statusCode, headers } = await get(url)
			assert.deepEqual([statusCode, headers['cache-control']], [200, 'no-store'], url)
			assert.match(headers['content-type'] as string, /^text\/html/)
		}
	})

	test('HEAD returns the headers of GET without the page, for monitors', async () => {
		for (const [url, status] of [
			['/login', 200],
			['/api/none', 404],
		] as const)
			assert.equal((await http.inject({ method: 'HEAD', url })).statusCode, status, url)
	})

	test('the page contains its settings as JSON that can neither end its script nor open a comment', async () => {
		const { body } = await get('/')
		const [, json = ''] = /id="app-config">([^<]*)<\/script>/.exec(body) ?? []
		assert.deepEqual(JSON.parse(json), CONFIG)
	})

	test('GET of a missing file returns 404 instead of the page', async () => {
		for (const url of [
			'/favicon-x.png',
			'/foo.txt',
			'/.env',
			'/user/page.php?a=1',
			'/assets/none.js',
			'/api/none',
			'/v1',
			'/v1/none?a=1',
			'/l/none',
		]) {
			const { statusCode, headers } = await get(url)
			assert.equal(statusCode, 404, url)
			assert.match(headers['content-type'] as string, /^application\/json/)
		}
	})

	test('GET of /robots.txt disallows every page', async () => {
		const { statusCode, headers, body } = await get('/robots.txt')
		assert.equal(statusCode, 200)
		assert.match(headers['content-type'] as string, /^text\/plain/)
		assert.equal(body, 'User-agent: *\nDisallow: /\n')
	})

	test("GET of /favicon.ico returns the page's icon", async () => {
		const { statusCode, headers, body } = await get('/favicon.ico')
		assert.deepEqual([statusCode, headers['content-type']], [200, 'image/svg+xml'])
		assert.match(body, /^<svg .*<\/svg>$/)
	})
})
