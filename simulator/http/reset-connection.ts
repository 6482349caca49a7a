import type { Socket } from 'node:net'

/**
 * Resets a connection. Closes it without a reset when the socket has already been ended: Node cannot reset such a socket and
 * never closes its handle, which would keep the process running.
 */
export function resetConnection(socket: Socket): void {
	if (socket.writableEnded) socket.destroy()
	else socket.resetAndDestroy()
}
