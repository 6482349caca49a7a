import type { contacts, OptOutReason } from '#features/contacts/contract.ts'
import type { ResponseIn } from '#lib/endpoint.ts'
import { readNumberPart } from '#lib/phone/phone-reader.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'

type OptedOut = ResponseIn<typeof contacts.optedOut>['optedOut'][number]

/** Statement about marketing for one number: opted out or in, with reason and time. */
export interface OptOutStatement {
	number: string
	optedOut: boolean
	because: OptOutReason
	at: Date
}

/** Returns the opt-outs of these numbers and locks them, so that concurrent changes of one number are serialized. */
export async function lockOptOuts(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<{ number: string; optedOut: boolean }[]> {
	return sql<{ number: string; optedOut: boolean }[]>`
		select number, is_opted_out as "optedOut" from opt_outs
		where account_id = ${accountId} and number = any(${numbers}::text[])
		order by number
		for update
	`
}

/** Returns the latest statement of each number. */
export async function listStatements(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<OptOutStatement[]> {
	return sql<OptOutStatement[]>`
		select number, is_opted_out as "optedOut", because, said_at as at from opt_outs
		where account_id = ${accountId} and number = any(${numbers}::text[])
	`
}

/** Returns the latest change of each number until the time given with it. */
export async function listStatementsUntil(
	sql: Sql,
	accountId: AccountId,
	until: readonly { number: string; at: Date }[],
): Promise<OptOutStatement[]> {
	if (until.length === 0) return []
	return sql<OptOutStatement[]>`
		select distinct on (o.number) o.number, o.is_opted_out as "optedOut", o.because, o.changed_at as at
		from unnest(
			${until.map(({ number }) => number)}::text[], ${until.map(({ at }) => at.toISOString())}::text[]::timestamptz[]
		) as n (number, at)
		join opt_out_changes o on o.account_id = ${accountId} and o.number = n.number and o.changed_at <= n.at
		order by o.number, o.changed_at desc, o.id desc
	`
}

/** Returns SQL rows of the statements, sorted by number so that concurrent statements cannot deadlock. */
const rowsOf = (sql: Sql, statements: readonly OptOutStatement[]) => {
	const sorted = statements.toSorted((a, b) => (a.number < b.number ? -1 : 1))
	return sql`
		unnest(
			${sorted.map((w) => w.number)}::text[], ${sorted.map((w) => String(w.optedOut))}::text[],
			${sorted.map((w) => w.because)}::text[], ${sorted.map((w) => w.at.toISOString())}::text[]::timestamptz[]
		) as n (number, opted_out, because, at)
	`
}

/** Writes one statement for each number, unless a later one is stored. Returns the numbers that were written. */
export async function upsertOptOuts(
	sql: Sql,
	accountId: AccountId,
	statements: OptOutStatement[],
): Promise<{ number: string }[]> {
	return sql<{ number: string }[]>`
		insert into opt_outs as o (account_id, number, is_opted_out, because, changed_at, said_at)
		select ${accountId}::bigint, n.number, n.opted_out::boolean, n.because, n.at, n.at from ${rowsOf(sql, statements)}
		on conflict (account_id, number) do update set
			said_at = excluded.said_at, is_opted_out = excluded.is_opted_out,
			because = case when o.is_opted_out = excluded.is_opted_out then o.because else excluded.because end,
			changed_at = case when o.is_opted_out = excluded.is_opted_out then o.changed_at else excluded.changed_at end
		where excluded.said_at > o.said_at or (excluded.said_at = o.said_at and excluded.is_opted_out)
		returning o.number
	`
}

/**
 * Writes changed opt-outs to the contacts and to the history. Locks these contacts and those of `others` in the order of their
 * ids.
 */
export async function writeOptOutChanges(
	sql: Sql,
	accountId: AccountId,
	{ changed, others }: { changed: readonly OptOutStatement[]; others: readonly string[] },
): Promise<void> {
	const rows = rowsOf(sql, changed)
	const numbers = [...changed.map(({ number }) => number), ...others]
	await sql`
		with locked as materialized (
			select id from contacts where account_id = ${accountId} and number = any(${numbers}::text[]) order by id for update
		)
		update contacts c
		set opted_out_at = case when n.opted_out = 'true' then n.at end,
			opted_out_because = case when n.opted_out = 'true' then n.because end
		from ${rows}, (select count(*) as locked from locked) l
		where c.account_id = ${accountId} and c.number = n.number and l.locked > 0
	`
	await sql`
		insert into opt_out_changes (account_id, number, is_opted_out, because, changed_at)
		select ${accountId}::bigint, n.number, n.opted_out::boolean, n.because, n.at from ${rows}
	`
}

const optedOut = (sql: Sql, accountId: AccountId, search: string) => sql`
	from opt_outs o
	left join contacts c on c.account_id = ${accountId} and c.number = o.number
	where o.account_id = ${accountId} and o.is_opted_out
		${search === '' ? sql`` : sql`and (${matching(sql, search)})`}
`

const matching = (sql: Sql, search: string) => {
	const numberPart = readNumberPart(search)
	const named = sql`
		${containsFolded(sql, sql`(c.first_name || ' ' || coalesce(c.last_name, ''))`, search)} or o.number = ${search}
	`
	return numberPart === null ? named : sql`${named} or o.number like ${`%${numberPart}%`}`
}

/** Lists the numbers that are opted out of marketing, contacts or not, the latest opt-out first. */
export async function listOptedOut(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & { search: string },
): Promise<OptedOut[]> {
	return sql<OptedOut[]>`
		select o.number, c.id as "contactId", nullif(trim(c.first_name || ' ' || coalesce(c.last_name, '')), '') as name,
			o.changed_at as since, o.because
		${optedOut(sql, accountId, wanted.search)}
		order by o.changed_at desc, o.number desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countOptedOut(sql: Sql, accountId: AccountId, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total ${optedOut(sql, accountId, search)}`
	return row?.total ?? 0
}

/** Returns the numbers of the given contacts. */
export async function listNumbers(sql: Sql, accountId: AccountId, ids: number[]): Promise<{ number: string }[]> {
	return sql<{ number: string }[]>`
		select number from contacts where account_id = ${accountId} and id = any(${ids}::bigint[]) order by number
	`
}
