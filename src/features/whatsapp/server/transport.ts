import { buildConnector } from 'undici'

const CONNECT_TIMEOUT_MS = 10_000
const STATUS_LINE = 'HTTP/1.1 1'
const CONTINUE = `${STATUS_LINE}00`
const PROCESSING = `${STATUS_LINE}02`
const HEAD_END = '\r\n\r\n'

/**
 * HTTP/1.1 for every connection to Meta. Over HTTP/2, undici repeats a request when the server retires the connection,
 * and a broken connection leaves all its requests in an unknown state.
 */
const PROTOCOL = { allowH2: false }

/**
 * Returns undici's options for connections to Meta. undici closes a connection on an unsolicited 100 response, which
 * HTTP allows, but skips other interim responses: so each 100 is rewritten to 102.
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

/**
 * Rewrites each 100 status line at the start of a chunk. A response always begins with a new chunk, because no request
 * is sent before the last response has ended.
 */
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
