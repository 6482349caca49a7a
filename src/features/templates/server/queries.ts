import type { PartOut } from '#lib/endpoint.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import { verbatim } from '#lib/server/statement.ts'
import type { templates } from '../contract.ts'
import { withCountedTargets } from './counted-links.ts'
import type { MetaTemplate } from './meta-template.ts'

export interface Template extends MetaTemplate {
	id: number
	/** Storage key of our copy of the header's file; null without a copy. */
	headerFile: string | null
	/** Storage keys of our copies of the cards' files, null for a card without a copy; null for a template without cards. */
	cardFiles: (string | null)[] | null
	/** Time since which Meta no longer lists the template; null while it does. */
	goneAt: Date | null
	createdAt: Date
}

const columns = (sql: Sql) => sql`
	id, template_id as "templateId", name, language, status, category, previous_category as "previousCategory",
	correct_category as "correctCategory", quality, rejected_reason as "rejectedReason",
	parameter_format as "parameterFormat", ttl_seconds as "ttlSeconds", components, header_file as "headerFile", card_files as "cardFiles", gone_at as "goneAt",
	created_at as "createdAt"
`

/**
 * Returns a template by Meta's id or by ours; undefined without one. Meta's ids are much longer, so the two cannot be
 * confused.
 */
export async function findTemplate(sql: Sql, accountId: AccountId, id: string): Promise<Template | undefined> {
	const ours = /^\d{1,15}$/.test(id) ? Number(id) : null
	const [row] = await sql<Template[]>`
		select ${columns(sql)}
		from templates
		where account_id = ${accountId} and (template_id = ${id} or id = ${ours})
		order by template_id = ${id} desc
		limit 1
	`
	return row
}

type ListQuery = PartOut<typeof templates.list.query>
type TemplateFilter = Pick<ListQuery, 'search' | 'status' | 'category' | 'language'>

/**
 * Returns the condition of the list's filters. A status matches only templates that Meta lists; GONE matches the others. A
 * space of the search finds the underscore of a name, as screens show titles.
 */
const fitting = (sql: Sql, { search, status, category, language }: TemplateFilter) => sql`
	${search ? sql`and ${containsFolded(sql, sql`name`, search.replaceAll(' ', '_'))}` : sql``}
	${status === 'GONE' ? sql`and gone_at is not null` : sql``}
	${status && status !== 'GONE' ? sql`and status = ${status} and gone_at is null` : sql``}
	${category ? sql`and category = ${category}` : sql``}
	${language ? sql`and language = ${language}` : sql``}
`

/** Sort columns; ties are sorted by id, newest first. */
const SORT_COLUMNS: Record<ListQuery['sort'], string> = {
	createdAt: 'id',
	name: `lower(name) collate "C"`,
	language: 'language',
	status: `case when gone_at is null then status else 'GONE' end`,
	category: 'category',
}

export async function listTemplates(sql: Sql, accountId: AccountId, wanted: ListQuery): Promise<Template[]> {
	return sql<Template[]>`
		select ${columns(sql)}
		from templates
		where account_id = ${accountId} ${fitting(sql, wanted)}
		order by ${verbatim(`${SORT_COLUMNS[wanted.sort]} ${wanted.order}${wanted.sort === 'createdAt' ? '' : ', id desc'}`)}
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

/** Lists the templates with ids above `after`, the oldest first. */
export async function listAfter(
	sql: Sql,
	accountId: AccountId,
	{ after, limit }: { after: number; limit: number },
): Promise<Template[]> {
	return sql<Template[]>`
		select ${columns(sql)} from templates where account_id = ${accountId} and id > ${after} order by id limit ${limit}
	`
}

export async function countTemplates(sql: Sql, accountId: AccountId, filter: TemplateFilter): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from templates where account_id = ${accountId} ${fitting(sql, filter)}
	`
	return row?.total ?? 0
}

/** Lists the languages of the account's templates. */
export async function listLanguages(sql: Sql, accountId: AccountId): Promise<string[]> {
	const rows = await sql<{ language: string }[]>`
		select distinct language from templates where account_id = ${accountId} order by language
	`
	return rows.map((row) => row.language)
}

/** Lists all languages of one template. */
export async function listNamed(sql: Sql, accountId: AccountId, name: string): Promise<Template[]> {
	return sql<Template[]>`select ${columns(sql)} from templates where account_id = ${accountId} and name = ${name}`
}

