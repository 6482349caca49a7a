import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'
import { inLockOrder } from './portfolio-keys.ts'

/**
 * Time for which a claimed message counts: WhatsApp's day, and a minute more, since a message is accepted some seconds after
 * its claim.
 */
export const COUNTED_FOR = verbatim(`interval '24 hours 1 minute'`)
/**
 * Removes the messages of a locked portfolio that no longer count. Returns the number of people left, and the database's
 * time.
 */
export async function expireAllAccounts(sql: Sql, portfolio: string): Promise<{ people: number; at: Date }> {
	const [row] = await sql<{ people: number; at: Date }[]>`
		with t as materialized (
			select clock_timestamp() as at, clock_timestamp() - ${COUNTED_FOR} as since
		), gone as (
			delete from portfolio_messages m using t
			where m.portfolio = ${portfolio} and m.counted_at <= t.since
			returning m.person
		), freed as (
			select count(distinct g.person)::int as people from gone g
			where not exists (
				select 1 from portfolio_messages k, t
				where k.portfolio = ${portfolio} and k.person = g.person and k.counted_at > t.since
			)
		)
		update portfolios p set people = p.people - f.people from freed f, t
		where p.portfolio = ${portfolio}
		returning p.people, t.at
	`
	if (!row) throw new Error('the portfolio is not locked')
	return row
}

/** Returns the numbers whose people are counted in a portfolio. */
export async function listCountedAllAccounts(
	sql: Sql,
	{ portfolio, numbers }: { portfolio: string; numbers: readonly string[] },
): Promise<Set<string>> {
	const rows = await sql<{ number: string }[]>`
		select n.number from unnest(${numbers}::text[]) as n (number)
		where exists (
			select 1 from portfolio_messages m where m.portfolio = ${portfolio} and m.person = hashtextextended(n.number, 0)
		)
	`
	return new Set(rows.map(({ number }) => number))
}

/** A message that counts under a limit. */
export interface CountedMessage {
	campaignId: number
	seq: number
	number: string
}

interface Counted {
	portfolio: string
	messages: readonly CountedMessage[]
	/** Number of their recipients who were not counted before. */
	newPeople: number
	at: Date
}

/**
 * Counts messages in a locked portfolio. A message that counts in another portfolio leaves it; that portfolio is then
 * locked out of order. PostgreSQL may end the transaction as a deadlock, and the claim is repeated.
 */
export async function insertCounted(sql: Sql, accountId: AccountId, counted: Counted): Promise<void> {
	const { portfolio, messages, newPeople } = counted
	const written = await upsertCounted(sql, accountId, counted)
	if (written < messages.length) {
		const others = (await listPortfoliosOf(sql, accountId, messages)).filter((one) => one !== portfolio)
		for (const other of others) await deleteCounted(sql, accountId, { portfolio: other, messages })
		await upsertCounted(sql, accountId, counted)
	}
	if (newPeople > 0) await sql`update portfolios set people = people + ${newPeople} where portfolio = ${portfolio}`
}

/** Writes messages of a portfolio, except those that count in another one. Returns the number of written messages. */
async function upsertCounted(
	sql: Sql,
	accountId: AccountId,
	{ portfolio, messages, at }: Omit<Counted, 'newPeople'>,
): Promise<number> {
	const { count } = await sql`
		insert into portfolio_messages (account_id, campaign_id, seq, portfolio, person, counted_at)
		select ${accountId}::bigint, n.campaign_id, n.seq, ${portfolio}, hashtextextended(n.number, 0), ${at}::timestamptz
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${messages.map((m) => m.number)}::text[]
		) as n (campaign_id, seq, number)
		on conflict (account_id, campaign_id, seq) do update set counted_at = excluded.counted_at
		where portfolio_messages.portfolio = excluded.portfolio
	`
	return count
}

/** Returns the portfolios in which some of these messages count, in the order of their locks. */
export async function listPortfoliosOf(
	sql: Sql,
	accountId: AccountId,
	messages: readonly Omit<CountedMessage, 'number'>[],
): Promise<string[]> {
	const rows = await sql<{ portfolio: string }[]>`
		select distinct m.portfolio from portfolio_messages m join ${keysOf(sql, messages)}
			on m.account_id = ${accountId} and m.campaign_id = k.campaign_id and m.seq = k.seq
	`
	return inLockOrder(rows.map(({ portfolio }) => portfolio))
}

const keysOf = (sql: Sql, messages: readonly Omit<CountedMessage, 'number'>[]) => sql`
	unnest(${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[]) as k (campaign_id, seq)
`

