import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Log } from '#lib/server/log.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { startTcpProxy, type TcpProxy } from '#test/servers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import { createListener, type Listener } from './listener.ts'

let database: TestDatabase
let proxy: TcpProxy
let listener: Listener
let warnings = 0
const received: string[] = []
let gaps = 0

before(async () => {
	database = await createTestDatabase()
	const { hostname, port } = new URL(database.directUrl)
	proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) })
	const log = { warn: () => warnings++ } as unknown as Log
	listener = createListener(proxy.url(database.directUrl), log, { checkIntervalMs: 100, answerTimeoutMs: 300 })
	await listener.listen(
		'work',
		(payload) => received.push(payload),
		() => gaps++,
	)
})
after(async () => {
	await listener.close()
	await proxy.close()
	await database.drop()
})

async function receives(payload: string): Promise<void> {
	database.sql.notify('work', payload)
	await until(() => received.includes(payload))
}

for (const fault of ['cut', 'silence'] as const) {
	test(`the listener replaces a connection lost by ${fault} and notifies its subscribers of the gap`, async () => {
		await receives(`before ${fault}`)
		const earlier = { gaps, warnings }
		assert.equal(proxy[fault](), 1)
		await until(() => gaps > earlier.gaps)
		await receives(`after ${fault}`)
		assert.deepEqual({ gaps, warnings }, { gaps: earlier.gaps + 1, warnings: earlier.warnings + 1 })
		proxy.cut((connection) => connection.isSilent)
	})
}

test('a subscriber of the listener receives nothing after it unsubscribes', async () => {
	const other: string[] = []
	const stop = await listener.listen('work', (payload) => other.push(payload))
	await receives('to both')
	stop()
	await receives('to one')
	assert.deepEqual(other, ['to both'])
})

test('close of the listener resolves immediately when its connection is silent', async () => {
	const silent = createListener(proxy.url(database.directUrl), { warn: () => {} } as unknown as Log)
	await silent.listen('work', () => {})
	proxy.silence()
	await silent.close()
	proxy.cut()
})
