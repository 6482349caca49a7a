import { createHmac } from 'node:crypto'

/**
 * Returns a value as JSON with every non-ASCII character as `\uXXXX` in lower-case hex, which is the form that Meta signs and
 * sends.
 */
export function escapedJson(value: unknown): string {
	return JSON.stringify(value).replace(
		/[\u007f-\uffff]/g,
		(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
	)
}

/** Returns the X-Hub-Signature-256 header for these exact bytes. */
export function sign(body: Buffer, appSecret: string): string {
	return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}
