import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'

/**
 * Time for which a claimed message counts: WhatsApp's day, and a minute more, since a message is accepted some seconds after
 * its claim.
 */
export const COUNTED_FOR = verbatim(`interval '24 hours 1 minute'`)
const WABA_PREFIX = 'waba:'

/** The columns of `senders` that say how many people it may reach, and under which key they are counted. */
export const LIMIT_COLUMNS = verbatim(`
	case when messaging_limit >= 0 then messaging_limit end as "perDay",
	coalesce(portfolio_id, '${WABA_PREFIX}' || waba_id) as portfolio, '${WABA_PREFIX}' || waba_id as waba
`)

export interface SenderLimit {
	/** People in 24 hours; null for a sender without a limit, or with an unknown one. */
	perDay: number | null
	/** Key of the portfolio; of the WABA while the portfolio is unknown. */
	portfolio: string
	/** Key of the WABA. */
	waba: string
}

/** Returns the limit of an account's sender; undefined without a sender. */
export async function findSenderLimit(
	sql: Sql,
	accountId: AccountId,
): Promise<(SenderLimit & { messagesPerSecond: number }) | undefined> {
	const [row] = await sql<(SenderLimit & { messagesPerSecond: number })[]>`
		select ${LIMIT_COLUMNS}, messages_per_second as "messagesPerSecond" from senders where account_id = ${accountId}
	`
	return row
}

/**
 * Locks a portfolio until the transaction ends, and creates it when it is missing. `isNew` asks for its messages of the last
 * day, `isMoved` for those that were counted before the WABA's portfolio was known.
 */
export async function lockPortfolioAllAccounts(
	sql: Sql,
	{ portfolio, waba }: Pick<SenderLimit, 'portfolio' | 'waba'>,
): Promise<{ isNew: boolean; isMoved: boolean }> {
	for (;;) {
		const added = await sql`insert into portfolios (portfolio) values (${portfolio}) on conflict do nothing`
		const [row] = await sql<{ isMoved: boolean }[]>`
			select ${waba} <> ${portfolio} and exists (select 1 from portfolios where portfolio = ${waba}) as "isMoved"
			from portfolios where portfolio = ${portfolio}
			for update
		`
		// The row may have been deleted between the two statements.
		if (row) return { isNew: added.count > 0, isMoved: row.isMoved }
	}
}

/** Moves the messages of a WABA to the locked portfolio that it turned out to belong to. */
export async function moveMessagesAllAccounts(
	sql: Sql,
	{ portfolio, waba }: Pick<SenderLimit, 'portfolio' | 'waba'>,
): Promise<void> {
	await sql`select 1 from portfolios where portfolio = ${waba} for update`
	await sql`update portfolio_messages set portfolio = ${portfolio} where portfolio = ${waba}`
	await sql`delete from portfolios where portfolio = ${waba}`
}

/** Lists the accounts whose senders belong to a portfolio. */
export async function listAccountsOfPortfolioAllAccounts(sql: Sql, portfolio: string): Promise<AccountId[]> {
	const rows = await sql<{ accountId: AccountId }[]>`
		select s.account_id as "accountId" from senders s where ${isOfPortfolioAllAccounts(sql, portfolio)} order by s.account_id
	`
	return rows.map(({ accountId }) => accountId)
}

/** The condition on senders `s` of a portfolio. */
export const isOfPortfolioAllAccounts = (sql: Sql, portfolio: string) =>
	portfolio.startsWith(WABA_PREFIX)
		? sql`s.portfolio_id is null and s.waba_id = ${portfolio.slice(WABA_PREFIX.length)}`
		: sql`s.portfolio_id = ${portfolio}`

/**
 * Counts the messages that an account has sent within a day and that are not counted yet: those sent before the limit was
 * known. Reads campaigns that ended within a day, and unfinished ones.
 */
