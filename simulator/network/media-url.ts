import { createHmac } from 'node:crypto'

const LIFETIME_SECONDS = 5 * 60

/** The URL that a file can be downloaded at for the next five minutes. */
export function mediaUrl(id: string, origin: string): string {
	const expires = String(nowSeconds() + LIFETIME_SECONDS)
	return `${origin}/whatsapp_business/attachments/?mid=${id}&ext=${expires}&hash=${seal(id, expires)}`
}

/** The id of the file that such a URL is for, or null if the URL is not ours or too old. */
export function fileOf(query: URLSearchParams): string | null {
	const [id, expires] = [query.get('mid') ?? '', query.get('ext') ?? '']
	return query.get('hash') === seal(id, expires) && Number(expires) > nowSeconds() ? id : null
}

function nowSeconds(): number {
	return Math.floor(Date.now() / 1_000)
}

function seal(id: string, expires: string): string {
	return createHmac('sha256', 'media address').update(`${id} ${expires}`).digest('base64url')
}
