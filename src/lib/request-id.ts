import * as z from 'zod/mini'

/** Made by a form once per opening, so that a double click or a retried request takes effect once. */
export const RequestId = z.string().check(z.regex(/^[\w-]{8,64}$/, 'Not a valid request id'))

/** Like a random UUID, which browsers only make on a secure connection; an office network may have none. */
export function newRequestId(): string {
	return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-')
}
