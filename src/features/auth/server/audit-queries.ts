import type { Sql } from '#lib/server/db.ts'
import { containing } from '#lib/server/like-pattern.ts'
import { offsetOf, type PageQuery } from '#lib/server/paging.ts'
import type { AdminActionKind } from '../contract.ts'

export interface NewAdminAction {
	adminId: number
	action: AdminActionKind
	/** The user it was done to. */
	subjectId: number
	/** What exactly changed, in words; never a password, token or secret. */
	details?: string | undefined
	ip: string
}

/** Appends to the audit trail, which can be neither changed nor deleted. */
export async function insertAdminAction(sql: Sql, entry: NewAdminAction): Promise<void> {
	await sql`
		insert into admin_actions (admin_id, action, subject_id, details, ip)
		values (${entry.adminId}, ${entry.action}, ${entry.subjectId}, ${entry.details ?? null}, ${entry.ip})
	`
}

export interface AdminActionRow {
	id: number
	action: AdminActionKind
	adminName: string
	adminEmail: string
	subjectName: string | null
	subjectEmail: string | null
	details: string | null
	ip: string | null
	createdAt: Date
}

const joined = (sql: Sql) => sql`
	from admin_actions a
	join users actor on actor.id = a.admin_id
	left join users subject on subject.id = a.subject_id
`

const about = (sql: Sql, search: string) => {
	const pattern = containing(search)
	return search
		? sql`where concat_ws(' ', actor.name, actor.email, subject.name, subject.email) ilike ${pattern} or a.details ilike ${pattern}`
		: sql``
}

/** Newest first; people are named as they are called now, also those deleted since. */
export async function listAdminActions(sql: Sql, wanted: PageQuery & { search: string }): Promise<AdminActionRow[]> {
	return sql<AdminActionRow[]>`
		select a.id, a.action, actor.name as "adminName", actor.email as "adminEmail", subject.name as "subjectName",
			subject.email as "subjectEmail", a.details, host(a.ip) as ip, a.created_at as "createdAt"
		${joined(sql)} ${about(sql, wanted.search)}
		order by a.id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countAdminActions(sql: Sql, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total ${joined(sql)} ${about(sql, search)}`
	return row?.total ?? 0
}
