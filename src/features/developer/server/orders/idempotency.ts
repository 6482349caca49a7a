import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import { problem } from '#features/developer/problems.ts'
import { AppError } from '#lib/app-error.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { rehearse } from '#lib/server/db/rehearsal.ts'
import { sha256 } from '#lib/server/secrets.ts'
import {
	claimRequests,
	listAnswers,
	saveAnswer,
	type ClaimedRequests,
	type IdempotentRequest,
} from './request-queries.ts'

const MAX_KEY_LENGTH = 255

/**
 * Returns the hashes of a request's `Idempotency-Key` and content; null without the header. Throws a 422 for an invalid key.
 */
export function readIdempotentRequest(request: FastifyRequest, body: unknown): IdempotentRequest | null {
	const key = request.headers['idempotency-key']
	if (key === undefined) return null
	if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH)
		throw problem('idempotency_key_invalid', { most: MAX_KEY_LENGTH })
	const { method, routeOptions, params } = request
	const asked = JSON.stringify([method, routeOptions.url, params, body])
	// Uses the key for the hash, because a bare hash of a short request could be tried against every phone number, even after
	// an erasure.
	const requestHash = createHmac('sha256', key).update(asked).digest()
	// Test keys and real keys use separate sets of Idempotency-Keys.
	const keyHash = sha256(request.keyHolder?.isTest ? `test:${key}` : key)
	return { keyHash, requestHash, bareHash: sha256(asked) }
}

/**
 * Runs the work of a request, and stores its key and answer in the same transaction, so that a crash leaves both or neither. A
 * repeated request returns the first answer; a refused request stores nothing and can be corrected.
 */
export async function runIdempotent<T, P>(
	db: Db,
	accountId: AccountId,
	{ asked, prepare, work, timeoutMs }: IdempotentOptions<T, P>,
): Promise<T> {
	const known = asked && (await findAnswer(db, accountId, asked))
	if (known) return known.answer as T
	const prepared = (await prepare?.()) as P
	const options = timeoutMs === undefined ? {} : { timeoutMs }
	return transaction(
		db,
		async (sql) => {
			if (!asked) return work(sql, prepared)
			const claimed = await claimKeys(sql, accountId, { requests: [asked] })
			const found = claimed === 0 && (await findAnswer(sql, accountId, asked))
			if (found) return found.answer as T
			const answer = await work(sql, prepared)
			await saveAnswer(sql, accountId, { keyHash: asked.keyHash, answer })
			return answer
		},
		options,
	)
}

interface IdempotentOptions<T, P> {
	asked: IdempotentRequest | null
	/** Runs before the transaction. */
	prepare?: () => Promise<P>
	work: (sql: Sql, prepared: P) => Promise<T>
	/** Timeout of each statement in milliseconds. */
	timeoutMs?: number
}

/** Returns the answer to an earlier request with this key; null without one. Throws a 409 for another request. */
export async function findAnswer(
	sql: Sql,
	accountId: AccountId,
	asked: IdempotentRequest,
): Promise<{ answer: unknown } | null> {
	const [known] = await listAnswers(sql, accountId, [asked.keyHash])
	if (known && !isSameRequest(asked, known)) throw keyReused()
	return known ?? null
}

const LOCK_TIMEOUT = '55P03'

/**
 * Claims keys and returns the number of new ones. Rejects with a 409 when another request with one of them takes longer than
 * `waitMs`.
 */
export async function claimKeys(sql: Sql, accountId: AccountId, asked: ClaimedRequests): Promise<number> {
	try {
		return await claimRequests(sql, accountId, asked)
	} catch (error) {
		if (!(error instanceof DatabaseError) || error.code !== LOCK_TIMEOUT) throw error
		throw problem('idempotency_in_progress')
	}
}

/** Resolves when no other transaction is claiming this key, without claiming it. Rejects as `claimKeys` does. */
export async function waitForKey(db: Db, accountId: AccountId, asked: IdempotentRequest): Promise<void> {
	await rehearse(db, (sql) => claimKeys(sql, accountId, { requests: [asked] }))
}

/**
 * Returns true when the stored hash is that of the request: its hash with the key or, for a day after an update, the
 * bare hash that the preceding release stored.
 */
export function isSameRequest(asked: IdempotentRequest, noted: Pick<IdempotentRequest, 'requestHash'>): boolean {
	return noted.requestHash.equals(asked.requestHash) || asked.bareHash?.equals(noted.requestHash) === true
}

export function keyReused(): AppError {
	return problem('idempotency_key_reused')
}
