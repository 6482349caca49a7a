import { randomBytes } from 'node:crypto'
import type { Caller } from '../graph/call.ts'
import type { GraphError } from '../graph/errors.ts'
import { type Answer, jsonAnswer } from './answer.ts'

/** Error codes of a missing or invalid token. */
const TOKEN_CODES: readonly number[] = [0, 102, 104, 190]
const RATE_CODES: readonly number[] = [4, 80007, 130429]
/** Edges that count as messaging in the usage header; all others count as management. */
const MESSAGING_EDGES: readonly string[] = ['messages', 'marketing_messages', 'media']

/** Returns the headers of an answer: the version that answered, and the used share of the account's rate limit in percent. */
export function answerHeaders({ version, edge, wabaId }: Caller, isLimited = false): Record<string, string> {
	if (wabaId === null) return { 'facebook-api-version': version }
	const type = MESSAGING_EDGES.includes(edge) ? 'whatsapp' : 'whatsapp_business_management'
	const used = isLimited ? 100 : 1
	const usage =
		`{"${wabaId}":[{"type":"${type}","call_count":${used},"total_cputime":1,"total_time":1,` +
		`"estimated_time_to_regain_access":${isLimited ? 1 : 0}}]}`
	return { 'facebook-api-version': version, 'x-business-use-case-usage': usage }
}

/** Returns the answer to a refused call. The caller is null for downloads of files, which are outside the Graph API. */
export function refusalOf(error: GraphError, caller: Caller | null): Answer {
	const answer = jsonAnswer(error.status, error.body())
	const headers = {
		...answer.headers,
		...(caller ? answerHeaders(caller, RATE_CODES.includes(error.code)) : {}),
		'x-fb-request-id': error.traceId,
		'x-fb-trace-id': randomBytes(8).toString('base64').slice(0, 11),
		...(error.status < 500 ? { 'www-authenticate': challengeOf(error) } : {}),
	}
	return { ...answer, headers }
}

/** Returns the www-authenticate header. Replaces characters that a header must not contain: the message may quote the caller. */
function challengeOf({ code, message }: GraphError): string {
	const kind = TOKEN_CODES.includes(code) ? 'invalid_token' : code === 803 ? 'not_found' : 'invalid_request'
	return `OAuth "Facebook Platform" "${kind}" "${message.replace(/[^ -~]/g, '?')}"`
}
