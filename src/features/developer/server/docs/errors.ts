import { STATUS_CODES } from 'node:http'
import type * as z from 'zod/mini'
import type { Problem } from '#features/developer/v1-fields.ts'
import type { OperationDocs } from '#lib/server/http/openapi.ts'

/** Codes of problems, each with its status and meaning. */
export const ERRORS = {
	unauthenticated: [401, 'The key is missing, unknown, expired or revoked.'],
	scope_missing: [403, 'The key was made without the permission that this call needs.'],
	network_not_allowed: [403, 'The key may not be used from this network address.'],
	rate_limited: [429, 'Too many calls. Wait for the seconds that `Retry-After` says.'],
	test_limit_reached: [429, 'Your account has as many test messages as it may. They are deleted after a day.'],
	unreadable: [400, 'The body is no JSON, or has more than 32 levels.'],
	method_not_allowed: [405, 'The address does not take this method. `Allow` names those that it takes.'],
	too_large: [
		413,
		'The body is too large. `maxBytes` says how many bytes the call takes, or `maxNames` and `maxValues` how much in them.',
	],
	unsupported_media_type: [415, 'The body was not sent as `application/json`.'],
	invalid: [
		422,
		'Something in the request is not valid, or is unknown to the call. `errors` names each fault with its place, and nothing was done.',
	],
	not_found: [404, 'Your account has nothing with this id.'],
	template_not_found: [404, 'Your account has no template with this name and language.'],
	template_not_usable: [422, 'The template is not approved, or needs something that cannot be sent from here.'],
	recipient_opted_out: [422, 'The template is marketing, and the number has opted out of it.'],
	recipient_unpriced: [422, 'Messages to the country of the number are blocked for your account, or have no price.'],
	recipient_listed: [422, 'The campaign has some of these numbers already. `errors` names them.'],
	insufficient_balance: [
		402,
		'The wallet has too little. `needed` and `available` say how much, and nothing was done.',
	],
	day_limit_reached: [
		402,
		'The key has a limit for each Indian day, which this would pass. `spent` and `limit` say how far it is, and nothing was done.',
	],
	sender_missing: [409, 'Your account has no WhatsApp number yet.'],
	sender_stopped: [409, 'Your WhatsApp number cannot send at present. `detail` says why.'],
	busy: [409, 'Another request changes the same at this moment. Send it again.'],
	conflict: [409, 'The present state does not allow it. `detail` says why.'],
	idempotency_key_reused: [409, 'The Idempotency-Key was used for another request in the last 24 hours.'],
	idempotency_in_progress: [
		409,
		'A request with this Idempotency-Key is still under way. Send it again in some seconds.',
	],
} as const satisfies Record<string, [status: number, meaning: string]>

export type ErrorCode = keyof typeof ERRORS

export function problemOf(status: number, code: string, detail: string): z.output<typeof Problem> {
	return { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, code, detail }
}

/** Headers that accompany a status. */
const HEADERS: Readonly<Record<number, Record<string, string>>> = {
	401: { 'WWW-Authenticate': '`Bearer`' },
	405: { Allow: 'The methods that the address takes.' },
	429: { 'Retry-After': 'After how many seconds to send the request again.' },
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
