import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { launchTestDatabase } from '#test/database.ts'

const database = await launchTestDatabase()

const BACKEND_KEY_DATA = Buffer.from([0x4b, 0, 0, 0, 12])

/** Starts a proxy that reports a process id other than the server's, as a pooler does. */
async function startPooler(serverUrl: string) {
	const { hostname, port } = new URL(serverUrl)
	const server = createServer((client) => {
		const upstream = connectSocket({ host: hostname, port: Number(port || 5432) })
		for (const socket of [client, upstream]) socket.on('error', () => {})
		client.pipe(upstream)
		upstream.on('data', (chunk: Buffer) => {
			const at = chunk.indexOf(BACKEND_KEY_DATA)
			if (at >= 0) chunk.writeUInt32BE(4_000_001, at + BACKEND_KEY_DATA.length)
			client.write(chunk)
		})
		upstream.on('close', () => client.destroy())
		client.on('close', () => upstream.destroy())
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const url = new URL(serverUrl)
	url.hostname = '127.0.0.1'
	url.port = String((server.address() as AddressInfo).port)
	return { url: url.href, close: () => server.close() }
}

interface ConnectionState {
	/** Number of prepared statements of the connection. */
	prepared: number
	timeout: string
}

/**
 * Returns the state of a connection after two runs of a statement. Runs them in a thread of its own: a process names only its
 * first thousand statements, which earlier test files may have used up.
 */
async function stateOf(url: string): Promise<ConnectionState> {
	const module = new URL('../db.ts', import.meta.url).href
	const thread = new Worker(
		`const { parentPort, workerData: { module, url } } = require('node:worker_threads')
		void (async () => {
			const { connect } = await import(module)
			const db = connect(url, { max: 1, timeoutMs: 5000 })
			for (const value of [1, 2]) await db\`select \${value}::int as value\`
			const prepared = await db\`select 1 from pg_prepared_statements where statement like 'select $1::int as value%'\`
			const [row] = await db\`select current_setting('statement_timeout') as timeout\`
			await db.end()
			parentPort.postMessage({ prepared: prepared.length, timeout: row.timeout })
		})()`,
		{ eval: true, workerData: { module, url } },
	)
	const [state] = (await once(thread, 'message')) as [ConnectionState]
	await thread.terminate()
	return state
}

test('a direct connection prepares statements by name and sets its statement_timeout', async () => {
	assert.deepEqual(await stateOf(database.directUrl), { prepared: 1, timeout: '5s' })
})

test('a connection through a pooler prepares no statement and sets nothing beyond a transaction', async () => {
	const pooler = await startPooler(database.directUrl)
	const { prepared, timeout } = await stateOf(pooler.url)
	assert.equal(prepared, 0)
	assert.notEqual(timeout, '5s')
	pooler.close()
})