/** Writes the file of a header. A sample does not replace a file that the user has uploaded meanwhile. */
export async function updateHeaderFile(
	sql: Sql,
	accountId: AccountId,
	{ id, headerFile, isSample }: { id: number; headerFile: string; isSample: boolean },
): Promise<void> {
	await sql`
		update templates set header_file = ${headerFile}
		where account_id = ${accountId} and id = ${id} ${isSample ? sql`and header_file is null` : sql``}
	`
}

/** Writes the file of one card, a sample only where there is none; `card` is its index, and `cards` the number of the template's cards. */
export async function updateCardFile(
	sql: Sql,
	accountId: AccountId,
	{ id, card, cards, file, isSample }: { id: number; card: number; cards: number; file: string; isSample: boolean },
): Promise<void> {
	await sql`
		update templates
		set card_files = (
			select array_agg(case when n = ${card + 1}::int then ${file}::text else card_files[n] end order by n)
			from generate_series(1, ${cards}::int) n
		)
		where account_id = ${accountId} and id = ${id} ${isSample ? sql`and card_files[${card + 1}::int] is null` : sql``}
	`
}

/** Returns the kinds of the headers of a template's cards, as a JSON list. */
const cardFormats = (sql: Sql, row: 't' | 'excluded') =>
	sql`jsonb_path_query_array(${verbatim(row)}.components, '$[*].cards[*].components[*].format')`

/** Reference to a template by name and language, because its id in a webhook may be too long for JavaScript. */
export interface TemplateRef {
	name: string
	language: string
}

/** Template before it is overwritten. */
export interface TemplateBefore extends TemplateRef {
	status: string
	category: string
	correctCategory: string | null
	quality: string | null
	/** Time of the last change by webhook; null without one. */
	changedAt: Date | null
}

/** Returns the existing templates with these names and locks them, in the order of their ids. */
export async function lockTemplates(sql: Sql, accountId: AccountId, refs: TemplateRef[]): Promise<TemplateBefore[]> {
	return sql<TemplateBefore[]>`
		select name, language, status, category, correct_category as "correctCategory", quality, changed_at as "changedAt"
		from templates
		where account_id = ${accountId} and name = any(${refs.map(({ name }) => name)}::text[])
		order by id
		for update
	`
}

/**
 * Writes templates as Meta describes them in one statement, the last one first, so that ids follow Meta's order of
 * creation. Keeps a known right category that Meta does not mention while category and text are unchanged. Clears the header file when the template's id or the kind of its header has changed.
 */
export async function upsertTemplates(sql: Sql, accountId: AccountId, described: MetaTemplate[]): Promise<void> {
	const rows = (await withCountedTargets(sql, accountId, described))
		.toReversed()
		.map((row, place) => ({ ...row, place }))
	await sql`
		insert into templates as t (
			account_id, template_id, name, language, status, category, previous_category, correct_category, quality,
			rejected_reason, parameter_format, ttl_seconds, components
		)
		select ${accountId}, r."templateId", r.name, r.language, r.status, r.category, r."previousCategory",
			case when r."keepsCorrectCategory" and known.category = r.category and known.components = r.components
				then known.correct_category else r."correctCategory" end,
			r.quality, r."rejectedReason", r."parameterFormat", r."ttlSeconds", r.components
		from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
			"templateId" text, name text, language text, status text, category text, "previousCategory" text,
			"correctCategory" text, quality text, "rejectedReason" text, "parameterFormat" text, "ttlSeconds" integer,
			components jsonb, "keepsCorrectCategory" boolean, place integer
		)
		left join templates known on known.account_id = ${accountId} and known.name = r.name and known.language = r.language
		order by r.place
		on conflict (account_id, name, language) do update set
			template_id = excluded.template_id, status = excluded.status, category = excluded.category,
			previous_category = excluded.previous_category, correct_category = excluded.correct_category,
			quality = excluded.quality, rejected_reason = excluded.rejected_reason,
			parameter_format = excluded.parameter_format, ttl_seconds = excluded.ttl_seconds, components = excluded.components, synced_at = excluded.synced_at,
			gone_at = null,
			header_file = case
				when t.template_id = excluded.template_id
					and jsonb_path_query_array(t.components, '$[*].format')
						= jsonb_path_query_array(excluded.components, '$[*].format')
				then t.header_file
			end,
			card_files = case
				when t.template_id = excluded.template_id and ${cardFormats(sql, 't')} = ${cardFormats(sql, 'excluded')}
				then t.card_files
			end
	`
}
