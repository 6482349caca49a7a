import { request } from 'undici'
import { ask } from './cloud-api.ts'
import { GraphError, type CloudApi } from './graph-client.ts'

const TIMEOUT_MS = 30_000
/** Time limit of the whole download, in milliseconds. */
const MAX_DOWNLOAD_MS = 240_000
const MEDIA_HOST = 'lookaside.fbsbx.com'

/** Returns the address from which Meta serves a customer's file. The address is valid for five minutes. */
export async function getMediaAddress(
	api: CloudApi,
	{ mediaId, phoneNumberId, token }: { mediaId: string; phoneNumberId: string; token: string },
): Promise<string> {
	const path = `/${encodeURIComponent(mediaId)}?phone_number_id=${encodeURIComponent(phoneNumberId)}`
	return String((await ask(api, { method: 'GET', path, token })).url)
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
