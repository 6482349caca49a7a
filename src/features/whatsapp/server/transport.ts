import { buildConnector } from 'undici'

const CONNECT_TIMEOUT_MS = 10_000
const STATUS_LINE = 'HTTP/1.1 1'
const CONTINUE = `${STATUS_LINE}00`
const PROCESSING = `${STATUS_LINE}02`
const HEAD_END = '\r\n\r\n'

/**
 * Every connection to Meta speaks HTTP/1.1. Over HTTP/2, undici sends a request again by itself when the server retires the
 * connection, and one connection that breaks makes everything in flight on it unknown.
 */
const PROTOCOL = { allowH2: false }

/**
 * How undici connects to Meta. It ends a connection over which a 100 comes, though HTTP lets servers and proxies send one
 * unasked, but passes over other interim answers: so it is given each 100 as a 102.
 */
export function createTransport(): typeof PROTOCOL & { connect: buildConnector.connector } {
	const connect = buildConnector({ ...PROTOCOL, timeout: CONNECT_TIMEOUT_MS })
	return {
		...PROTOCOL,
		connect: (to, done) =>
			connect(to, (error, socket) => {
				if (error) return done(error, null)
				const read = socket.read.bind(socket)
				socket.read = (size?: number) => {
					const chunk = read(size) as Buffer | null
					if (chunk) renameContinues(chunk)
					return chunk
				}
				done(null, socket)
			}),
	}
}

/** An answer begins with a chunk of its own: no request is sent before the answer to the last one has ended. */
function renameContinues(chunk: Buffer): void {
	for (let at = 0; at >= 0 && startsWith(chunk, STATUS_LINE, at); at = afterHead(chunk, at))
		if (startsWith(chunk, CONTINUE, at)) chunk.write(PROCESSING, at, 'latin1')
}

function startsWith(chunk: Buffer, text: string, at: number): boolean {
	return chunk[at] === text.charCodeAt(0) && chunk.toString('latin1', at, at + text.length) === text
}

function afterHead(chunk: Buffer, at: number): number {
	const end = chunk.indexOf(HEAD_END, at)
	return end < 0 ? end : end + HEAD_END.length
}
