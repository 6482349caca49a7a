import type { Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import type { AdminActionKind } from '../contract.ts'
import { actionsNamed } from '../rules.ts'

export interface NewAdminAction {
	/** The acting admin, or the user for their own account. */
	actorId: number
	action: AdminActionKind
	/** The user whom the action concerns, if any. An unknown id leaves the subject empty. */
	subjectId?: number
	/** The exact change in words; never a password, token or secret. */
	details?: string | undefined
	/** Null for an action that the product takes when it is due. */
	ip: string | null
}

/** Adds an entry with the current names to the audit trail, whose entries cannot be changed or deleted. */
export async function insertAdminAction(sql: Sql, entry: NewAdminAction): Promise<void> {
	await sql`
		insert into admin_actions (
			actor_id, actor_name, actor_email, action, subject_id, subject_name, subject_email, details, ip
		)
		select actor.id, actor.name, actor.email, ${entry.action}, subject.id, subject.name, subject.email,
			${entry.details ?? null}, ${entry.ip}
		from users actor
		left join users subject on subject.id = ${entry.subjectId ?? null}
		where actor.id = ${entry.actorId}
	`
}

export interface AdminActionRow {
	id: number
	action: AdminActionKind
	actorName: string
	actorEmail: string
	subjectName: string | null
	subjectEmail: string | null
	details: string | null
	ip: string | null
	createdAt: Date
}

const about = (sql: Sql, search: string) => {
	const people = sql`concat_ws(' ', a.actor_name, a.actor_email, a.subject_name, a.subject_email)`
	return search
		? sql`
			where ${containsFolded(sql, people, search)}
				or ${containsFolded(sql, sql`a.details`, search)} or a.action = any(${actionsNamed(search)})
		`
		: sql``
}

/** Returns entries, newest first, with the names at their time. */
export async function listAdminActions(sql: Sql, wanted: PageQuery & { search: string }): Promise<AdminActionRow[]> {
	return sql<AdminActionRow[]>`
		select a.id, a.action, a.actor_name as "actorName", a.actor_email as "actorEmail", a.subject_name as "subjectName",
			a.subject_email as "subjectEmail", a.details, host(a.ip) as ip, a.created_at as "createdAt"
		from admin_actions a ${about(sql, wanted.search)}
		order by a.id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

/** Returns the actions of the last `days` that concern a user, newest first. The address is null unless the user acted. */
export async function listActionsOn<Kind extends AdminActionKind>(
	sql: Sql,
	userId: number,
	wanted: { actions: readonly Kind[]; days: number; limit: number },
): Promise<{ id: number; action: Kind; ip: string | null; at: Date }[]> {
	return sql<{ id: number; action: Kind; ip: string | null; at: Date }[]>`
		select id, action, case when actor_id = subject_id then host(ip) end as ip, created_at as at
		from admin_actions
		where subject_id = ${userId} and action = any(${[...wanted.actions]})
			and created_at > now() - make_interval(days => ${wanted.days})
		order by created_at desc, id desc
		limit ${wanted.limit}
	`
}

export async function countAdminActions(sql: Sql, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total from admin_actions a ${about(sql, search)}`
	return row?.total ?? 0
}
