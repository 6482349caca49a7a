import { problem } from '#features/developer/problems.ts'
import type { Db } from '#lib/server/db.ts'
import { addressOf, tokenOf, type Http } from '#lib/server/http/http.ts'
import { createKeyGate, unknownKey } from '../keys/keys.ts'

/** Maximum number of calls by an account to this process per window, well above the pace of one sender. */
const MAX_CALLS = 10_000
const WINDOW_SECONDS = 10

/** Admits callers by their key, limits the calls of each account, and adds the number of remaining calls to every answer. */
export function serveKeyGate(v1: Http, { db }: { db: Db }): void {
	const findKeyHolder = createKeyGate(db)
	const limit = v1.createRateLimit({
		max: MAX_CALLS,
		timeWindow: WINDOW_SECONDS * 1000,
		keyGenerator: ({ keyHolder }) => String(keyHolder?.accountId),
	})
	v1.addHook('onRequest', async (request, reply) => {
		if (request.routeOptions.config.access !== 'key') return
		const token = tokenOf(request)
		if (token === undefined) throw unknownKey()
		request.keyHolder = await findKeyHolder(token, addressOf(request))
		const used = await limit(request)
		if (used.isAllowed) return
		reply.header('ratelimit-policy', `"account";q=${MAX_CALLS};w=${WINDOW_SECONDS}`)
		reply.header('ratelimit', `"account";r=${used.remaining};t=${used.ttlInSeconds}`)
		if (used.isExceeded) throw problem('too_many_program_calls', { waitSeconds: used.ttlInSeconds })
	})
}
