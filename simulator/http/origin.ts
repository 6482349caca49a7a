import type { IncomingHttpHeaders } from 'node:http'
import type { NetworkState } from '../network-state.ts'

/** Returns scheme and host of a request. HTTP/2 has the host in the `:authority` header. */
export function originOf({ listener }: Pick<NetworkState, 'listener'>, headers: IncomingHttpHeaders): string {
	const scheme = listener?.url.startsWith('https') ? 'https' : 'http'
	return `${scheme}://${String(headers[':authority'] ?? headers.host ?? 'localhost')}`
}
