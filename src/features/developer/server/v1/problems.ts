import { STATUS_CODES } from 'node:http'
import type { FastifyError } from 'fastify'
import type * as z from 'zod/mini'
import { problem } from '#features/developer/problems.ts'
import type { Amount, Problem } from '#features/developer/v1-fields.ts'
import { AppError } from '#lib/app-error.ts'
import type { Endpoint } from '#lib/endpoint.ts'
import { paiseFromRupees } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { problem as libProblem } from '#lib/problems.ts'
import { InvalidInput } from '#lib/server/errors.ts'
import { MAX_ISSUES } from '#lib/server/http/body/read-lists.ts'
import { describe } from '#lib/server/http/http-server.ts'
import type { Http } from '#lib/server/http/http.ts'
import { ERRORS, problemOf, type ErrorCode } from '../docs/errors.ts'
import { faultAt, faultsOf } from '../faults.ts'
import { presentAmount } from '../present.ts'

/** Default code of an error by its status. Codes are part of the API and never change. */
const CODES: Readonly<Record<number, string>> = {
	400: 'unreadable',
	401: 'unauthenticated',
	402: 'insufficient_balance',
	403: 'forbidden',
	404: 'not_found',
	405: 'method_not_allowed',
	409: 'conflict',
	413: 'too_large',
	415: 'unsupported_media_type',
	422: 'invalid',
	429: 'rate_limited',
	503: 'unavailable',
}

/** Makes these routes answer every refusal as RFC 9457 says, also for unknown addresses and methods. */
export function serveProblems(v1: Http, endpoints: readonly Endpoint[]): void {
	v1.removeContentTypeParser('text/plain')
	v1.setErrorHandler((error: FastifyError, request, reply) => {
		const { status, body } = describe(error, request, reply)
		if (status === 413) Object.assign(body, tooLarge(body, request.routeOptions.bodyLimit))
		// A 400 of a service refuses well-formed content and becomes a 422. Any other 400 means that the input could not be read.
		const answer = problemOfError(error instanceof AppError && status === 400 ? 422 : status, { error, body })
		if (answer.status === 401) reply.header('www-authenticate', 'Bearer')
		return reply.status(answer.status).header('content-type', 'application/problem+json').send(answer)
	})
	v1.setNotFoundHandler((request, reply) => {
		const methods = methodsAt(endpoints, request.url.split('?', 1)[0] ?? '')
		if (methods.length === 0) throw problem('call_not_found')
		reply.header('allow', methods.join(', '))
		throw problem('method_not_allowed', { methods, method: request.method })
	})
}

/** Returns the methods of the calls with this path; none for an unknown address. */
function methodsAt(endpoints: readonly Endpoint[], path: string): string[] {
	const parts = path.split('/')
	const matching = endpoints.filter((one) => {
		const wanted = one.path.split('/')
		return (
			wanted.length === parts.length &&
			wanted.every((part, at) => part === parts[at] || (part.startsWith('{') && parts[at] !== ''))
		)
	})
	const methods = matching.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
	return [...new Set(methods)]
}

function tooLarge({ maxNames, maxValues }: Record<string, unknown>, maxBytes: number | undefined): object {
	if (typeof maxNames === 'number' && typeof maxValues === 'number') {
		const limits = `${formatCount(maxNames)} names and ${formatCount(maxValues)} values`
		return { message: `The body is too large: this call takes at most ${limits}` }
	}
	if (maxBytes === undefined) return {}
	const limit = maxBytes.toLocaleString('en')
	return { message: `The body is too large: this call takes at most ${limit} bytes`, maxBytes }
}

/**
 * Returns the problem of an unreadable address of /v1, such as one with % and no digits, which reaches no route; null for other
 * addresses.
 */
export function addressProblemOfV1(url: string): z.output<typeof Problem> | null {
	return url.startsWith('/v1/') ? problemOf(400, 'unreadable', libProblem('address_unreadable').message) : null
}

function problemOfError(
	status: number,
	{ error, body }: { error: Error; body: Record<string, unknown> },
): z.output<typeof Problem> & Record<string, unknown> {
	const { message, fields: _, errors: __, ...details } = body
	const faults = faultsOf(error)
	const count = error instanceof InvalidInput ? error.issueCount : faults.length
	const errors = faults.slice(0, MAX_ISSUES)
	// A fault without a place concerns the whole body.
	if (status === 422 && errors.length === 0 && typeof message === 'string') errors.push(faultAt([], message))
	const more = count > 1 ? ` (and ${formatCount(count - 1)} more)` : ''
	return {
		type: 'about:blank',
		title: STATUS_CODES[status] ?? 'Error',
		status,
		code: publishedCode(error, status),
		...(typeof message === 'string' && { detail: message + more }),
		...(errors.length > 0 && { errors }),
		...(count > errors.length && { errorCount: count }),
		...details,
		...shortage(details),
	}
}

/** Returns the error's own code where the documentation lists it with this status, and otherwise the code of the status. */
function publishedCode(error: Error, status: number): string {
	const own = error instanceof AppError && isPublished(error.code) ? error.code : null
	return own !== null && ERRORS[own][0] === status ? own : (CODES[status] ?? 'internal')
}

function isPublished(code: string): code is ErrorCode {
	return Object.hasOwn(ERRORS, code)
}

/** Returns the amounts of a 402 as amounts of /v1. */
function shortage({
	needed,
	available,
}: Record<string, unknown>): Pick<z.output<typeof Problem>, 'needed' | 'available'> {
	if (typeof needed !== 'number' || typeof available !== 'number') return {}
	return { needed: amountOf(needed), available: amountOf(available) }
}

function amountOf(rupees: number): z.output<typeof Amount> {
	return presentAmount(paiseFromRupees(rupees) ?? 0)
}