export async function insertSentBefore(sql: Sql, accountId: AccountId, portfolio: string): Promise<void> {
	await sql`
		insert into portfolio_messages (account_id, campaign_id, seq, portfolio, person, counted_at)
		select ${accountId}::bigint, m.campaign_id, m.seq, ${portfolio}, hashtextextended(m.number, 0), m.sent_at
		from campaigns c
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = c.id
		where c.account_id = ${accountId} and c.started_at is not null
			and (c.finished_at is null or c.finished_at > now() - interval '25 hours')
			and m.status <> 'pending' and m.sent_at > now() - ${COUNTED_FOR}
		on conflict do nothing
	`
}

/** Counts the people of a locked portfolio anew. */
export async function recountAllAccounts(sql: Sql, portfolio: string): Promise<void> {
	await sql`
		update portfolios set people = (select count(distinct person) from portfolio_messages where portfolio = ${portfolio})
		where portfolio = ${portfolio}
	`
}

/** Removes the messages of a locked portfolio that count no more. Returns the people left, and the database's time. */
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

/** Returns those of the numbers whose people are counted in a portfolio. */
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

/** Counts messages in a locked portfolio. `newPeople` of their recipients were not counted before. */
export async function insertCounted(
	sql: Sql,
	accountId: AccountId,
	counted: { portfolio: string; messages: readonly CountedMessage[]; newPeople: number; at: Date },
): Promise<void> {
	const { portfolio, messages, newPeople, at } = counted
	await sql`
		insert into portfolio_messages (account_id, campaign_id, seq, portfolio, person, counted_at)
		select ${accountId}::bigint, n.campaign_id, n.seq, ${portfolio}, hashtextextended(n.number, 0), ${at}::timestamptz
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${messages.map((m) => m.number)}::text[]
		) as n (campaign_id, seq, number)
		on conflict (account_id, campaign_id, seq) do update set counted_at = excluded.counted_at
	`
	if (newPeople > 0) await sql`update portfolios set people = people + ${newPeople} where portfolio = ${portfolio}`
}

/** Returns the portfolios in which some of these messages count. */
export async function listPortfoliosOf(
	sql: Sql,
	accountId: AccountId,
	messages: readonly Omit<CountedMessage, 'number'>[],
): Promise<string[]> {
	const rows = await sql<{ portfolio: string }[]>`
		select distinct m.portfolio from portfolio_messages m join ${keysOf(sql, messages)}
			on m.account_id = ${accountId} and m.campaign_id = k.campaign_id and m.seq = k.seq
		order by m.portfolio
	`
	return rows.map(({ portfolio }) => portfolio)
}

const keysOf = (sql: Sql, messages: readonly Omit<CountedMessage, 'number'>[]) => sql`
	unnest(${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[]) as k (campaign_id, seq)
`

/** Removes messages from a portfolio, which it locks. A person without another message is counted no more. */
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

/** Returns the time at which the oldest message of a portfolio counts no more; null without messages. */
export async function findNextFreeAllAccounts(sql: Sql, portfolio: string): Promise<Date | null> {
	const [row] = await sql<{ at: Date | null }[]>`
		select min(counted_at) + ${COUNTED_FOR} as at from portfolio_messages where portfolio = ${portfolio}
	`
	return row?.at ?? null
}

/** Lists portfolios that count messages of more than a day ago, and those that count none. */
export async function listExpiredPortfoliosAllAccounts(sql: Sql): Promise<string[]> {
	const rows = await sql<{ portfolio: string }[]>`
		select p.portfolio from portfolios p
		where p.people = 0 or exists (
			select 1 from portfolio_messages m where m.portfolio = p.portfolio and m.counted_at <= now() - ${COUNTED_FOR}
		)
		limit 1000
	`
	return rows.map(({ portfolio }) => portfolio)
}

/** Deletes a locked portfolio without people. */
export async function deleteEmptyPortfolioAllAccounts(sql: Sql, portfolio: string): Promise<void> {
	await sql`
		delete from portfolios where portfolio = ${portfolio} and people = 0
			and not exists (select 1 from portfolio_messages m where m.portfolio = ${portfolio})
	`
}
