import assert from 'node:assert/strict'
import dns from 'node:dns'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, test, type TestContext } from 'node:test'
import { trustedCertificate } from '#test/servers/certificate.ts'
import { getPublic, isPublicAddress, isPublicUrl, NoFile, NotPublic, postPublic } from './public-request.ts'

test('isPublicAddress returns true for addresses of the internet, and false for private, local and special ones', () => {
	for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450:4009::200e'])
		assert.ok(isPublicAddress(address), address)
	for (const address of [
		'0.0.0.0',
		'10.1.2.3',
		'100.64.0.1',
		'127.0.0.1',
		'169.254.169.254',
		'172.31.255.255',
		'192.168.1.1',
		'224.0.0.1',
		'255.255.255.255',
		'::',
		'::1',
		'::ffff:8.8.8.8',
		'64:ff9b::7f00:1',
		'fc00::1',
		'fe80::1',
		'2001::1',
		'2002:7f00:1::',
		'name.example',
	])
		assert.ok(!isPublicAddress(address), address)
})

const { key, cert } = await trustedCertificate()
const asked: string[] = []
const server = createServer({ key, cert }, (incoming, response) => {
	const path = incoming.url ?? ''
	asked.push(path)
	if (path === '/file.pdf') return response.end('%PDF-1.4 content')
	if (path === '/endless') return endless(response)
	if (path === '/silent') return
	if (path === '/gone') return response.writeHead(404).end()
	if (path.startsWith('/to?')) return response.writeHead(302, { location: path.slice(4) }).end()
	response.writeHead(307, { location: '/elsewhere' }).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
after(() => server.close())

/** Sends bytes until the client leaves. */
function endless(response: ServerResponse): void {
	const more = () => {
		while (!response.destroyed && response.write(Buffer.alloc(10_000)));
	}
	response.on('drain', more)
	more()
}

const get = (url: string, { isAnywhere = false, timeoutMs = 5000 } = {}) =>
	getPublic({ url, maxBytes: 100_000, timeoutMs, isAnywhere })

const post = (url: string, { isAnywhere = false, timeoutMs = 5000 } = {}) =>
	postPublic({ url, headers: {}, body: Buffer.from('hello'), timeoutMs, isAnywhere })

test('postPublic refuses this machine by name and in every notation of its address, without a connection', async () => {
	for (const host of [
		'localhost',
		'127.0.0.1',
		'127.1',
		'2130706433',
		'0x7f.0.0.1',
		'0177.0.0.1',
		'[::1]',
		'[::ffff:127.0.0.1]',
		'0.0.0.0',
		'[::]',
		'0x7f000001',
		'017700000001',
		'127.0.0.1.',
		'[::ffff:7f00:1]',
		'[0:0:0:0:0:ffff:127.0.0.1]',
		'[::127.0.0.1]',
		'[64:ff9b::7f00:1]',
		'[fe80::1]',
		'①②⑦.0.0.1',
	])
		await assert.rejects(post(`https://${host}:${port}/`), NotPublic, host)
	await assert.rejects(post(`http://8.8.8.8:${port}/`), NotPublic)
	assert.deepEqual(asked, [])
})

/** Makes each DNS look-up return the next of these lists of addresses. */
function resolveTo(t: TestContext, answers: string[][]): void {
	const lookup = (_name: string, _options: object, done: (error: null, found: dns.LookupAddress[]) => void) =>
		done(
			null,
			(answers.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
		)
	t.mock.method(dns, 'lookup', lookup as never)
	syncBuiltinESMExports()
	t.after(() => {
		t.mock.restoreAll()
		syncBuiltinESMExports()
	})
}

test('postPublic refuses a name that resolves to this machine, and resolves each name once so that it cannot change after the check', async (t) => {
	// An address of the internet where no host answers.
	const sink = '192.31.196.1'
	const answers = [['127.0.0.1'], ['::1', '10.0.0.1'], [sink], ['127.0.0.1'], ['127.0.0.1', sink]]
	resolveTo(t, answers)
	await assert.rejects(post(`https://printer.local:${port}/`), NotPublic)
	await assert.rejects(post(`https://name.example:${port}/`), NotPublic)
	await assert.rejects(
		post(`https://rebinding.example:${port}/`, { timeoutMs: 300 }),
		(error) => !(error instanceof NotPublic),
	)
	assert.equal(answers.length, 2)
	await assert.rejects(post(`https://rebinding.example:${port}/`), NotPublic)
	await assert.rejects(
		post(`https://both.example:${port}/`, { timeoutMs: 300 }),
		(error) => !(error instanceof NotPublic),
	)
	assert.deepEqual(asked, [])
})

test('postPublic resolves with the status of a redirect and does not follow it', async () => {
	assert.equal(await post(`https://127.0.0.1:${port}/here`, { isAnywhere: true }), 307)
	assert.deepEqual(asked, ['/here'])
})

test('getPublic returns the file that redirects lead to, and refuses a fourth redirect, a large body, another status and a silent server', async () => {
	const at = `https://127.0.0.1:${port}`
	const { content, url } = await get(`${at}/to?/to?/to?/file.pdf`, { isAnywhere: true })
	assert.deepEqual([String(content), url], ['%PDF-1.4 content', `${at}/file.pdf`])
	for (const [path, reason] of [
		['/to?/to?/to?/to?/file.pdf', 'redirects'],
		['/endless', 'size'],
		['/gone', 'status'],
		['/to?/', 'redirects'],
	] as const)
		await assert.rejects(
			get(at + path, { isAnywhere: true }),
			(error) => error instanceof NoFile && error.reason === reason,
			path,
		)
	await assert.rejects(get(`${at}/silent`, { isAnywhere: true, timeoutMs: 300 }), { name: 'AbortError' })
})

test('getPublic refuses a private address, a name that resolves to one, and a redirect to one, without a request', async (t) => {
	const before = asked.length
	for (const url of [
		`https://127.0.0.1:${port}/file.pdf`,
		'http://shop.example/a.pdf',
		'https://shop.example:22/a.pdf',
	])
		await assert.rejects(get(url), NotPublic, url)
	resolveTo(t, [['127.0.0.1'], ['10.0.0.1', '::1']])
	for (const name of ['printer.local', 'rebinding.example'])
		await assert.rejects(get(`https://${name}:${port}/file.pdf`), NotPublic, name)
	assert.equal(asked.length, before)
	// The installation's own host is refused wherever a redirect comes from.
	const own = ['https://app.example']
	const leading = { url: `https://127.0.0.1:${port}/to?https://app.example/secret`, maxBytes: 100, timeoutMs: 5000 }
	await assert.rejects(getPublic({ ...leading, isAnywhere: true, own }), NotPublic)
})

test('isPublicUrl refuses hosts of the installation, low ports but 443, and addresses of this machine', () => {
	const own = ['https://app.example', 'https://go.example:8443/']
	const isAllowed = (url: string, isAnywhere = false) => isPublicUrl(url, { isAnywhere, own })
	for (const url of [
		'https://app.example/x',
		'https://app.example./',
		'https://APP.example:9000/',
		'https://go.example/',
	])
		assert.equal(isAllowed(url), false, url)
	for (const low of [1, 22, 25, 80, 1023]) assert.equal(isAllowed(`https://shop.example:${low}/`), false, String(low))
	for (const url of ['https://shop.example/', 'https://shop.example:443/', 'https://shop.example:1024/'])
		assert.equal(isAllowed(url), true, url)
	for (const { address, scopeid } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
		if (!scopeid) assert.equal(isPublicAddress(address), false, address)
	assert.equal(isAllowed('https://app.example/', true), false)
	assert.equal(isAllowed('http://app.example:8080/', true), true)
})
