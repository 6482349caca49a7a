import type { FastifyRequest } from 'fastify'
import { AppError } from '#lib/server/errors.ts'
import { sha256 } from '#lib/server/secrets.ts'
import type { RepeatableRequest } from './request-queries.ts'

const MAX_KEY_LENGTH = 255

/** What `Idempotency-Key` says of a request; null without it. */
export function readRepeatable(request: FastifyRequest, body: unknown): RepeatableRequest | null {
	const key = request.headers['idempotency-key']
	if (key === undefined) return null
	if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH)
		throw new AppError(422, `An Idempotency-Key has 1 to ${MAX_KEY_LENGTH} characters`)
	const { method, routeOptions, params } = request
	const asked = JSON.stringify([method, routeOptions.url, params, body])
	return { keyHash: sha256(key), requestHash: sha256(asked) }
}

export function keyReused(): AppError {
	const message = 'This Idempotency-Key was used in the last 24 hours for another request. Send a new key.'
	return new AppError(409, message, { code: 'idempotency_key_reused' })
}
