import type { OwnerId, Sql } from '#lib/server/db.ts'

/** A rule about money that does not hold. The owner is null where it concerns all accounts together. */
export interface Finding {
	owner: OwnerId | null
	rule: string
	detail: string
}

export interface AccountFinding extends Finding {
	owner: OwnerId
}

/**
 * Checks, for one account or all, that each ledger entry stands on the one before it, that statements say what the ledger
 * says, and that every recharge has its receipt. Reads only; a sound database yields nothing.
 */
export async function reconcileLedgersAllOwners(sql: Sql, owner: OwnerId | null): Promise<AccountFinding[]> {
	// In every part, so that one machine answers for its account, and from one moment.
	const inScope = owner === null ? sql`` : sql`where account_id = ${owner}`
	return sql<AccountFinding[]>`
		with chain as (
			select account_id, id, kind, available_change_paise as available, held_change_paise as held,
				available_after_paise - coalesce(lag(available_after_paise) over entries, 0) as available_moved,
				held_after_paise - coalesce(lag(held_after_paise) over entries, 0) as held_moved,
				available_after_paise as available_after, held_after_paise as held_after
			from ledger_entries ${inScope}
			window entries as (partition by account_id order by id)
		), ledger as (
			select account_id, kind, coalesce(campaign_id, 0) as campaign_id, sum(available_change_paise) as available,
				sum(held_change_paise) as held, sum(message_count) as messages
			from ledger_entries ${inScope} group by 1, 2, 3
		), lines as (
			select account_id, kind, campaign_id, sum(available_change_paise) as available,
				sum(held_change_paise) as held, sum(message_count) as messages
			from statement_lines ${inScope} group by 1, 2, 3
		), given as (
			select account_id, entry_id from receipts ${inScope}
		), recharges as (
			select account_id, id from chain where kind = 'recharge'
		)
		select account_id as owner, 'each entry stands on the one before it' as rule,
			format('entry %s (%s) changes %s and %s, its balances %s and %s', id, kind, available, held, available_moved, held_moved)
				as detail
		from chain
		where available <> available_moved or held <> held_moved
		union all
		select account_id, 'no balance is ever negative', format('entry %s leaves %s and %s', id, available_after, held_after)
		from chain
		where available_after < 0 or held_after < 0
		union all
		select account_id, 'each kind of entry moves money its own way', format('entry %s (%s) changes %s and %s', id, kind, available, held)
		from chain
		where not case kind
			when 'recharge' then available > 0 and held = 0
			when 'hold' then available < 0 and held = -available
			when 'capture' then available = 0 and held < 0
			when 'release' then available > 0 and held = -available
			else available > 0 and held = 0
		end
		union all
		select coalesce(e.account_id, l.account_id), 'the statement says what the ledger says',
			format('%s of campaign %s: ledger %s and %s, statement %s and %s', coalesce(e.kind, l.kind),
				coalesce(e.campaign_id, l.campaign_id), e.available, e.held, l.available, l.held)
		from ledger e
		full join lines l on l.account_id = e.account_id and l.kind = e.kind and l.campaign_id = e.campaign_id
		where (e.available, e.held, e.messages) is distinct from (l.available, l.held, l.messages)
		union all
		select e.account_id, 'every recharge has a receipt', format('entry %s has none', e.id)
		from recharges e
		left join given r on r.account_id = e.account_id and r.entry_id = e.id
		where r.entry_id is null
	`
}

/** Checks, for one account or all, that each wallet is what its ledger says. Reads only; a sound database yields nothing. */
export async function reconcileBalancesAllOwners(sql: Sql, owner: OwnerId | null): Promise<AccountFinding[]> {
	const inScope = owner === null ? sql`` : sql`where account_id = ${owner}`
	return sql<AccountFinding[]>`
		with balances as (
			select account_id, available_paise as available, held_paise as held from wallets ${inScope}
		), sums as (
			select account_id, sum(available_change_paise) as available, sum(held_change_paise) as held
			from ledger_entries ${inScope} group by account_id
		), last_entries as (
			select distinct on (account_id) account_id, available_after_paise as available, held_after_paise as held
			from ledger_entries ${inScope} order by account_id, id desc
		)
		select b.account_id as owner, 'wallet equals the sum of its ledger' as rule,
			format('available %s, ledger %s; held %s, ledger %s', b.available, coalesce(s.available, 0), b.held, coalesce(s.held, 0))
				as detail
		from balances b
		left join sums s on s.account_id = b.account_id
		where b.available <> coalesce(s.available, 0) or b.held <> coalesce(s.held, 0)
		union all
		select b.account_id, 'wallet equals what its last entry says',
			format('wallet %s and %s, entry %s and %s', b.available, b.held, e.available, e.held)
		from balances b
		join last_entries e on e.account_id = b.account_id
		where b.available <> e.available or b.held <> e.held
	`
}

/** The last number given; until the transaction ends, no other is. */
export async function lockReceiptNumberAllOwners(sql: Sql): Promise<number> {
	const [row] = await sql<{ last: number }[]>`
		select last_number as last from receipt_counters where series = 'recharge' for update
	`
	return row?.last ?? 0
}

/** How many receipts there are, how many different numbers they have, and the highest. */
export async function countReceiptsAllOwners(
	sql: Sql,
): Promise<{ receipts: number; numbers: number; last: number } | undefined> {
	const [row] = await sql<{ receipts: number; numbers: number; last: number }[]>`
		select count(*) as receipts, count(distinct number) as numbers, coalesce(max(number), 0) as last from receipts
	`
	return row
}

/** Stores the findings of a reconciliation, and deletes those older than a month. */
export async function insertReconciliationAllOwners(
	sql: Sql,
	run: { findings: readonly Finding[]; milliseconds: number },
): Promise<void> {
	await sql`delete from money_audits where finished_at < now() - interval '31 days'`
	await sql`
		insert into money_audits (findings, finding_count, milliseconds)
		values (${JSON.stringify(run.findings.slice(0, 1000))}, ${run.findings.length}, ${run.milliseconds})
	`
}

export interface LastReconciliation {
	findings: number
	finishedAt: Date
}

export async function findLastReconciliationAllOwners(sql: Sql): Promise<LastReconciliation | undefined> {
	const [row] = await sql<LastReconciliation[]>`
		select finding_count as findings, finished_at as "finishedAt" from money_audits order by id desc limit 1
	`
	return row
}
