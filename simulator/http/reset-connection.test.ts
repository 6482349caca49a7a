import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { resetConnection } from './reset-connection.ts'

/** Opens a connection, runs `act` on it, and returns the errors and how the other end saw it close. */
async function connected(act: (socket: Socket) => void): Promise<{ failures: unknown[]; seen: unknown }> {
	const server = createServer({ allowHalfOpen: true })
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
	const [socket] = (await once(server, 'connection')) as [Socket]
	const failures: unknown[] = []
	socket.on('error', (error) => failures.push(error))
	const seen = new Promise((resolve) => client.resume().once('error', resolve).once('end', resolve))
	const closed = once(socket, 'close')
	act(socket)
	await closed
	server.close()
	return { failures, seen: await seen }
}

test('a connection is reset when it is open', async () => {
	const { failures, seen } = await connected(resetConnection)
	assert.deepEqual(failures, [])
	assert.equal((seen as NodeJS.ErrnoException).code, 'ECONNRESET')
})

test('a connection is closed without an error when it has already been ended', async () => {
	const { failures, seen } = await connected((socket) => resetConnection(socket.end()))
	assert.deepEqual(failures, [])
	assert.equal(seen, undefined)
})
