import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { failure } from '#features/delivery/server/message/status-update.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { getNow } from '#lib/server/db/now.ts'
import * as queries from './settle-queries.ts'
import { settleChatsAlone } from './settle.ts'

const CHUNK_SIZE = 500

/**
 * Fails a chunk of each account's messages that have been unconfirmed for `unknownAfter` seconds. Returns the number of
 * failed messages; call again until it is 0.
 */
export async function sweepUnconfirmedChats(deps: SweepContext & { unknownAfter: number }): Promise<number> {
	const seconds = deps.unknownAfter
	const due = await scanAllAccounts(deps.db, (only) => queries.listUnconfirmedAllAccounts(deps.db, { seconds, only }))
	return forEachAccount(deps, due, ({ accountId }) =>
		transaction(deps.db, (sql) => failChunk(sql, accountId, seconds), { isByKey: true }),
	)
}

async function failChunk(sql: Sql, accountId: AccountId, seconds: number): Promise<number> {
	const found = await queries.listUnconfirmed(sql, accountId, { seconds, limit: CHUNK_SIZE })
	const { code, text } = OWN_ERRORS.unconfirmed
	const at = await getNow(sql)
	await settleChatsAlone(
		sql,
		accountId,
		found.map(({ id }) => ({ id, ...failure(code, text, at) })),
	)
	return found.length
}