/** Removes messages from a portfolio, which it locks. A person without another message is no longer counted. */
export async function deleteCounted(
	sql: Sql,
	accountId: AccountId,
	{ portfolio, messages }: { portfolio: string; messages: readonly Omit<CountedMessage, 'number'>[] },
): Promise<void> {
	await sql`select 1 from portfolios where portfolio = ${portfolio} for update`
	await sql`
		with gone as (
			delete from portfolio_messages m using ${keysOf(sql, messages)}
			where m.account_id = ${accountId} and m.campaign_id = k.campaign_id and m.seq = k.seq and m.portfolio = ${portfolio}
			returning m.account_id, m.campaign_id, m.seq, m.person
		), freed as (
			select count(distinct g.person)::int as people from gone g
			where not exists (
				select 1 from portfolio_messages other
				where other.portfolio = ${portfolio} and other.person = g.person and not exists (
					select 1 from gone d
					where d.account_id = other.account_id and d.campaign_id = other.campaign_id and d.seq = other.seq
				)
			)
		)
		update portfolios p set people = p.people - f.people from freed f where p.portfolio = ${portfolio}
	`
}

/** Returns the time at which the oldest message of a portfolio no longer counts; null without messages. */
export async function findNextFreeAllAccounts(sql: Sql, portfolio: string): Promise<Date | null> {
	const [row] = await sql<{ at: Date | null }[]>`
		select min(counted_at) + ${COUNTED_FOR} as at from portfolio_messages where portfolio = ${portfolio}
	`
	return row?.at ?? null
}

/**
 * Lists portfolios that still count messages older than a day, and portfolios without people and without messages to count.
 */
export async function listExpiredPortfoliosAllAccounts(sql: Sql): Promise<string[]> {
	const rows = await sql<{ portfolio: string }[]>`
		select p.portfolio from portfolios p
		where p.moved_to is null and (
			p.people = 0 and not exists (select 1 from uncounted_accounts u where u.portfolio = p.portfolio)
			or exists (select 1 from portfolio_messages m where m.portfolio = p.portfolio and m.counted_at <= now() - ${COUNTED_FOR})
		)
		limit 1000
	`
	return rows.map(({ portfolio }) => portfolio)
}

/** Deletes a locked portfolio without people. */
export async function deleteEmptyPortfolioAllAccounts(sql: Sql, portfolio: string): Promise<void> {
	await sql`
		delete from portfolios where portfolio = ${portfolio} and people = 0 and moved_to is null
			and not exists (select 1 from uncounted_accounts u where u.portfolio = ${portfolio})
			and not exists (select 1 from portfolio_messages m where m.portfolio = ${portfolio})
	`
}

/** Counts the different people whom each account of a portfolio has reached within a day. */
export async function countPeopleAllAccounts(sql: Sql, portfolio: string): Promise<Map<AccountId, number>> {
	const rows = await sql<{ accountId: AccountId; people: number }[]>`
		select account_id as "accountId", count(distinct person) as people from portfolio_messages
		where portfolio = ${portfolio} group by account_id
	`
	return new Map(rows.map((one) => [one.accountId, one.people]))
}

/** Returns the persons who are counted by other campaigns than this one, as hashes. */
export async function listPersonsOfOthersAllAccounts(
	sql: Sql,
	{ portfolio, accountId, campaignId }: { portfolio: string; accountId: AccountId; campaignId: number },
): Promise<string[]> {
	const rows = await sql<{ person: string }[]>`
		select distinct person::text as person from portfolio_messages
		where portfolio = ${portfolio} and (account_id, campaign_id) <> (${accountId}::bigint, ${campaignId}::bigint)
	`
	return rows.map(({ person }) => person)
}

/** A number of people, and the time from which they no longer count. */
export interface FreedPlaces {
	at: Date
	people: number
}

/** Returns the times from which people of a portfolio no longer count, in steps of ten minutes, the earliest first. */
export async function listFreedAllAccounts(sql: Sql, portfolio: string): Promise<FreedPlaces[]> {
	return sql<FreedPlaces[]>`
		select to_timestamp(ceil(extract(epoch from last_at + ${COUNTED_FOR}) / 600) * 600) as at, count(*) as people
		from (
			select person, max(counted_at) as last_at from portfolio_messages where portfolio = ${portfolio} group by person
		) p
		where last_at > now() - ${COUNTED_FOR}
		group by 1 order by 1
	`
}
