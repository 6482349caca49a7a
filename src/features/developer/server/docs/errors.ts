import { STATUS_CODES } from 'node:http'
import type * as z from 'zod/mini'
import type { Problem } from '#features/developer/v1-fields.ts'
import type { OperationDocs } from '#lib/server/http/openapi.ts'

/** Codes of problems, each with its status and meaning. */
export const ERRORS = {
	unauthenticated: [401, 'The key is missing, unknown, expired or revoked.'],
	scope_missing: [403, 'The key does not have the scope that this call needs.'],
	network_not_allowed: [403, 'The key may not be used from this network address.'],
	rate_limited: [429, 'Too many calls. Wait for the seconds that `Retry-After` says.'],
	test_limit_reached: [429, 'Your account has the maximum number of test messages. They are deleted after a day.'],
	unreadable: [400, 'The body is not JSON, or has more than 32 levels.'],
	method_not_allowed: [405, 'The address does not accept this method. `Allow` names the methods that it accepts.'],
	too_large: [
		413,
		'The body is too large. `maxBytes` is the limit of the call in bytes, or `maxNames` and `maxValues` are its limits of names and values.',
	],
	unsupported_media_type: [415, 'The body was not sent as `application/json`.'],
	invalid: [
		422,
		'A part of the request is not valid, or the call does not know it. `errors` names each fault with its place, and nothing was changed.',
	],
	not_found: [404, 'Your account has nothing with this id.'],
	template_not_found: [404, 'Your account has no template with this name and language.'],
	template_not_usable: [422, 'The template is not approved, or needs something that cannot be sent from here.'],
	recipient_opted_out: [422, 'The template is marketing, and the number has opted out of it.'],
	recipient_unpriced: [422, 'Messages to the country of the number are blocked for your account, or have no price.'],
	recipient_listed: [422, 'The campaign already has some of these numbers. `errors` names them.'],
	insufficient_balance: [
		402,
		'The wallet is short. `needed` and `available` are the amounts, and nothing was changed.',
	],
	day_limit_reached: [
		402,
		'The request would exceed the key’s limit for this Indian day. `spent` and `limit` are the amounts, and nothing was changed.',
	],
	sender_missing: [409, 'Your account has no WhatsApp number yet.'],
	sender_stopped: [409, 'Your WhatsApp number cannot send at present. `detail` says why.'],
	busy: [409, 'Another request is changing the same data. Send the request again.'],
	conflict: [409, 'The present state does not allow this call. `detail` says why.'],
	idempotency_key_reused: [409, 'The Idempotency-Key was used for another request in the last 24 hours.'],
	idempotency_in_progress: [
		409,
		'A request with this Idempotency-Key is still running. Send it again after some seconds.',
	],
} as const satisfies Record<string, [status: number, meaning: string]>

export type ErrorCode = keyof typeof ERRORS

export function problemOf(status: number, code: string, detail: string): z.output<typeof Problem> {
	return { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, code, detail }
}

/** Headers that accompany a status. */
const HEADERS: Readonly<Record<number, Record<string, string>>> = {
	401: { 'WWW-Authenticate': '`Bearer`' },
	405: { Allow: 'The methods that the address accepts.' },
	429: { 'Retry-After': 'Seconds to wait before the request is sent again.' },
}

/** Returns the documentation of errors by status: each code with its meaning in Markdown, and an example of the first. */
export function errorsByStatus(codes: readonly ErrorCode[]): OperationDocs['errors'] {
	return Object.fromEntries(
		Array.from(
			Map.groupBy(codes, (code) => ERRORS[code][0]),
			([status, some]) => {
				const [first = 'invalid'] = some
				const description = some.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n')
				const headers = HEADERS[status] ?? {}
				return [status, { description, headers, example: problemOf(status, first, ERRORS[first][1]) }]
			},
		),
	)
}
