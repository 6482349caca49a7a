import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import { sha256 } from '#lib/server/secrets.ts'
import {
	claimRequests,
	listAnswers,
	saveAnswer,
	type ClaimedRequests,
	type RepeatableRequest,
} from './request-queries.ts'

const MAX_KEY_LENGTH = 255

/** What `Idempotency-Key` says of a request; null without it. */
export function readRepeatable(request: FastifyRequest, body: unknown): RepeatableRequest | null {
	const key = request.headers['idempotency-key']
	if (key === undefined) return null
	if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH)
		throw new AppError(422, `An Idempotency-Key has 1 to ${MAX_KEY_LENGTH} characters`)
	const { method, routeOptions, params } = request
	const asked = JSON.stringify([method, routeOptions.url, params, body])
	// Keyed: a bare hash of a short request could be tried against every phone number, also after an erasure.
	const requestHash = createHmac('sha256', key).update(asked).digest()
	// A test key has Idempotency-Keys of its own.
	const keyHash = sha256(request.keyHolder?.isTest ? `test:${key}` : key)
	return { keyHash, requestHash, bareHash: sha256(asked) }
}

/**
 * Does the work of a request in one transaction with noting its key and its answer: after a crash there is either all of it or
 * nothing. A repeated request is answered as the first was; one that was refused is forgotten, so that it can be corrected.
 */
export async function answerOnce<T, P>(
	db: Db,
	accountId: AccountId,
	{ asked, prepare, work, timeoutMs }: OnceOptions<T, P>,
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

interface OnceOptions<T, P> {
	asked: RepeatableRequest | null
	/** What comes before the transaction. */
	prepare?: () => Promise<P>
	work: (sql: Sql, prepared: P) => Promise<T>
	/** Of each statement. */
	timeoutMs?: number
}

async function findAnswer(
	sql: Sql,
	accountId: AccountId,
	asked: RepeatableRequest,
): Promise<{ answer: unknown } | null> {
	const [known] = await listAnswers(sql, accountId, [asked.keyHash])
	if (known && !isSameRequest(asked, known)) throw keyReused()
	return known ?? null
}

const LOCK_TIMEOUT = '55P03'
export const KEY_IN_PROGRESS = 'idempotency_in_progress'

/**
 * Notes keys, and returns how many are new. Rejects with a 409 where another request with one of them goes on for longer than
 * `waitMs`.
 */
export async function claimKeys(sql: Sql, accountId: AccountId, asked: ClaimedRequests): Promise<number> {
	try {
		return await claimRequests(sql, accountId, asked)
	} catch (error) {
		if (!(error instanceof DatabaseError) || error.code !== LOCK_TIMEOUT) throw error
		const message = 'A request with this Idempotency-Key is still under way. Send it again in some seconds.'
		throw new AppError(409, message, { code: KEY_IN_PROGRESS })
	}
}

/** Resolves once no other transaction is noting this key, which itself stays as it was. Rejects as `claimKeys` does. */
export async function waitForKey(db: Db, accountId: AccountId, asked: RepeatableRequest): Promise<void> {
	const free = new Error('rolled back')
	const claiming = transaction(db, async (sql) => {
		await claimKeys(sql, accountId, { requests: [asked] })
		throw free
	})
	await claiming.catch((error: unknown) => {
		if (error !== free) throw error
	})
}

/** Returns whether a request is the one whose hash was noted, by this release or, for a day after an update, by one that noted bare hashes. */
export function isSameRequest(asked: RepeatableRequest, noted: Pick<RepeatableRequest, 'requestHash'>): boolean {
	return noted.requestHash.equals(asked.requestHash) || asked.bareHash?.equals(noted.requestHash) === true
}

export function keyReused(): AppError {
	const message = 'This Idempotency-Key was used in the last 24 hours for another request. Send a new key.'
	return new AppError(409, message, { code: 'idempotency_key_reused' })
}
