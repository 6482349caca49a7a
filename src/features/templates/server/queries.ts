import type { OwnerId, Sql } from '#lib/server/db.ts'
import { containing, offsetOf, type PageQuery } from '#lib/server/paging.ts'
import type { MetaTemplate } from './meta-template.ts'

export interface Template extends MetaTemplate {
	id: number
	/** Where our own copy of the header's file is stored. */
	headerFile: string | null
}

const columns = (sql: Sql) => sql`
	id, template_id as "templateId", name, language, status, category, quality, rejected_reason as "rejectedReason",
	parameter_format as "parameterFormat", components, header_file as "headerFile"
`

/** By Meta's id, or by ours. Meta's are much longer than ours, so one is never taken for the other. */
export async function findTemplate(sql: Sql, owner: OwnerId, id: string): Promise<Template | undefined> {
	const ours = /^\d{1,15}$/.test(id) ? Number(id) : null
	const [row] = await sql<Template[]>`
		select ${columns(sql)}
		from templates
		where account_id = ${owner} and (template_id = ${id} or id = ${ours})
		order by template_id = ${id} desc
		limit 1
	`
	return row
}

const named = (sql: Sql, search: string) => (search ? sql`and name ilike ${containing(search)}` : sql``)

/** Newest first. */
export async function listTemplates(
	sql: Sql,
	owner: OwnerId,
	wanted: PageQuery & { search: string },
): Promise<Template[]> {
	return sql<Template[]>`
		select ${columns(sql)}
		from templates
		where account_id = ${owner} ${named(sql, wanted.search)}
		order by id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countTemplates(sql: Sql, owner: OwnerId, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from templates where account_id = ${owner} ${named(sql, search)}
	`
	return row?.total ?? 0
}

export async function findLastSync(sql: Sql, owner: OwnerId): Promise<Date | undefined> {
	const [row] = await sql<{ at: Date | null }[]>`
		select max(synced_at) as at from templates where account_id = ${owner}
	`
	return row?.at ?? undefined
}

/**
 * Writes what Meta returned, all rows in one statement, the last one first: Meta lists the newest first, and so do we, by id.
 * Our copy of a header's file goes with the template it was made for, not with another that took over its name.
 */
export async function upsertTemplates(sql: Sql, owner: OwnerId, rows: MetaTemplate[]): Promise<void> {
	await sql`
		insert into templates as t (
			account_id, template_id, name, language, status, category, quality, rejected_reason, parameter_format, components
		)
		select ${owner}, r."templateId", r.name, r.language, r.status, r.category, r.quality, r."rejectedReason",
			r."parameterFormat", r.components
		from jsonb_to_recordset(${JSON.stringify(rows.toReversed())}::jsonb) as r (
			"templateId" text, name text, language text, status text, category text, quality text, "rejectedReason" text,
			"parameterFormat" text, components jsonb
		)
		on conflict (account_id, name, language) do update set
			template_id = excluded.template_id, status = excluded.status, category = excluded.category,
			quality = excluded.quality, rejected_reason = excluded.rejected_reason,
			parameter_format = excluded.parameter_format, components = excluded.components, synced_at = excluded.synced_at,
			header_file = case when t.template_id = excluded.template_id then t.header_file end
	`
}

/** Meta's ids of all the account's templates. */
export async function listTemplateIds(sql: Sql, owner: OwnerId): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`select template_id as id from templates where account_id = ${owner}`
	return rows.map((row) => row.id)
}

export async function deleteTemplates(sql: Sql, owner: OwnerId, templateIds: string[]): Promise<void> {
	await sql`delete from templates where account_id = ${owner} and template_id = any (${templateIds})`
}

/** Which template a webhook is about: by name and language, since its number may be too long for JavaScript. */
export interface TemplateRef {
	name: string
	language: string
}

/** Writes what has changed and returns the template as it was before; undefined when nothing has, or it is not known. */
export async function updateTemplate(
	sql: Sql,
	owner: OwnerId,
	change: TemplateRef & Partial<Pick<MetaTemplate, 'status' | 'quality' | 'category' | 'rejectedReason'>>,
): Promise<Pick<Template, 'status' | 'quality' | 'category'> | undefined> {
	const [before] = await sql<Pick<Template, 'status' | 'quality' | 'category' | 'rejectedReason'>[]>`
		select status, quality, category, rejected_reason as "rejectedReason"
		from templates
		where account_id = ${owner} and name = ${change.name} and language = ${change.language}
		for update
	`
	if (!before) return undefined
	const after = { ...before, ...change }
	const written = await sql`
		update templates
		set status = ${after.status}, quality = ${after.quality}, category = ${after.category},
			rejected_reason = ${after.rejectedReason}
		where account_id = ${owner} and name = ${change.name} and language = ${change.language}
			and (status, quality, category) is distinct from (${after.status}, ${after.quality}, ${after.category})
		returning 1
	`
	return written.length > 0 ? before : undefined
}
