import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'

/**
 * SQL rank of the kinds within a statement part. In this order no balance falls below zero (see `moveWallet` of the
 * ledger).
 */
const KIND_RANK = "array_position(array['recharge', 'reversal', 'hold', 'capture', 'release', 'refund'], l.kind)"

/** Sort order of statement lines `l`, in which each balance is the preceding balance plus the line's change. */
export const OLDEST_FIRST = verbatim(`l.part, l.day, ${KIND_RANK}, l.id`)
export const NEWEST_FIRST = verbatim(`l.part desc, l.day desc, ${KIND_RANK} desc, l.id desc`)

/**
 * Conditions for lines `l` before or after the line with this id. The comparison of `part` lets PostgreSQL use an
 * index.
 */
export const isOlder = (sql: Sql, accountId: AccountId, id: number) => sql`
	l.part <= (${partOf(sql, accountId, id)}) and (${OLDEST_FIRST}) < (${placeOf(sql, accountId, id)})
`
export const isNewer = (sql: Sql, accountId: AccountId, id: number) => sql`
	l.part >= (${partOf(sql, accountId, id)}) and (${OLDEST_FIRST}) > (${placeOf(sql, accountId, id)})
`

const partOf = (sql: Sql, accountId: AccountId, id: number) => sql`
	select part from statement_lines where account_id = ${accountId} and id = ${id}
`

const placeOf = (sql: Sql, accountId: AccountId, id: number) => sql`
	select ${OLDEST_FIRST} from statement_lines l where l.account_id = ${accountId} and l.id = ${id}
`
