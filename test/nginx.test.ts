import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generate } from 'selfsigned'
import { contract } from '#app/contract.ts'
import { readCertificateEnd } from '#app/server/metrics/machine-metrics.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { LIVE_PATH } from '#lib/live.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { createLog } from '#lib/server/log.ts'
import { findFreePort } from './free-port.ts'
import { startTestApp, type TestApp } from './http-app.ts'
import { trustedCertificate } from './servers/certificate.ts'
import { until } from './until.ts'

const [CONFIGURATION, LINKS] = ['whatsapp.conf', 'whatsapp_links.conf'].map((name) =>
	readFileSync(new URL(`../deploy/nginx/${name}`, import.meta.url), 'utf8'),
) as [string, string]
const isInstalled = spawnSync('nginx', ['-v']).status === 0
const skip = isInstalled ? false : 'nginx is not installed'
const MEGABYTE = 1024 * 1024

test('the proxy allows the body size of each call that takes files, and the event stream at its address', () => {
	const endpoints = Object.values(contract).flatMap((calls) => Object.values<Endpoint>(calls))
	const allowed = [...CONFIGURATION.matchAll(/location (\/\S*) \{\s*client_max_body_size (\d+)m;/g)]
	const allowedFor = (path: string) => allowed.filter(([, prefix = '']) => path.startsWith(prefix)).at(-1)?.[2]
	const uploads = endpoints.flatMap(({ path, files = {} }) =>
		Object.values(files).map(({ maxBytes }) => ({ path, maxBytes })),
	)
	assert.ok(uploads.length > 4)
	for (const { path, maxBytes } of uploads) assert.ok(maxBytes < Number(allowedFor(path)) * MEGABYTE, path)
	assert.match(CONFIGURATION, new RegExp(`location = ${LIVE_PATH} \\{\\s*proxy_buffering off;`))
})

let app: TestApp
let folder: string
let address: { http: string; https: string }
let stopNginx = async () => {}
const lines: string[] = []
before(async () => {
	if (skip) return
	app = await startTestApp({ log: createLog('info', { write: (line) => void lines.push(line) }) })
	folder = mkdtempSync(join(tmpdir(), 'nginx-'))
	// nginx that is started as root works as another user.
	chmodSync(folder, 0o755)
	address = await startNginx()
})
after(async () => {
	if (skip) return
	await stopNginx()
	await app.close()
	rmSync(folder, { recursive: true })
})

/** Starts nginx with the configuration of `deploy/` on free ports and temporary files. */
async function startNginx(): Promise<typeof address> {
	const [plainPort, tlsPort, { certFile, keyFile }] = [
		await findFreePort(),
		await findFreePort(),
		await trustedCertificate(),
	]
	const site = (CONFIGURATION + LINKS)
		.replaceAll(/^\s*listen \[::\].*\n/gm, '')
		.replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
		.replaceAll('listen 443 ', `listen 127.0.0.1:${tlsPort} `)
		.replaceAll('/etc/nginx/tls/', join(folder, 'tls/'))
		.replaceAll('/var/log/nginx/access.log', join(folder, 'access.log'))
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${join(folder, name)};`,
	)
	for (const name of ['logs', 'tls']) mkdirSync(join(folder, name))
	cpSync(certFile, join(folder, 'tls/fullchain.pem'))
	cpSync(keyFile, join(folder, 'tls/privkey.pem'))
	writeFileSync(
		join(folder, 'nginx.conf'),
		`daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
		events {}
		http { ${temporary.join(' ')} upstream whatsapp { server ${new URL(app.url).host}; } ${site} }`,
	)
	const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
		stdio: ['ignore', 'ignore', 'pipe'],
	})
	let errors = ''
	nginx.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
	const exited = once(nginx, 'exit')
	stopNginx = async () => {
		nginx.kill('SIGTERM')
		await exited
	}
	const addresses = { http: `http://127.0.0.1:${plainPort}`, https: `https://127.0.0.1:${tlsPort}` }
	await until(
		async () => nginx.exitCode !== null || (await fetch(`${addresses.https}/healthz`).catch(() => null))?.ok === true,
	)
	assert.equal(nginx.exitCode, null, errors)
	return addresses
}

test('nginx redirects pages from plain HTTP to https, and refuses calls', { skip }, async () => {
	const page = await fetch(`${address.http}/login`, { redirect: 'manual' })
	assert.deepEqual([page.status, page.headers.get('location')], [301, 'https://127.0.0.1/login'])
	assert.equal((await fetch(`${address.http}/api/auth/login`, { method: 'POST' })).status, 403)
})

/** Requests a path of a host from nginx. Returns the status, and true if the body is the product's page for an unknown link. */
async function askHost(host: string, path: string) {
	const asking = https.get(address.https + path, {
		agent: false,
		headers: { host },
		rejectUnauthorized: false,
		servername: host,
	})
	const [answer] = (await once(asking, 'response')) as [http.IncomingMessage]
	const text = (await answer.toArray()).join('')
	return [answer.statusCode, text.includes('This link does not work')]
}

test('the host of LINK_URL serves counted links and nothing else of the product', { skip }, async () => {
	assert.deepEqual(await askHost('go.shop.example', '/l/nothing'), [404, true])
	for (const path of ['/', '/login', '/healthz', '/l', '/api/users/profile/me', '/v1/templates', '/l/../login'])
		assert.deepEqual(await askHost('go.shop.example', path), [404, false], path)
	assert.deepEqual(await askHost('shop.example', '/healthz'), [200, false])
	assert.deepEqual(await askHost('shop.example', '/l/nothing'), [404, true])
})

const askWithId = (id: string) =>
	fetch(`${address.https}/api/users/wallet/balance`, {
		headers: { authorization: 'Bearer nobody', 'x-request-id': id, 'x-forwarded-for': '203.0.113.9' },
	})

test(
	'nginx and the product return and log a browser’s request id, and replace one of another form',
	{ skip },
	async () => {
		const id = '5f3a9c1e-77b2d0aa'
		assert.equal((await askWithId(id)).headers.get('x-request-id'), id)
		assert.ok(readAccessLog().some(({ reqId, path }) => reqId === id && path === '/api/users/wallet/balance'))
		const line = lines
			.map((text) => JSON.parse(text) as { reqId?: string; address?: string })
			.find(({ reqId }) => reqId === id)
		// The logged address is the one that nginx saw, regardless of the client's own headers.
		assert.equal(line?.address, '127.0.0.1')
		assert.match((await askWithId('two words')).headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/)
	},
)

/** A key or token of letters only: the log must not take it for a word of the path. */
const SECRET = 'qwertyuiopasdfghjklzxcvbnm'
const NUMBER = '919876543210'

/**
 * Begins a request whose length nginx refuses before it reads the body, or that it answers without the body. Resolves with the
 * answer.
 */
async function announceTooMuch(url: string): Promise<void> {
	const { request } = url.startsWith('https:') ? https : http
	const options = {
		method: 'POST',
		headers: { 'content-length': 60 * MEGABYTE },
		agent: false,
		rejectUnauthorized: false,
	}
	const asking = request(url, options)
	asking.flushHeaders()
	await once(asking, 'response')
	asking.destroy()
}

test(
	'neither log contains a number, a webhook key, a link token or a query, for calls that succeed, fail or are refused by nginx',
	{
		skip,
	},
	async () => {
		const paths = {
			[`/api/chats/messages/${NUMBER}`]: '/api/chats/messages/*',
			[`/api//chats/./messages/%39${NUMBER.slice(1)}`]: '/api/chats/messages/*',
			[`/api/chats/messages/${SECRET}`]: '/api/chats/messages/*',
			[`/api/webhooks/whatsapp/${SECRET}`]: '/api/webhooks/whatsapp/*',
			[`/api/webhooks/whatsapp/${SECRET}/more`]: '/api/webhooks/whatsapp/*',
			[`/l/${SECRET}`]: '/l/*',
			[`/l/4f-${SECRET}?to=${NUMBER}`]: '/l/*',
			[`/v1/messages/${NUMBER}`]: '/v1/messages/*',
			[`/contact/management?search=${NUMBER}`]: '/contact/management',
			[`/${NUMBER}`]: '/*',
		}
		const earlier = readAccessLog().length
		for (const [path, logged] of Object.entries(paths))
			for (const origin of [address.http, address.https]) {
				await fetch(origin + path, { redirect: 'manual' })
				await announceTooMuch(origin + path)
				await until(() => readAccessLog().at(-1)?.path === logged)
			}
		const logged = readAccessLog().slice(earlier)
		assert.ok(logged.some(({ status }) => status === 413))
		assert.deepEqual(new Set(logged.map(({ path }) => path)), new Set(Object.values(paths)))
		const all = ['access.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join('')
		for (const secret of [NUMBER.slice(2), SECRET]) assert.ok(!all.includes(secret), secret)
	},
)

function readAccessLog(): { reqId: string; path: string; status: number }[] {
	const text = readFileSync(join(folder, 'access.log'), 'utf8').trim()
	return text.split('\n').map((line) => JSON.parse(line) as { reqId: string; path: string; status: number })
}

const deliver = (bytes: number) =>
	fetch(`${address.https}/api/webhooks/whatsapp/nobody`, { method: 'POST', body: 'x'.repeat(bytes) })

test('nginx forwards a delivery of 3 MB to the product, and refuses one above 4 MB', { skip }, async () => {
	const taken = await deliver(3 * MEGABYTE)
	assert.equal(taken.status, 404)
	assert.ok(taken.headers.get('x-request-id'))
	assert.equal((await deliver(4 * MEGABYTE + 1)).status, 413)
})

test('nginx forwards an event to a browser without delay', { skip }, async (t) => {
	const { accountId, token } = await app.signIn('user')
	const closing = new AbortController()
	t.after(() => closing.abort())
	const response = await fetch(address.https + LIVE_PATH, {
		headers: { authorization: `Bearer ${token}` },
		signal: closing.signal,
	})
	let text = ''
	void (async () => {
		for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
	})().catch(() => {})
	await until(() => text.includes('retry: 1000'))
	announceLive(app.context.db, accountId, { kind: 'wallet' })
	await Promise.race([
		until(() => text.includes('"kind":"wallet"')),
		sleep(30_000, undefined, { ref: false }).then(() => assert.fail('no event within 30 seconds')),
	])
})

test('nginx does not forward requests for metrics and readiness', { skip }, async () => {
	for (const path of ['/metrics', '/readyz']) assert.equal((await fetch(address.https + path)).status, 404, path)
})

test(
	'nginx serves a renewed certificate after the deploy hook has run, and only the owner can read its key',
	{ skip },
	async () => {
		const notAfterDate = new Date('2031-05-06T07:08:09Z')
		const renewed = await generate([{ name: 'commonName', value: 'shop.example' }], { keyType: 'ec', notAfterDate })
		const lineage = mkdtempSync(join(folder, 'lineage-'))
		writeFileSync(join(lineage, 'fullchain.pem'), renewed.cert)
		writeFileSync(join(lineage, 'privkey.pem'), renewed.private)
		const hook = fileURLToPath(new URL('../deploy/nginx/renewed.sh', import.meta.url))
		const reload = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-s', 'reload']
		const { status, stderr } = spawnSync(hook, [join(folder, 'tls'), ...reload], {
			env: { ...process.env, RENEWED_LINEAGE: lineage },
			encoding: 'utf8',
		})
		assert.equal(status, 0, stderr)
		await until(async () => (await readCertificateEnd(address.https)) === notAfterDate.getTime())
		assert.equal(statSync(join(folder, 'tls/privkey.pem')).mode & 0o777, 0o600)
	},
)
