import { request } from 'undici'
import { readUpTo } from '#lib/server/files/read-up-to.ts'
import { ask } from './cloud-api.ts'
import { GraphError, type CloudApi } from './graph-client.ts'

const TIMEOUT_MS = 30_000
/** Time limit of the whole download, in milliseconds. */
const MAX_DOWNLOAD_MS = 240_000
const MEDIA_HOST = 'lookaside.fbsbx.com'
/** Hosts of template samples. Other hosts are not fetched, because they could be internal services. */
const SAMPLE_HOSTS = /(?:^|\.)(?:fbcdn\.net|fbsbx\.com|whatsapp\.net)$/i
const SAMPLE_TIMEOUT_MS = 20_000

/** Returns the address from which Meta serves a customer's file. The address is valid for five minutes. */
export async function getMediaAddress(
	api: CloudApi,
	{ mediaId, phoneNumberId, token }: { mediaId: string; phoneNumberId: string; token: string },
): Promise<string> {
	const path = `/${encodeURIComponent(mediaId)}?phone_number_id=${encodeURIComponent(phoneNumberId)}`
	return String((await ask(api, { method: 'GET', path, token })).url)
}

/** Deletes an uploaded file at Meta. */
export async function deleteMedia(
	api: CloudApi,
	{ mediaId, phoneNumberId, token }: { mediaId: string; phoneNumberId: string; token: string },
): Promise<void> {
	const path = `/${encodeURIComponent(mediaId)}?phone_number_id=${encodeURIComponent(phoneNumberId)}`
	await ask(api, { method: 'DELETE', path, token })
}

/**
 * Downloads a file. The request carries the access token, so only Meta's hosts and the configured Graph API are asked
 * and redirects are not followed. Throws `MediaTooLarge` beyond `maxBytes`.
 */
export async function downloadMedia(
	api: CloudApi,
	{ url, token, maxBytes, signal }: { url: string; token: string; maxBytes: number; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
	if (!mayHaveToken(url, api.origin)) throw new Error('the address of a file is not one of WhatsApp')
	const { statusCode, headers, body } = await request(url, {
		dispatcher: api.files,
		headers: { authorization: `Bearer ${token}` },
		headersTimeout: TIMEOUT_MS,
		bodyTimeout: TIMEOUT_MS,
		signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_DOWNLOAD_MS)]),
	})
	// An 'error' event without a listener would end the process while the stream is not being read.
	body.on('error', () => {})
	if (statusCode !== 200 || Number(headers['content-length'] ?? 0) > maxBytes) {
		body.destroy()
		throw statusCode === 200 ? tooLarge(maxBytes) : new GraphError(statusCode, null)
	}
	return limited(body, maxBytes)
}

/** Returns true when the access token may be sent to this address. */
export function mayHaveToken(url: string, graphOrigin: string): boolean {
	if (!URL.canParse(url)) return false
	const { origin, protocol, hostname, port, username } = new URL(url)
	if (username !== '') return false
	if (origin === graphOrigin) return true
	return protocol === 'https:' && port === '' && (hostname === MEDIA_HOST || hostname.endsWith('.fbcdn.net'))
}

/** Error for a file over the size limit; another attempt cannot succeed. */
export class MediaTooLarge extends Error {}

function tooLarge(maxBytes: number): MediaTooLarge {
	return new MediaTooLarge(`the file has more than ${maxBytes} bytes`)
}

async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
	let bytes = 0
	for await (const chunk of body) {
		bytes += chunk.length
		if (bytes > maxBytes) throw tooLarge(maxBytes)
		yield chunk
	}
}

/**
 * Downloads a template's sample from the address in Meta's list. Sends no token, because the address itself authorizes
 * the download for some time. Returns null for an address outside Meta, a failed download, or a file over `maxBytes`.
 */
export async function downloadSample(api: CloudApi, address: string, maxBytes: number): Promise<Buffer | null> {
	if (!isMetaUrl(address, api)) return null
	try {
		const response = await request(address, {
			dispatcher: api.files,
			headersTimeout: SAMPLE_TIMEOUT_MS,
			bodyTimeout: SAMPLE_TIMEOUT_MS,
			signal: AbortSignal.timeout(SAMPLE_TIMEOUT_MS),
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
 * Returns true when a sample may be fetched from this address. undici follows no redirects.
 */
export function isMetaUrl(address: string, api: Pick<CloudApi, 'origin'>): boolean {
	const url = URL.parse(address)
	if (!url) return false
	if (url.origin === api.origin) return true
	const { protocol, hostname, port, username } = url
	return protocol === 'https:' && port === '' && username === '' && SAMPLE_HOSTS.test(hostname)
}
