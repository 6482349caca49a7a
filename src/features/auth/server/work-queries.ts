import type { PartOut } from '#lib/endpoint.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import { actionsOf } from '../rules.ts'
import type { AccountAction, work, WorkKind } from '../work-contract.ts'
import { peopleOf } from './people-queries.ts'

/** Adds an action with the current name of the person. */
export async function insertWork(
	sql: Sql,
	accountId: AccountId,
	{ by, action, details = null }: { by: number; action: WorkKind; details?: string | null },
): Promise<void> {
	// Citus takes no subquery among the values of an insert.
	const [person] = await sql<{ name: string }[]>`select name from users where id = ${by}`
	await sql`
		insert into account_actions (account_id, actor_id, actor_name, action, details)
		values (${accountId}, ${by}, ${person?.name ?? ''}, ${action}, ${details})
	`
}

export type WorkFilter = PartOut<typeof work.exportCsv.query>

/** Place of an action in the list. The time is text, because a Date has no microseconds. */
interface WorkPlace {
	at: string
	source: string
	id: number
}

export type WorkRow = Omit<AccountAction, '_id' | 'createdAt'> & WorkPlace & { createdAt: Date }

interface Wanted extends WorkFilter {
	after?: WorkPlace | undefined
}

/**
 * Returns SQL for an account's actions that fit a filter, and come after a position in the list. Actions on colleagues, keys and
 * webhooks are the entries of the audit trail whose actor and subject are people of the account. The address of a webhook is
 * shortened to its site, because the rest is often a secret, and managers do not see webhooks.
 */
const matching = (sql: Sql, accountId: AccountId, { search, person, group, after }: Wanted) => sql`
	from (
		select 'work' as source, w.id, w.actor_id, w.actor_name as person, w.action, null as colleague, w.details, w.created_at
		from account_actions w
		where w.account_id = ${accountId}
		union all
		select 'trail', t.id, t.actor_id, t.actor_name, t.action, case when t.action like 'colleague-%' then t.subject_name end,
			regexp_replace(t.details, '(https?://[^/?#[:space:]]+)[^[:space:]]*', '\\1', 'g'), t.created_at
		from admin_actions t
		where t.subject_id in (${peopleOf(sql, accountId)}) and t.actor_id in (${peopleOf(sql, accountId)})
	) a
	where a.action = any(${actionsOf(group)}) ${person ? sql`and a.actor_id = ${person}` : sql``}
		${search ? sql`and ${containsFolded(sql, sql`concat_ws(' ', a.person, a.colleague, a.details)`, search)}` : sql``}
		${after ? sql`and (a.created_at, a.source, a.id) < (${after.at}::timestamptz, ${after.source}, ${after.id}::bigint)` : sql``}
`

const columns = (sql: Sql) => sql`
	a.source, a.id, a.action, a.person, a.colleague, a.details, a.created_at as "createdAt", a.created_at::text as at
`

/** Returns a page of an account's actions, newest first. */
export async function listWork(sql: Sql, accountId: AccountId, wanted: WorkFilter & PageQuery): Promise<WorkRow[]> {
	return sql<WorkRow[]>`
		select ${columns(sql)} ${matching(sql, accountId, wanted)}
		order by a.created_at desc, a.source desc, a.id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

/** Returns up to `limit` of an account's actions after a place of the list, newest first. */
export async function listWorkAfter(
	sql: Sql,
	accountId: AccountId,
	{ filter, after, limit }: { filter: WorkFilter; after: WorkPlace | undefined; limit: number },
): Promise<WorkRow[]> {
	return sql<WorkRow[]>`
		select ${columns(sql)} ${matching(sql, accountId, { ...filter, after })}
		order by a.created_at desc, a.source desc, a.id desc
		limit ${limit}
	`
}

export async function countWork(sql: Sql, accountId: AccountId, wanted: WorkFilter): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total ${matching(sql, accountId, wanted)}`
	return row?.total ?? 0
}
