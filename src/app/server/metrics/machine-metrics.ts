import { statfs } from 'node:fs/promises'
import { connect } from 'node:tls'
import { HOUR_MS, MINUTE_MS } from '#lib/durations.ts'

/** Timeout of a TLS handshake in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 5000
/** Milliseconds until a certificate is read again, and until a failed reading is repeated. */
const READ_AGAIN_AFTER_MS = HOUR_MS
const RETRY_AFTER_MS = 5 * MINUTE_MS

export interface DiskSpace {
	availableBytes: number
	sizeBytes: number
}

/** Returns the space of the folder's file system that this process may use, in bytes. */
export async function getDiskSpace(folder: string): Promise<DiskSpace> {
	const { bavail, blocks, bsize } = await statfs(folder)
	return { availableBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/**
 * Returns the expiry of the certificate at an https address, in milliseconds since 1970; untrusted and expired ones
 * count too. Rejects when no handshake completes.
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

/**
 * Returns a function that returns the earliest expiry of the certificates, in seconds since 1970; NaN when none can be
 * read. Reads each certificate once an hour.
 */
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
