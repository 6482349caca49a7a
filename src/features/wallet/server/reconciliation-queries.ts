import type { AccountId, Sql } from '#lib/server/db.ts'
import { MAX_FINDINGS, REPLY_REFERENCE, type Finding } from './ledger.ts'
import { SERIES_OF_YEAR } from './receipts/receipt-queries.ts'

/**
 * Returns the first ledger entry of the statement part that was current at `since`; null when nothing was posted after
 * `since`. Parts are consecutive in time, so older entries cannot have changed.
 */
export async function findFirstEntrySince(sql: Sql, accountId: AccountId, since: Date): Promise<number | null> {
	const [row] = await sql<{ id: number | null }[]>`
		select min(l.id) as id from statement_lines l
		where l.account_id = ${accountId} and l.part >= coalesce((
			select part from statement_lines
			where account_id = ${accountId} and last_at < ${since}
			order by part desc limit 1
		), 0) and exists (
			select from statement_lines
			where account_id = ${accountId} and part = (select max(part) from statement_lines where account_id = ${accountId})
				and last_at >= ${since}
		)
	`
	return row?.id ?? null
}

/**
 * Returns the first entry of the first statement part that begins at least `count` entries after `from`; null without
 * one. The entry's id is the lowest id of the part's lines.
 */
export async function findPartAfter(
	sql: Sql,
	accountId: AccountId,
	{ from, count }: { from: number; count: number },
): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		with entry as (
			select id from ledger_entries where account_id = ${accountId} and id >= ${from} order by id offset ${count} limit 1
		)
		select l.id from entry e
		join statement_lines l on l.account_id = ${accountId} and l.id >= e.id
		where not exists (select from statement_lines where account_id = ${accountId} and part = l.part and id < l.id)
		order by l.id
		limit 1
	`
	return row?.id ?? null
}

/**
 * Checks the ledger entries of whole statement parts, from `from` up to but not including `to`: each entry follows from
 * the preceding one, moves money as its kind demands and leaves no negative balance, each line is the sum of its part's
 * entries of its kind and campaign, or of its kind and replies, and each recharge has a receipt. Returns at most `MAX_FINDINGS` findings. An entry
 * belongs to the part of the last line whose id is not above the entry's id.
 */
export async function checkEntries(
	sql: Sql,
	accountId: AccountId,
	{ from, to }: { from: number; to: number | null },
): Promise<Finding[]> {
	const inRange = sql`account_id = ${accountId} and id >= ${from} and (${to}::bigint is null or id < ${to}::bigint)`
	return sql<Finding[]>`
		with parts as (
			select part, min(id) as id from statement_lines where ${inRange} group by part
		), before as (
			select available_after_paise, held_after_paise from ledger_entries
			where account_id = ${accountId} and id < ${from}
			order by id desc limit 1
		), chain as (
			select id, kind, available_change_paise as available, held_change_paise as held,
				available_after_paise - coalesce(lag(available_after_paise) over entries, (select available_after_paise from before), 0)
					as available_moved,
				held_after_paise - coalesce(lag(held_after_paise) over entries, (select held_after_paise from before), 0) as held_moved,
				available_after_paise as available_after, held_after_paise as held_after
			from ledger_entries where ${inRange}
			window entries as (order by id)
		), parted as (
			select e.*, max(p.part) over (order by e.id) as part
			from (select * from ledger_entries where ${inRange}) e
			left join parts p on p.id = e.id
		), ledger as (
			select part, kind, case when reference like ${`${REPLY_REFERENCE}%`} then -1 else coalesce(campaign_id, 0) end as campaign_id,
				sum(available_change_paise) as available, sum(held_change_paise) as held, sum(message_count) as messages
			from parted group by 1, 2, 3
		), lines as (
			select part, kind, greatest(campaign_id, -1) as campaign_id, sum(available_change_paise) as available,
				sum(held_change_paise) as held, sum(message_count) as messages
			from statement_lines where ${inRange} group by 1, 2, 3
		), broken as (
			select 'each entry stands on the one before it' as rule,
				format('entry %s (%s) changes %s and %s, its balances %s and %s', id, kind, available, held, available_moved, held_moved)
					as detail
			from chain
			where available <> available_moved or held <> held_moved
			union all
			select 'no balance is ever negative', format('entry %s leaves %s and %s', id, available_after, held_after)
			from chain
			where available_after < 0 or held_after < 0
			union all
			select 'each kind of entry moves money its own way', format('entry %s (%s) changes %s and %s', id, kind, available, held)
			from chain
			where not case kind
				when 'hold' then available < 0 and held = -available
				when 'capture' then available = 0 and held < 0
				when 'release' then available > 0 and held = -available
				when 'reversal' then available <> 0 and held = 0
				else available > 0 and held = 0
			end
			union all
			select 'the statement says what the ledger says',
				format('%s of campaign %s in part %s: ledger %s and %s for %s, statement %s and %s for %s',
					coalesce(e.kind, l.kind), coalesce(e.campaign_id, l.campaign_id), coalesce(e.part, l.part),
					e.available, e.held, e.messages, l.available, l.held, l.messages)
			from ledger e
			full join lines l on l.part = e.part and l.kind = e.kind and l.campaign_id = e.campaign_id
			where (e.available, e.held, e.messages) is distinct from (l.available, l.held, l.messages)
			union all
			select 'every recharge has a receipt', format('entry %s has none', c.id)
			from chain c
			where c.kind = 'recharge'
				and not exists (select from receipts r where r.account_id = ${accountId} and r.entry_id = c.id)
		)
		select ${accountId}::bigint as "accountId", rule, detail from broken limit ${MAX_FINDINGS}
	`
}

/** Checks that the wallet's balances equal the balances after its last entry. */
export async function checkBalance(sql: Sql, accountId: AccountId): Promise<Finding[]> {
	return sql<Finding[]>`
		select ${accountId}::bigint as "accountId", 'the wallet has what its last entry says' as rule,
			format('wallet %s and %s, entry %s and %s', w.available_paise, w.held_paise, e.available, e.held) as detail
		from wallets w
		left join lateral (
			select available_after_paise as available, held_after_paise as held
			from ledger_entries where account_id = ${accountId} order by id desc limit 1
		) e on true
		where w.account_id = ${accountId}
			and (w.available_paise, w.held_paise) is distinct from (coalesce(e.available, 0), coalesce(e.held, 0))
	`
}

/**
 * Checks that all money except recharges and reversals belongs to a campaign or to replies. Older admin refunds of several chat templates have no
 * campaign; they must cancel out against the charges they refunded.
 */
export async function checkUnassigned(sql: Sql, accountId: AccountId): Promise<Finding[]> {
	return sql<Finding[]>`
		select ${accountId}::bigint as "accountId", 'what concerns no campaign comes to nothing' as rule,
			format('statement lines without a campaign change %s and %s', l.available, l.held) as detail
		from (
			select sum(available_change_paise) as available, sum(held_change_paise) as held
			from statement_lines where account_id = ${accountId} and campaign_id = 0 and kind not in ('recharge', 'reversal')
		) l
		where l.available <> 0 or l.held <> 0
	`
}

/**
 * Locks the counters of receipts, tax invoices and notes until the transaction ends, in the order in which a transaction takes
 * their numbers; returns the last number of each series.
 */
export async function lockReceiptNumbersAllAccounts(sql: Sql): Promise<Map<string, number>> {
	const rows = await sql<{ series: string; last: number }[]>`
		select series, last_number as last from receipt_counters order by series desc for update
	`
	return new Map(rows.map(({ series, last }) => [series, last]))
}

interface CountedSeries {
	series: string
	receipts: number
	numbers: number
	last: number
}

/** Counts documents and distinct numbers of each series, and returns the highest number. */
export async function countReceiptsAllAccounts(sql: Sql): Promise<CountedSeries[]> {
	return sql<CountedSeries[]>`
		select 'recharge' as series, count(*) as receipts, count(distinct number) as numbers, coalesce(max(number), 0) as last
		from receipts
		union all
		select ${SERIES_OF_YEAR.invoice}::text || invoice_series, count(*), count(distinct invoice_number),
			coalesce(max(invoice_number), 0)
		from receipts where invoice_series is not null
		group by invoice_series
		union all
		select case kind when 'credit' then ${SERIES_OF_YEAR.credit}::text else ${SERIES_OF_YEAR.debit}::text end || series,
			count(*), count(distinct number), max(number)
		from tax_notes
		group by kind, series
	`
}

const MAX_STORED = 1000

/**
 * Stores the number of findings of a reconciliation and the first `MAX_STORED` findings, and deletes reconciliations
 * older than 31 days.
 */
export async function insertReconciliationAllAccounts(
	sql: Sql,
	run: { findings: readonly Finding[]; milliseconds: number },
): Promise<void> {
	await sql`delete from money_audits where finished_at < now() - interval '31 days'`
	await sql`
		insert into money_audits (findings, finding_count, milliseconds)
		values (${JSON.stringify(run.findings.slice(0, MAX_STORED))}, ${run.findings.length}, ${run.milliseconds})
	`
}

export interface LastReconciliation {
	findings: number
	startedAt: Date
	finishedAt: Date
}

export async function findLastReconciliationAllAccounts(sql: Sql): Promise<LastReconciliation | undefined> {
	const [row] = await sql<LastReconciliation[]>`
		select finding_count as findings, finished_at - milliseconds * interval '1 millisecond' as "startedAt",
			finished_at as "finishedAt"
		from money_audits
		order by id desc
		limit 1
	`
	return row
}

export async function sumHeldAllAccounts(sql: Sql): Promise<number> {
	const [row] = await sql<[{ paise: number }]>`select coalesce(sum(held_paise), 0)::float8 as paise from wallets`
	return row.paise
}
