import type { FileMatch } from '#features/header-files/match-contract.ts'
import { MAX_ADDRESS_LENGTH, MAX_FILES } from '#features/header-files/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/** Rule by which the people of an order get their files. */
export interface FileRule {
	setId: number
	by: 'column' | 'number'
	missing: 'leave-out' | 'campaign-file'
}

interface Matching {
	/** Selects `place`, `origin_seq`, `number`, `name` and `merge_values`; by column, its value is the last of them. */
	rows: Statement
	/** Number of values that the messages keep. */
	kept: number
	rule: FileRule
}

/** Selects, as a table `f`, the files of a set by their keys. A key of several files has their number, and no id. */
const filesByKey = (sql: Sql, accountId: AccountId, { setId, by }: FileRule) => {
	const ofSet = sql`from header_files where account_id = ${accountId} and set_id = ${setId}`
	const keys =
		by === 'number'
			? sql`select number as key, min(id) as id ${ofSet} and number is not null group by number, file_key`
			: sql`select name_key as key, id ${ofSet} union select stem_key, id ${ofSet}`
	return sql`(
		select k.key, case when count(*) = 1 then min(k.id) end as id, count(*) as files from (${keys}) k group by k.key
	) f`
}

/** Addresses that a match names. */
export const MAX_ADDRESSES = 200

/**
 * Returns the key of the file that a recipient `r` gets: the number, the key of the address in the last value
 * (`addressKeyOf`), or the file name there without its folders.
 */
const keyOf = (sql: Sql, { rule, kept }: Matching) => {
	if (rule.by === 'number') return sql`r.number`
	const value = sql`btrim(r.merge_values[${kept + 1}::int])`
	return sql`case when ${value} ~* '^https://' then 'https:' || encode(sha256(convert_to(${value}, 'UTF8')), 'hex')
		else lower(normalize(btrim(regexp_replace(${value}, '^.*[/\\\\]', '')), NFC)) end`
}

/** Selects recipients for `insertMessages`, with the id of the file of each as their last value. */
export const rowsWithFiles = (sql: Sql, accountId: AccountId, matching: Matching): Statement => {
	const { rows, kept, rule } = matching
	const values = kept === 0 ? sql`array[f.id::text]` : sql`r.merge_values[1:${kept}::int] || array[f.id::text]`
	return sql`
		select r.place, r.origin_seq, r.number, r.name, ${values} as merge_values
		from (${rows}) r
		left join ${filesByKey(sql, accountId, rule)} on f.key = ${keyOf(sql, matching)}
		${rule.missing === 'leave-out' ? sql`where f.id is not null` : sql``}
	`
}

/** Counts before the first batch. */
export const NO_MATCH = { people: 0, matched: 0, doubtful: 0, refused: 0 }

/** Counts of one batch of recipients, the ids of their files, and the keys of addresses that are not fetched yet. */
export interface BatchMatch extends Omit<FileMatch, 'missing' | 'shared' | 'unused' | 'unfetched'> {
	files: string[]
	unfetched: string[]
}

/** Matches recipients with files. Returns the first `sampled` people of each state. */
export async function matchRows(
	sql: Sql,
	accountId: AccountId,
	{ sampled, ...matching }: Matching & { sampled: number },
): Promise<BatchMatch> {
	const { rows, kept, rule } = matching
	const wanted = rule.by === 'number' ? sql`null::text` : sql`r.merge_values[${kept + 1}::int]`
	const [row] = await sql<BatchMatch[]>`
		with p as materialized (
			select r.place, r.number, r.name, ${wanted} as wanted, ${keyOf(sql, matching)} as key from (${rows}) r
		), m as materialized (
			select p.*, f.id, a.reason,
				case when f.id is not null then 'matched' when f.files > 1 then 'doubtful' else 'missing' end as state
			from p
			left join ${filesByKey(sql, accountId, rule)} on f.key = p.key
			left join refused_addresses a on a.account_id = ${accountId} and a.set_id = ${rule.setId} and f.id is null
				and a.address_key = p.key
		), u as materialized (
			select key, min(btrim(wanted)) as address from m
			where id is null and reason is null and btrim(wanted) ~* '^https://' and length(btrim(wanted)) <= ${MAX_ADDRESS_LENGTH}
			group by key
			limit ${MAX_FILES}
		)
		select count(reason) as refused, coalesce((select jsonb_agg(key) from u), '[]') as unfetched,
			coalesce((select jsonb_agg(l.address) from (select address from u limit ${MAX_ADDRESSES}) l), '[]') as addresses,
			count(*) as people, count(id) as matched, count(*) filter (where state = 'doubtful') as doubtful,
			coalesce((select jsonb_agg(distinct id::text) from m where id is not null), '[]') as files,
			coalesce((
				select jsonb_agg(jsonb_build_object(
					'state', n.state, 'number', n.number, 'name', n.name, 'wanted', n.wanted,
					'reason', n.reason, 'file', case when n.id is not null then jsonb_build_object('_id', n.id::text, 'name', h.name) end
				) order by n.place)
				from (select m.*, row_number() over (partition by state order by place) as nth from m) n
				left join header_files h on h.account_id = ${accountId} and h.id = n.id
				where n.nth <= ${sampled}
			), '[]') as rows
		from m
	`
	return row ?? { ...NO_MATCH, rows: [], addresses: [], files: [], unfetched: [] }
}
