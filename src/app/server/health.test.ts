import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Gauge, Registry } from 'prom-client'
import { createHttpServer } from '#lib/server/http/http-server.ts'
import { createLog } from '#lib/server/log.ts'
import { launchTestApp } from '#test/http-app.ts'
import { createTestSemaphores } from '#test/semaphores.ts'
import { serveHealth } from './health.ts'

const TOKEN = 'a-token-of-operators'

const app = await launchTestApp({ env: { METRICS_TOKEN: TOKEN, API_DOCS: 'off' } })

/** Starts a server that counts how often its metrics are read. */
async function startCounting(t: TestContext) {
	const registry = new Registry()
	let readings = 0
	const collect = async () => void readings++
	// oxlint-disable-next-line no-new -- it registers itself
	new Gauge({ name: 'counted', help: 'A gauge', registers: [registry], collect })
	const http = await createHttpServer({
		log: createLog('silent'),
		findSession: async () => null,
		semaphores: createTestSemaphores(1),
		trustProxy: ['loopback'],
	})
	serveHealth(http, { ...app.context, metrics: registry, metricsToken: TOKEN })
	const url = await http.listen({ host: '127.0.0.1', port: 0 })
	t.after(() => http.close())
	return { url, http, readings: () => readings }
}

test('GET /metrics reads the metrics once for a hundred concurrent scrapes', async (t) => {
	const { url, readings } = await startCounting(t)
	const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/metrics`)))
	for (const answer of answers) assert.match(await answer.text(), /counted 0/)
	assert.equal(readings(), 1)
})

test('GET /metrics returns 403 to other machines and to forwarded requests without METRICS_TOKEN', async (t) => {
	const { http } = await startCounting(t)
	const scrape = async (remoteAddress: string, headers: Record<string, string> = {}) =>
		(await http.inject({ url: '/metrics', remoteAddress, headers })).statusCode
	for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) assert.equal(await scrape(address), 200, address)
	for (const address of ['192.0.2.7', '2001:db8::7', '::ffff:192.0.2.7'])
		assert.equal(await scrape(address), 403, address)
	for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
		assert.equal(await scrape('127.0.0.1', { [header]: '127.0.0.1' }), 403, header)
	assert.equal(await scrape('192.0.2.7', { authorization: `Bearer ${TOKEN}` }), 200)
	assert.equal(await scrape('192.0.2.7', { authorization: 'Bearer another-token-of-operators' }), 403)
})

test('GET /api/docs returns 404 with API_DOCS=off, and GET /metrics returns the gauges', async () => {
	assert.equal((await fetch(`${app.url}/api/docs`)).status, 404)
	const scrape = await (await fetch(`${app.url}/metrics`)).text()
	assert.match(scrape, /money_reconciliation_findings/)
	assert.match(scrape, /^money_held_paise 0$/m)
	assert.match(scrape, /^database_connections\{pool="[\w-]+",state="waiting"\} 0$/m)
	for (const name of ['webhook_deliveries_kept', 'database_standbys', 'database_replication_lag_bytes'])
		assert.match(scrape, new RegExp(`^${name} 0$`, 'm'))
})
