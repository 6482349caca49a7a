import { DAY_ZERO, joinValues, listFields, type Field } from '#features/contacts/server/fields/field-queries.ts'
import { ADDRESS_START, OPTIONAL_START, type FilledPart } from '#features/templates/filled.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { separated, verbatim, type Statement } from '#lib/server/statement.ts'
import { countCharacters } from '#lib/text/characters.ts'
import type { Formats, Format } from '../contract.ts'
import { formatOfField } from '../values.ts'

/** Custom fields by name, which merge tags may use, each with its format. */
export type CustomColumns = ReadonlyMap<string, { field: Field; format: Format }>

/** Number of recipients without a value, and with a value that Meta refuses. */
export interface UnfitCounts {
	empty: number
	refused: number
}

export async function listCustomColumns(
	sql: Sql,
	accountId: AccountId,
	{ formats = {}, isLocked = false }: { formats?: Formats | undefined; isLocked?: boolean } = {},
): Promise<CustomColumns> {
	const fields = await listFields(sql, accountId, { isLocked })
	return new Map(fields.map((field) => [field.name, { field, format: formatOfField(field, formats) }]))
}

/**
 * Returns SQL for the merge values of contacts aliased `c`: a column per tag, null without a value; an array of all of
 * them; counts of unfit values and of parts that do not fit; and the join of the values. When the statement has joined
 * the values already (`asked`), that join is reused.
 */
export const mergeOf = (
	sql: Sql,
	accountId: AccountId,
	{
		tags,
		customColumns,
		asked,
	}: { tags: readonly string[]; customColumns: CustomColumns; asked?: { asksValues: boolean; join: Statement } },
) => {
	const columns = tags.map((tag) => mergeColumn(sql, tag, customColumns))
	return {
		columns,
		array: columns.length === 0 ? sql`null::text[]` : sql`array[${separated(columns)}]::text[]`,
		unfitAmong: (among: Statement) => unfitCounts(sql, { values: columns, among }),
		misfitsAmong: (among: Statement, parts: readonly FilledPart[]) =>
			misfitCounts(sql, { parts, among, valueOf: (tag) => columns[tags.indexOf(tag)] ?? sql`null::text` }),
		join: asked?.asksValues
			? asked.join
			: tags.some((tag) => customColumns.has(tag))
				? joinValues(sql, accountId)
				: sql``,
	}
}

const REFUSED = verbatim(`E'[\\n\\r\\t]| {5,}'`)

/**
 * Returns SQL for an array of `UnfitCounts`, one for each value, over the rows that match `among`. Must agree with
 * `valueError`.
 */
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

/** Returns the SQL value of a merge tag for the current recipient. */
type ValueOf = (tag: string) => Statement

/**
 * Returns SQL that counts, for each part, the rows matching `among` whose filled part does not fit. Must agree with
 * `fits`.
 */
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

/**
 * Returns the condition that the filled part is too long. Adds up lengths instead of building each text; equal tags are
 * measured once.
 */
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
 * Counts, for each tag, a campaign's messages without a value and with a value that Meta refuses; and for each part the
 * messages in which it does not fit. `places` has the index of each tag among the stored values, from 1.
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

/** Returns the SQL condition that a name is the number of contact `c`. Must agree with `isSpellingOf`. */
const isOwnNumber = (sql: Sql, name: Statement): Statement => {
	const digits = sql`ltrim(regexp_replace(${name}, '\\D', '', 'g'), '0')`
	return sql`(
		${name} !~ '[^0-9+ ().-]' and length(${digits}) >= 7 and right(c.number, length(${digits})) = ${digits}
	)`
}

/** Returns SQL for a part of a contact's name, null when the part or the whole name is the contact's own number. */
const contactName = (sql: Sql, part: Statement): Statement => sql`(
	case when not ${isOwnNumber(sql, part)} and not ${isOwnNumber(sql, sql`concat(c.first_name, c.last_name)`)} then ${part} end
)`

const mergeColumn = (sql: Sql, tag: string, customColumns: CustomColumns): Statement => {
	if (tag === 'firstName') return contactName(sql, sql`c.first_name`)
	if (tag === 'lastName') return contactName(sql, sql`nullif(btrim(c.last_name), '')`)
	const column = customColumns.get(tag)
	return column ? ownColumn(sql, column) : sql`'+' || c.number`
}

/**
 * Returns SQL for the value of a custom field, formatted as `formatValue` does in the preview, so that a million values
 * never leave the database.
 */
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
	// The Indian locale abbreviates September to four letters, PostgreSQL to three.
	return sql`replace(to_char(${day}, 'FMDD Mon YYYY'), 'Sep', 'Sept')`
}

/**
 * Returns SQL for a number in Indian digit groups (three last digits, then pairs), or as stored in the formats without
 * groups.
 */
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
