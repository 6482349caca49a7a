import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pool } from 'undici'
import { until } from '#test/until.ts'
import { connectSimulator } from './client.ts'
import { HELLO, startScene } from './test-scene.ts'

/** Latency above the duration of a call without latency on a busy machine. */
const LATENCY_MS = 1000

/** Returns the duration of the call in milliseconds. */
async function timed(call: () => Promise<unknown>): Promise<number> {
	const begun = performance.now()
	await call()
	return performance.now() - begun
}

test('setLatency delays sends, not reads, and a phone number’s own latency replaces the common one', async (t) => {
	const { url, send, graph, account } = await startScene(t)
	const remote = connectSimulator(url)
	await remote.setLatency({ minMs: LATENCY_MS, maxMs: LATENCY_MS + 40 })
	assert.ok((await timed(send)) >= LATENCY_MS - 1)
	assert.ok((await timed(() => graph('GET', account.phone_number_id))) < LATENCY_MS - 1, 'only sends are slow')
	await remote.setLatency({ phone_number_id: account.phone_number_id, minMs: 0, maxMs: 0 })
	assert.ok((await timed(send)) < LATENCY_MS - 1)
	await assert.rejects(remote.setLatency({ minMs: 5, maxMs: 1 }), /No latency from 5 to 1 ms/)
})

test('a send under latency still returns the error of its validation', async (t) => {
	const { send, control } = await startScene(t)
	await control.setLatency({ minMs: 5, maxMs: 10 })
	assert.equal((await send({ to: '' })).body.error?.code, 100)
	assert.equal((await send()).status, 200)
})

test('a thousand sends on a thousand connections are in flight at once, and loadStats counts them', async (t) => {
	const { url, control, account } = await startScene(t)
	const calls = 1_000
	// The latency exceeds the time in which all calls begin on a busy machine, so no call is answered before the last one
	// begins.
	await control.setLatency({ minMs: 3000, maxMs: 3300 })
	const pool = new Pool(url, { connections: calls })
	t.after(() => pool.destroy())
	const headers = { authorization: `Bearer ${account.access_token}` }
	const path = `/v25.0/${account.phone_number_id}/messages`
	const statuses = await Promise.all(
		Array.from({ length: calls }, async (_, index) => {
			const to = `+91${9_800_000_000 + index}`
			const body = JSON.stringify({ messaging_product: 'whatsapp', to, type: 'template', template: HELLO })
			const answer = await pool.request({ method: 'POST', path, headers, body })
			await answer.body.dump()
			return answer.statusCode
		}),
	)
	assert.ok(statuses.every((status) => status === 200))
	const stats = await control.loadStats({ resetMaxima: true })
	assert.equal(stats.max_in_flight, calls)
	assert.ok(stats.max_connections >= calls)
	await until(async () => (await control.loadStats()).in_flight === 0)
	await control.loadStats({ resetMaxima: true })
	assert.equal((await control.loadStats()).max_in_flight, 0)
})

test('statuses within one webhook interval are delivered in one POST', async (t) => {
	const { send, control, receiver } = await startScene(t)
	await control.setWebhookInterval({ ms: 250 })
	await Promise.all([send(), send(), send()])
	await control.waitIdle()
	assert.equal(receiver.statuses().length, 9)
	assert.ok(receiver.deliveries.length <= 3, `${receiver.deliveries.length} deliveries`)
})
