import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/until.ts'
import { connectSimulator } from './client.ts'
import { startScene } from './test-scene.ts'

test('a server-error fault with `call: *` fails sends and reads until the faults are cleared', async (t) => {
	const { url, send, graph, control, account } = await startScene(t)
	const remote = connectSimulator(url)
	await remote.addFault({ kind: 'server-error', status: 503, accepted: false, call: '*' })
	for (let each = 0; each < 3; each++) await assert.rejects(send(), SyntaxError)
	await assert.rejects(graph('GET', account.phone_number_id), SyntaxError)
	assert.equal((await control.counters()).accepted, 0)
	await remote.clearFaults()
	assert.equal((await send()).status, 200)
	assert.equal((await graph('GET', account.phone_number_id)).status, 200)
})

for (const code of [4, 80007, 130429]) {
	test(`an error fault with code ${code} and \`call: *\` refuses sends and reads until the faults are cleared`, async (t) => {
		const { send, graph, control, account } = await startScene(t)
		await control.addFault({ kind: 'error', code, call: '*' })
		const answers = await Promise.all([send(), send(), graph('GET', account.phone_number_id)])
		assert.deepEqual(
			answers.map(({ body }) => body.error?.code),
			[code, code, code],
		)
		await control.clearFaults()
		assert.equal((await send()).status, 200)
		assert.equal((await control.counters()).accepted, 1)
	})
}

test('refuseConnections closes open connections and refuses new ones for `forMs`', async (t) => {
	const { url, send, control } = await startScene(t)
	await control.setLatency({ minMs: 10_000, maxMs: 10_000 })
	const cut = assert.rejects(send())
	await until(async () => (await control.loadStats()).in_flight > 0)
	await connectSimulator(url).refuseConnections({ forMs: 300 })
	await cut
	await assert.rejects(send(), (error: Error) => /ECONNREFUSED/.test((error.cause as Error).message))
	await control.setLatency({ minMs: 0, maxMs: 0 })
	await until(() =>
		send().then(
			({ status }) => status === 200,
			() => false,
		),
	)
})
