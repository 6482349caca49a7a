import { request } from 'undici'
import type { CloudApi } from './graph-client.ts'

/** The hosts of template samples. Other addresses are not fetched, as they could reach internal services. */
const META_HOSTS = /(?:^|\.)(?:fbcdn\.net|fbsbx\.com|whatsapp\.net)$/i
const TIMEOUT_MS = 20_000

/**
 * Fetches a template's sample from the address in Meta's list, without any token: the address itself is the permission, for
 * a while. Null where it is no address of Meta's, is not answered, or the file has more than `maxBytes`.
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

/** Whether the address is on a host of Meta over HTTPS, or on the configured Graph API. undici follows no redirects. */
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
