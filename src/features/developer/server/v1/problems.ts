import { STATUS_CODES } from 'node:http'
import type { FastifyError } from 'fastify'
import type * as z from 'zod/mini'
import type { Amount, Problem } from '#features/developer/v1-fields.ts'
import { paiseFromRupees } from '#lib/money.ts'
import { AppError, InvalidInput } from '#lib/server/errors.ts'
import { ADDRESS_UNREADABLE, describe } from '#lib/server/http/http-server.ts'
import type { Http } from '#lib/server/http/http.ts'
import { problemOf } from '../docs/errors.ts'
import { faultAt } from '../faults.ts'
import { presentAmount } from '../present.ts'

/** Where an error names none of its own. They are a part of the API: they stay. */
const CODES: Readonly<Record<number, string>> = {
	400: 'unreadable',
	401: 'unauthenticated',
	402: 'insufficient_balance',
	403: 'forbidden',
	404: 'not_found',
	409: 'conflict',
	413: 'too_large',
	415: 'unsupported_media_type',
	422: 'invalid',
	429: 'rate_limited',
}

/** Answers errors as RFC 9457 says. */
export function serveProblems(v1: Http): void {
	v1.removeContentTypeParser('text/plain')
	v1.setErrorHandler((error: FastifyError, request, reply) => {
		const { status, body } = describe(error, request, reply)
		// What the services refuse for its content is well-formed: the rest of 400 could not be read at all.
		const problem = problemOfError(error instanceof AppError && status === 400 ? 422 : status, { error, body })
		if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
		return reply.status(problem.status).header('content-type', 'application/problem+json').send(problem)
	})
	v1.setNotFoundHandler(() => {
		throw new AppError(404, 'There is no such call')
	})
}

/** The problem of an address of /v1 that no route sees, such as one with % and no digits; null for another one. */
export function addressProblemOfV1(url: string): z.output<typeof Problem> | null {
	return url.startsWith('/v1/') ? problemOf(400, 'unreadable', ADDRESS_UNREADABLE) : null
}

function problemOfError(
	status: number,
	{ error, body }: { error: Error; body: Record<string, unknown> },
): z.output<typeof Problem> & Record<string, unknown> {
	const { message, fields: _, ...details } = body
	const issues = error instanceof InvalidInput ? error.issues : []
	const errors = issues.map((issue) => faultAt(issue.path, issue.message))
	// What has no place of its own is a fault of the whole.
	if (status === 422 && errors.length === 0 && typeof message === 'string') errors.push(faultAt([], message))
	return {
		type: 'about:blank',
		title: STATUS_CODES[status] ?? 'Error',
		status,
		code: CODES[status] ?? 'internal',
		...(typeof message === 'string' && { detail: message }),
		...(errors.length > 0 && { errors }),
		...details,
		...shortage(details),
	}
}

/** What a 402 says of money in rupees, as every amount of /v1 is. */
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
