import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports from 20,000 up to the first one that Linux gives to a connection or to a server without a port of its own. One of those
 * could be taken by another test while a process with a fixed port is being started again.
 */
const FIRST_PORT = 20_000
const END_PORT = 32_768
const TRIES = 50

/** Returns a port that is free now, for a process that must have the same port after each start. */
export async function findFreePort(): Promise<number> {
	for (let left = TRIES; left > 0; left--) {
		const port = randomInt(FIRST_PORT, END_PORT)
		if (await isFree(port)) return port
	}
	throw new Error(`none of ${TRIES} ports is free`)
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1')
	try {
		await once(server, 'listening')
	} catch {
		return false
	}
	server.close()
	await once(server, 'close')
	return true
}
