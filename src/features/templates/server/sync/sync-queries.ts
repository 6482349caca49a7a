import type { AccountId, Sql } from '#lib/server/db.ts'
import type { MetaTemplate } from '../meta-template.ts'
import type { Template, TemplateRef } from '../queries.ts'

/** Records the attempt of a sync. Returns the database's time, so that later webhooks count as newer than the sync. */
export async function beginSync(sql: Sql, accountId: AccountId): Promise<Date> {
	const [row] = await sql<{ at: Date }[]>`
		insert into template_syncs (account_id, attempted_at) values (${accountId}, clock_timestamp())
		on conflict (account_id) do update set attempted_at = excluded.attempted_at
		returning attempted_at as at
	`
	if (!row) throw new Error('a sync was not noted')
	return row.at
}

/** Serializes the transactions that write many of the account's templates. */
export async function lockSync(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`select 1 from template_syncs where account_id = ${accountId} for update`
}

/** Marks templates as listed by Meta in a form that could not be read, so that they do not count as gone. */
export async function touchTemplates(sql: Sql, accountId: AccountId, templateIds: string[]): Promise<void> {
	await sql`
		update templates set synced_at = now() where account_id = ${accountId} and template_id = any(${templateIds})
	`
}

/** Marks templates as gone about which Meta has neither listed a row nor sent a webhook since `begunAt`. */
export async function markGone(sql: Sql, accountId: AccountId, begunAt: Date): Promise<void> {
	await sql`
		update templates set gone_at = now()
		where account_id = ${accountId} and gone_at is null and synced_at < ${begunAt}
			and (changed_at is null or changed_at < ${begunAt})
	`
}

export async function finishSync(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`update template_syncs set finished_at = now() where account_id = ${accountId}`
}

export async function findLastSync(sql: Sql, accountId: AccountId): Promise<Date | undefined> {
	const [row] = await sql<{ at: Date | null }[]>`
		select finished_at as at from template_syncs where account_id = ${accountId}
	`
	return row?.at ?? undefined
}

/** Lists accounts with an active user whose last sync attempt is missing or at least an hour old, the oldest first. */
export async function listDueAllAccounts(
	sql: Sql,
	{ limit, only }: { limit: number; only: AccountId | null },
): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select s.account_id as "accountId"
		from senders s
		left join template_syncs t on t.account_id = s.account_id
		where (t.attempted_at is null or t.attempted_at < now() - interval '1 hour')
			${only === null ? sql`` : sql`and s.account_id = ${only}`}
			and exists (select 1 from users u where u.account_id = s.account_id and u.is_active and u.deleted_at is null)
		order by t.attempted_at nulls first
		limit ${limit}
	`
}

/** Returns templates that are not gone and lack a copy of a header's or card's file, newest first. Skips those tried within a day. */
export async function listWithoutFile(sql: Sql, accountId: AccountId, limit: number): Promise<SampledTemplate[]> {
	return sql<SampledTemplate[]>`
		select id, name, components, header_file as "headerFile", card_files as "cardFiles"
		from templates
		where account_id = ${accountId} and gone_at is null
			and (sample_tried_at is null or sample_tried_at < now() - interval '1 day')
			and (
				header_file is null
					and jsonb_path_exists(components, '$[*] ? (@.format == "IMAGE" || @.format == "VIDEO" || @.format == "DOCUMENT")')
				or (card_files is null or array_position(card_files, null) is not null)
					and jsonb_path_exists(components, '$[*].cards[*].components[*] ? (@.format == "IMAGE" || @.format == "VIDEO")')
			)
		order by id desc
		limit ${limit}
	`
}

export type SampledTemplate = Pick<Template, 'id' | 'name' | 'components' | 'headerFile' | 'cardFiles'>

export async function updateSampleTried(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	await sql`update templates set sample_tried_at = now() where account_id = ${accountId} and id = ${id}`
}

/** Fields of a template that a webhook may change. */
export type ChangeableParts = Pick<
	MetaTemplate,
	'status' | 'quality' | 'category' | 'previousCategory' | 'correctCategory' | 'rejectedReason' | 'components'
>

interface LockedTemplate extends ChangeableParts {
	goneAt: Date | null
	/** Time of the database. */
	readAt: Date
}

/** Locks a template and returns it; undefined when it does not exist. */
export async function lockTemplate(
	sql: Sql,
	accountId: AccountId,
	{ name, language }: TemplateRef,
): Promise<LockedTemplate | undefined> {
	const [row] = await sql<LockedTemplate[]>`
		select status, quality, category, previous_category as "previousCategory", correct_category as "correctCategory",
			rejected_reason as "rejectedReason", components, gone_at as "goneAt", now() as "readAt"
		from templates
		where account_id = ${accountId} and name = ${name} and language = ${language}
		for update
	`
	return row
}

/** Writes the fields that a webhook may change. */
export async function updateTemplate(
	sql: Sql,
	accountId: AccountId,
	{ name, language, ...parts }: TemplateRef & ChangeableParts & { goneAt: Date | null },
): Promise<void> {
	await sql`
		update templates
		set status = ${parts.status}, quality = ${parts.quality}, category = ${parts.category},
			previous_category = ${parts.previousCategory}, correct_category = ${parts.correctCategory},
			rejected_reason = ${parts.rejectedReason}, components = ${JSON.stringify(parts.components)}::jsonb,
			changed_at = now(), gone_at = ${parts.goneAt}
		where account_id = ${accountId} and name = ${name} and language = ${language}
	`
}
