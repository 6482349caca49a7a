import * as z from 'zod/mini'
import { Text } from './fields.ts'

/** An idempotency key, created at each opening of a form, so that a double click or retry takes effect once. */
export const RequestId = Text(64, { tooLong: 'Not a valid request id' }).check(
	z.regex(/^[\w-]{8,}$/, 'Not a valid request id'),
)

/**
 * Returns `parts` groups of 32 random bits. Not `crypto.randomUUID`, which browsers offer over HTTPS only, since office
 * networks may use plain HTTP.
 */
export function newRequestId(parts = 4): string {
	return Array.from(crypto.getRandomValues(new Uint32Array(parts)), (part) => part.toString(16)).join('-')
}
