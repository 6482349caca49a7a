import { listFields, type Field } from '#features/contacts/server/fields/field-queries.ts'
import { DAY_ZERO, joinValues } from '#features/contacts/server/fields/value-queries.ts'
import { ADDRESS_START, OPTIONAL_START, type FilledPart } from '#features/templates/filled.ts'
import { countCharacters } from '#lib/characters.ts'
import { ERASED_PREFIX } from '#lib/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { separated, verbatim, type Statement } from '#lib/server/statement.ts'
import type { Formats } from '../audience-fields.ts'
import { formatOfField, type Format } from '../recipient-values.ts'

/** The account's own fields, which merge tags may name, and how each is written. */
export type OwnColumns = ReadonlyMap<string, { field: Field; format: Format }>

/** How many recipients lack a value, and how many have one that Meta refuses. */
export interface UnfitCounts {
	empty: number
	refused: number
}

export async function listOwnColumns(
	sql: Sql,
	accountId: AccountId,
	{ formats = {}, isLocked = false }: { formats?: Formats | undefined; isLocked?: boolean } = {},
): Promise<OwnColumns> {
	const fields = await listFields(sql, accountId, { isLocked })
	return new Map(fields.map((field) => [field.name, { field, format: formatOfField(field, formats) }]))
}

/**
 * What merge tags of a contact called `c` are filled with, each null where it has nothing; the same as an array of texts, null
 * without any; how many of some contacts have nothing that fits, as an array of `UnfitCounts`; and the row of values that this
 * needs besides, or that another part of the statement has `asked` for. Of `parts`, it counts the contacts for whom each does not fit.
 */
export const mergeOf = (
	sql: Sql,
	accountId: AccountId,
	{ tags, own, asked }: { tags: readonly string[]; own: OwnColumns; asked?: { asksValues: boolean; join: Statement } },
) => {
	const columns = tags.map((tag) => mergeColumn(sql, tag, own))
	return {
		columns,
		array: columns.length === 0 ? sql`null::text[]` : sql`array[${separated(columns)}]::text[]`,
		unfitAmong: (among: Statement) => unfitCounts(sql, { values: columns, among }),
		misfitsAmong: (among: Statement, parts: readonly FilledPart[]) =>
			misfitCounts(sql, { parts, among, valueOf: (tag) => columns[tags.indexOf(tag)] ?? sql`null::text` }),
		join: asked?.asksValues ? asked.join : tags.some((tag) => own.has(tag)) ? joinValues(sql, accountId) : sql``,
	}
}

const REFUSED = verbatim(`E'[\\n\\r\\t]| {5,}'`)

/** `UnfitCounts` of each of these values among some rows, as an array in one column; the same rules as `valueError`. */
const unfitCounts = (sql: Sql, { values, among }: { values: readonly Statement[]; among: Statement }) => {
	const counts = values.map(
		(value) => sql`
			json_build_object(
				'empty', count(*) filter (where ${among} and (${value} is null or btrim(${value}) = '')),
				'refused', count(*) filter (where ${among} and ${value} ~ ${REFUSED})
			)
		`,
	)
	return sql`json_build_array(${separated(counts)})`
}

/** A value of each recipient, by the tag that stands for it. */
type ValueOf = (tag: string) => Statement

/** Counts the rows for whom each part does not fit, as an array in one column; the same rules as `fits`. */
const misfitCounts = (
	sql: Sql,
	{ parts, valueOf, among }: { parts: readonly FilledPart[]; valueOf: ValueOf; among: Statement },
) => {
	const counts = parts.map((part) => {
		const misfit = part.place === 'link' ? isNoLinkEnd(sql, part, valueOf) : isTooLong(sql, part, valueOf)
		return sql`count(*) filter (where ${among} and ${misfit})`
	})
	return sql`json_build_array(${separated(counts)})`
}

/** Adds up lengths, so that a long text need not be written out for each row; equal tags are measured once. */
const isTooLong = (sql: Sql, { pieces, max }: FilledPart, valueOf: ValueOf): Statement => {
	const tags = pieces.flatMap((piece) => ('tag' in piece ? [piece] : []))
	const fixed = pieces.reduce((sum, piece) => sum + ('text' in piece ? countCharacters(piece.text) : 0), 0)
	const alike = Map.groupBy(tags, ({ tag, fallback }) => JSON.stringify([tag, fallback]))
	const lengths = Array.from(alike.values(), ([piece, ...others]) => {
		const { tag, fallback } = piece ?? { tag: '', fallback: null }
		return sql` + ${others.length + 1}::int * char_length(coalesce(${valueOf(tag)}, ${fallback ?? ''}::text))`
	})
	return sql`${fixed}::int ${lengths} > ${max}::int`
}

