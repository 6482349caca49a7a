import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'

/** The order of kinds within a part of a statement, in which no balance falls below zero (see `moveWallet` of the ledger). */
const KIND_RANK = "array_position(array['recharge', 'hold', 'capture', 'release', 'refund'], l.kind)"

/** The order in which the lines `l` of a statement are read: each balance is the one before it plus the line's change. */
export const OLDEST_FIRST = verbatim(`l.part, l.day, ${KIND_RANK}, l.id`)
export const NEWEST_FIRST = verbatim(`l.part desc, l.day desc, ${KIND_RANK} desc, l.id desc`)

/** Conditions on lines `l` that stand before or after the line with this id. The part alone is found by an index. */
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
