import { listErased } from '#features/contacts/server/erasure/erased.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'
import type { ClaimedMessage } from './claim-queries.ts'

/** A message as a claim reads it. */
export interface FoundMessage extends ClaimedMessage {
	/** True when the account has erased a person so lately that the order may have been written at the same moment. */
	isNearErasure: boolean
	/** True when a person has had this number and changed it. */
	isFormer: boolean
}

/** Interval longer than the writing of an order plus the three minutes between the two passes of an erasure. */
const NEAR = verbatim(`interval '10 minutes'`)

/** Returns the condition that the account has just erased a person. */
export const hasJustErased = (sql: Sql, accountId: AccountId) =>
	sql`exists (select 1 from erasure_keys where account_id = ${accountId} and erased_at > now() - ${NEAR})`

/**
 * Sets `isOptedOut` of messages to people who were erased while their order was being written: the erasure did not see
 * these rows, and the order did not see the erasure.
 */
export async function markErased(
	sql: Sql,
	accountId: AccountId,
	found: readonly FoundMessage[],
): Promise<ClaimedMessage[]> {
	const doubtful = found.filter(({ isNearErasure, isOptedOut }) => isNearErasure && !isOptedOut)
	const erased = await listErased(
		sql,
		accountId,
		doubtful.map(({ number }) => number),
	)
	return found.map(({ isNearErasure: _near, isFormer: _former, ...message }) => ({
		...message,
		isOptedOut: message.isOptedOut || erased.has(message.number),
	}))
}
