import { statfs } from 'node:fs/promises'
import { connect } from 'node:tls'

/** A handshake that takes longer counts as no answer. */
const HANDSHAKE_TIMEOUT_MS = 5000
/** A certificate is read again after so long; one that could not be read, after `RETRY_AFTER_MS`. */
const READ_AGAIN_AFTER_MS = 60 * 60_000
const RETRY_AFTER_MS = 5 * 60_000

export interface DiskSpace {
	availableBytes: number
	sizeBytes: number
}

/** Returns the space of the file system that holds the folder, as much of it as this process may fill. */
export async function getDiskSpace(folder: string): Promise<DiskSpace> {
	const { bavail, blocks, bsize } = await statfs(folder)
	return { availableBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/**
 * Returns when the certificate that a server shows at an https address ends, in milliseconds since 1970. One that is
 * untrusted or over counts too. Rejects where no server completes the handshake.
 */
export function readCertificateEnd(address: string): Promise<number> {
	const { hostname, port } = new URL(address)
	const host = hostname.replace(/^\[|\]$/g, '')
	const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
	const { promise, resolve, reject } = Promise.withResolvers<number>()
	const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...name }, () => {
		resolve(Date.parse(socket.getPeerCertificate().valid_to))
		socket.destroy()
	})
	socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => socket.destroy(new Error(`${address} shows no certificate`)))
	socket.once('error', reject)
	return promise
}

/** Returns a function that gives the end of the first certificate to end, in seconds since 1970, and reads each once an hour. */
export function certificateEnds(addresses: () => string[]): () => Promise<number> {
	const known = new Map<string, { end: Promise<number>; untilMs: number }>()
	const endOf = (address: string): Promise<number> => {
		const nowMs = performance.now()
		const found = known.get(address)
		if (found && found.untilMs > nowMs) return found.end
		const entry = { end: readCertificateEnd(address), untilMs: nowMs + READ_AGAIN_AFTER_MS }
		entry.end.catch(() => (entry.untilMs = nowMs + RETRY_AFTER_MS))
		known.set(address, entry)
		return entry.end
	}
	return async () => {
		const secure = addresses().filter((address) => address.startsWith('https:'))
		const ends = await Promise.allSettled(secure.map(endOf))
		const read = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
		return read.length > 0 ? Math.min(...read) / 1000 : Number.NaN
	}
}
