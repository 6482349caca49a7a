import { request } from 'undici'
import type { CloudApi } from './graph-client.ts'

/** Hosts of template samples. Other hosts are not fetched, because they could be internal services. */
const META_HOSTS = /(?:^|\.)(?:fbcdn\.net|fbsbx\.com|whatsapp\.net)$/i
const TIMEOUT_MS = 20_000

/**
 * Downloads a template's sample from the address in Meta's list. Sends no token, because the address itself authorizes
 * the download for some time. Returns null for an address outside Meta, a failed download, or a file over `maxBytes`.
 */
export async function downloadSample(api: CloudApi, address: string, maxBytes: number): Promise<Buffer | null> {
	if (!isMetaUrl(address, api)) return null
	try {
		const response = await request(address, {
			dispatcher: api.files,
			headersTimeout: TIMEOUT_MS,
			bodyTimeout: TIMEOUT_MS,
			signal: AbortSignal.timeout(TIMEOUT_MS),
		})
		if (response.statusCode !== 200) {
			await response.body.dump()
			return null
		}
		return await readUpTo(response.body, maxBytes)
	} catch {
		return null
	}
}

/**
 * Returns true for an HTTPS address of a Meta host, or one of the configured Graph API. undici follows no redirects.
 */
export function isMetaUrl(address: string, api: Pick<CloudApi, 'origin'>): boolean {
	const url = URL.parse(address)
	if (!url) return false
	if (url.origin === api.origin) return true
	const { protocol, hostname, port, username } = url
	return protocol === 'https:' && port === '' && username === '' && META_HOSTS.test(hostname)
}

async function readUpTo(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer | null> {
	const chunks: Buffer[] = []
	let bytes = 0
	for await (const chunk of body) {
		const part = Buffer.from(chunk as Uint8Array)
		bytes += part.length
		// Leaving the loop closes the connection.
		if (bytes > maxBytes) return null
		chunks.push(part)
	}
	return Buffer.concat(chunks)
}
