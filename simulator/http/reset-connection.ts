import type { Socket } from 'node:net'

/**
 * Ends a connection with a reset, or without one where its own end is already under way: Node then cannot reset it, never
 * closes its handle, and the process would run for ever when it has nothing left to do.
 */
export function resetConnection(socket: Socket): void {
	if (socket.writableEnded) socket.destroy()
	else socket.resetAndDestroy()
}
