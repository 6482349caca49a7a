import { STATUS_CODES } from 'node:http'
import type { FastifyError } from 'fastify'
import type * as z from 'zod/mini'
import type { Problem } from '#features/developer/v1-fields.ts'
import { AppError } from '#lib/server/errors.ts'
import { describe } from '#lib/server/http-server.ts'
import type { Http } from '#lib/server/http.ts'

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
	v1.setErrorHandler((error: FastifyError, request, reply) => {
		const { status, body } = describe(error, request, reply)
		// What the services refuse for its content is well-formed: the rest of 400 could not be read at all.
		const problem = problemOf(error instanceof AppError && status === 400 ? 422 : status, body)
		return reply.status(problem.status).header('content-type', 'application/problem+json').send(problem)
	})
	v1.setNotFoundHandler(() => {
		throw new AppError(404, 'There is no such call')
	})
}

function problemOf(
	status: number,
	{ message, fields, ...details }: Record<string, unknown>,
): z.output<typeof Problem> & Record<string, unknown> {
	const places = Object.entries((fields ?? {}) as Record<string, string>)
	return {
		type: 'about:blank',
		title: STATUS_CODES[status] ?? 'Error',
		status,
		code: CODES[status] ?? 'internal',
		...(typeof message === 'string' && { detail: message }),
		...(places.length > 0 && { errors: places.map(([place, detail]) => ({ path: pointerTo(place), detail })) }),
		...details,
	}
}

/** `contacts.3.number` as a JSON pointer. */
function pointerTo(place: string): string {
	return place === '' ? '' : `/${place.replaceAll('.', '/')}`
}
