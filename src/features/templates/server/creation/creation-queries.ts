import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MetaTemplate } from '../meta-template.ts'

/** Age after which a creation counts as abandoned; longer than an upload and all of Meta's timeouts. */
const STALE_AFTER = '10 minutes'

/** Returns the id of the template that a request has created; undefined without one. */
export async function findByRequest(sql: Sql, accountId: AccountId, requestId: string): Promise<string | undefined> {
	const [row] = await sql<{ id: string }[]>`
		select id::text from templates where account_id = ${accountId} and request_id = ${requestId}
	`
	return row?.id
}

/**
 * Claims the request. Returns false while another call, begun less than `STALE_AFTER` ago, is creating its template.
 */
export async function claimCreation(sql: Sql, accountId: AccountId, requestId: string): Promise<boolean> {
	// The time is computed first, because a distributed table allows no time arithmetic in the condition of an upsert.
	const [stale] = await sql<{ before: Date }[]>`select now() - ${STALE_AFTER}::interval as before`
	const rows = await sql`
		insert into template_creations as c (account_id, request_id) values (${accountId}, ${requestId})
		on conflict (account_id, request_id) do update set started_at = excluded.started_at
			where c.started_at < ${stale?.before ?? null}::timestamptz
		returning 1
	`
	return rows.length > 0
}

export async function deleteCreation(sql: Sql, accountId: AccountId, requestId: string): Promise<void> {
	await sql`delete from template_creations where account_id = ${accountId} and request_id = ${requestId}`
}

/**
 * Deletes a template that Meta no longer lists, so that a new template with its name gets a new id and is listed first.
 */
export async function deleteGone(
	sql: Sql,
	accountId: AccountId,
	{ name, language }: { name: string; language: string },
): Promise<void> {
	await sql`
		delete from templates
		where account_id = ${accountId} and name = ${name} and language = ${language} and gone_at is not null
	`
}

export async function isKnown(
	sql: Sql,
	accountId: AccountId,
	{ name, language }: { name: string; language: string },
): Promise<boolean> {
	const rows = await sql`
		select 1 from templates
		where account_id = ${accountId} and name = ${name} and language = ${language} and gone_at is null
	`
	return rows.length > 0
}

/** Writes the header files and the request id to a template that was just inserted. Returns our id. */
export async function updateCreated(
	sql: Sql,
	accountId: AccountId,
	created: {
		name: string
		language: string
		headerFile: string | null
		cardFiles: readonly (string | null)[] | null
		requestId: string | null
	},
): Promise<string> {
	const [row] = await sql<{ id: string }[]>`
		update templates
		set header_file = ${created.headerFile}, card_files = ${created.cardFiles}::text[], request_id = ${created.requestId}
		where account_id = ${accountId} and name = ${created.name} and language = ${created.language}
		returning id::text
	`
	if (!row) throw new Error('a template just written is not there')
	return row.id
}

/** Writes a new template as Meta describes it, unless a webhook has changed it meanwhile. */
export async function updateFromMeta(sql: Sql, accountId: AccountId, template: MetaTemplate): Promise<void> {
	await sql`
		update templates
		set status = ${template.status}, category = ${template.category}, rejected_reason = ${template.rejectedReason},
			ttl_seconds = ${template.ttlSeconds}, components = ${JSON.stringify(template.components)}::jsonb
		where account_id = ${accountId} and template_id = ${template.templateId} and changed_at is null
	`
}

export async function deleteNamed(sql: Sql, accountId: AccountId, name: string): Promise<void> {
	await sql`delete from templates where account_id = ${accountId} and name = ${name}`
}