const isNoLinkEnd = (sql: Sql, { pieces, max, base }: FilledPart, valueOf: ValueOf): Statement => {
	const texts = pieces.map((piece) =>
		'text' in piece ? sql`${piece.text}::text` : sql`coalesce(${valueOf(piece.tag)}, ${piece.fallback ?? ''}::text)`,
	)
	const bareBase = base.replace(OPTIONAL_START, '')
	const baseLength = countCharacters(bareBase)
	return sql`(
		select l."end" = '' or l."end" ~ '\\s' or char_length(l."end") > ${max}::int
			or not l.is_whole and l.typed ~* ${ADDRESS_START.source}::text
		from (
			select b.*, case when b.is_whole then substr(b.bare, ${baseLength + 1}::int) else b.typed end as "end"
			from (
				select t.typed, t.bare, lower(left(t.bare, ${baseLength}::int)) = lower(${bareBase}::text) as is_whole
				from (
					select v.typed, regexp_replace(v.typed, ${OPTIONAL_START.source}::text, '', 'i') as bare
					from (select btrim(concat(${separated(texts)})) as typed) v
				) t
			) b
		) l
	)`
}

/**
 * Counts the messages without a value for these merge tags, whose places (from 1) are in the same order, or with one that Meta
 * refuses; and for each part those that it does not fit.
 */
export async function countUnfitMessages(
	sql: Sql,
	accountId: AccountId,
	{
		campaignId,
		tags,
		places,
		parts,
	}: { campaignId: string; tags: readonly string[]; places: readonly number[]; parts: readonly FilledPart[] },
): Promise<{ unfit: UnfitCounts[]; misfits: number[] }> {
	if (places.length === 0) return { unfit: [], misfits: [] }
	const values = places.map((place) => sql`m.merge_values[${place}::int]`)
	const valueOf: ValueOf = (tag) => values[tags.indexOf(tag)] ?? sql`null::text`
	const [row] = await sql<{ unfit: UnfitCounts[]; misfits: number[] }[]>`
		select ${unfitCounts(sql, { values, among: sql`true` })} as unfit,
			${misfitCounts(sql, { parts, valueOf, among: sql`true` })} as misfits
		from campaign_messages m
		where m.account_id = ${accountId} and m.campaign_id = ${campaignId} and not starts_with(m.number, ${ERASED_PREFIX})
	`
	return row ?? { unfit: [], misfits: [] }
}

const mergeColumn = (sql: Sql, tag: string, own: OwnColumns): Statement => {
	if (tag === 'firstName') return sql`c.first_name`
	if (tag === 'lastName') return sql`nullif(btrim(c.last_name), '')`
	const column = own.get(tag)
	return column ? ownColumn(sql, column) : sql`'+' || c.number`
}

/** As `formatValue` writes it in the preview: a million are written by the database alone. */
const ownColumn = (sql: Sql, { field: { type, slot }, format }: { field: Field; format: Format }): Statement => {
	if (type === 'text') return sql`nullif(v.texts[${slot}::int], '')`
	const value = sql`v.numbers[${slot}::int]`
	if (type === 'yesno') return sql`(case ${value} when 1 then 'Yes' when 0 then 'No' end)`
	if (type === 'date') return dayText(sql, { day: sql`(${DAY_ZERO} + ${value}::int)`, format })
	return numberText(sql, { number: sql`${value}::numeric`, format })
}

const dayText = (sql: Sql, { day, format }: { day: Statement; format: Format }): Statement => {
	if (format === 'slashes') return sql`to_char(${day}, 'DD/MM/YYYY')`
	if (format !== 'day') return sql`${day}::text`
	// The one month that is not its first three letters.
	return sql`replace(to_char(${day}, 'FMDD Mon YYYY'), 'Sep', 'Sept')`
}

/** Groups of two digits but for the last three. */
const numberText = (sql: Sql, { number, format }: { number: Statement; format: Format }): Statement => {
	if (format !== 'grouped' && format !== 'rupees') return sql`${number}::text`
	const isMoney = format === 'rupees'
	return sql`(
		select case when n.value < 0 then '-' else '' end || ${isMoney ? '₹' : ''}::text
			|| case when length(n.whole) <= 3 then n.whole
				else regexp_replace(left(n.whole, -3), '(\\d)(?=(\\d\\d)+$)', '\\1,', 'g') || ',' || right(n.whole, 3) end
			|| case when n.part = '' then '' else '.' || n.part end
		from (
			select r.value, split_part(abs(r.value)::text, '.', 1) as whole, split_part(abs(r.value)::text, '.', 2) as part
			from (select ${isMoney ? sql`round(${number}, 2)` : number} as value) r
			where r.value is not null
		) n
	)`
}
