import { createHmac } from 'node:crypto'

const LIFETIME_SECONDS = 5 * 60

/** Returns a URL from which the file can be downloaded for the next five minutes. */
export function mediaUrl(id: string, origin: string): string {
	const expires = String(nowSeconds() + LIFETIME_SECONDS)
	return `${origin}/whatsapp_business/attachments/?mid=${id}&ext=${expires}&hash=${signatureOf(id, expires)}`
}

/** Returns the id of the file that a URL names, or null if its signature is wrong or it has expired. */
export function fileOf(query: URLSearchParams): string | null {
	const [id, expires] = [query.get('mid') ?? '', query.get('ext') ?? '']
	return query.get('hash') === signatureOf(id, expires) && Number(expires) > nowSeconds() ? id : null
}

function nowSeconds(): number {
	return Math.floor(Date.now() / 1_000)
}

function signatureOf(id: string, expires: string): string {
	return createHmac('sha256', 'media address').update(`${id} ${expires}`).digest('base64url')
}
