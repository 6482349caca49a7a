import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a port that is free now, for a process that must have the same port after each start. */
export async function findFreePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1')
	await once(server, 'listening')
	const address = server.address()
	server.close()
	if (typeof address !== 'object' || !address) throw new Error('no port')
	return address.port
}
