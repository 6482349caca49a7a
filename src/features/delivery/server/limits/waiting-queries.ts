import { isInUse } from '#features/auth/server/queries.ts'
import type { CampaignKind } from '#features/delivery/rules.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'
import { KEEPS_QUIET, quietUntilAllAccounts } from '../sending-rules-queries.ts'
import { COUNTED_FOR, isOfPortfolioAllAccounts } from './portfolio-queries.ts'

/** An account of a portfolio that has messages to send now. */
export interface WaitingAccount {
	accountId: AccountId
	/** Different people whom it has reached within a day. */
	people: number
	/** Number of its pending messages. */
	wanted: number
}

const CLOCK = verbatim(`(now() at time zone '${INDIAN_TIME_ZONE}')`)

/** Lists the accounts of a portfolio whose campaigns may send now, this one included; empty when there is no other. */
export async function listRivalsAllAccounts(
	sql: Sql,
	{ portfolio, accountId }: { portfolio: string; accountId: AccountId },
): Promise<WaitingAccount[]> {
	const waiting = await sql<{ accountId: AccountId; wanted: number }[]>`
		select c.account_id as "accountId", sum(c.pending_count) as wanted
		from senders s
		join campaigns c on c.account_id = s.account_id
		where ${isOfPortfolioAllAccounts(sql, portfolio)} and s.account_id <> ${accountId} and s.stopped_reason is null
			and s.messaging_limit >= 0 and c.finished_at is null and c.status = 'processing'
			and not (${KEEPS_QUIET} and ${quietUntilAllAccounts(sql, sql`c.account_id`)} is not null)
			and (c.daily_start is null or ${CLOCK}::time >= c.daily_start) and ${isInUse(sql, sql`c.account_id`)}
		group by c.account_id
	`
	if (waiting.length === 0) return []
	const people = await sql<{ accountId: AccountId; people: number }[]>`
		select account_id as "accountId", count(distinct person) as people from portfolio_messages
		where portfolio = ${portfolio} group by account_id
	`
	const peopleOf = new Map(people.map((one) => [one.accountId, one.people]))
	return [...waiting, { accountId, wanted: Number.MAX_SAFE_INTEGER }].map((one) => ({
		...one,
		people: peopleOf.get(one.accountId) ?? 0,
	}))
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

/** A number of people who count no more from a time on. */
export interface FreedPlaces {
	at: Date
	people: number
}

/** Returns when the people of a portfolio count no more, in steps of ten minutes, the earliest first. */
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

/**
 * Counts the pending messages of the portfolio's campaigns that are being sent, except one campaign's; only those of one account
 * with `only`.
 */
export async function countAheadAllAccounts(
	sql: Sql,
	{ portfolio, exceptId, only }: { portfolio: string; exceptId: number; only: AccountId | null },
): Promise<number> {
	const [row] = await sql<{ pending: number }[]>`
		select coalesce(sum(c.pending_count), 0) as pending
		from senders s
		join campaigns c on c.account_id = s.account_id
		where ${isOfPortfolioAllAccounts(sql, portfolio)} and c.finished_at is null and c.status = 'processing' and c.id <> ${exceptId}
			${only === null ? sql`` : sql`and s.account_id = ${only}`}
	`
	return row?.pending ?? 0
}

/**
 * The `retry_at` of messages that wait for the limit. It is far from now, so that workers which do not know the limit leave
 * them alone.
 */
export const PARKED_AT = verbatim(`timestamptz '9999-12-31 00:00:00Z'`)

/** Time after which a waiting campaign is looked at although no place is known to be free: conversations may have begun. */
const LOOK_AGAIN = `interval '5 minutes'`

/** Milliseconds until the campaign `c` of the sender `s` is looked at again; null for a campaign that does not wait. */
export const LIMIT_WAIT_MS = verbatim(`
	case
		when c.limit_waits_until is null then null
		when c.limit_waited_for is distinct from s.messaging_limit or c.limit_looked_at < now() - ${LOOK_AGAIN} then 0
		else greatest(extract(epoch from c.limit_waits_until - now()) * 1000, 0)
	end
`)

/** Writes when the next messages of a campaign can be sent, and the limit for which they wait; null ends the waiting. */
export async function updateWait(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, until, perDay }: { campaignId: number; until: Date | null; perDay: number | null },
): Promise<void> {
	await sql`
		update campaigns set limit_waits_until = ${until}::timestamptz, limit_looked_at = now(),
			limit_waited_for = ${until === null ? null : perDay}::integer
		where account_id = ${accountId} and id = ${campaignId}
	`
}

/**
 * Ends the wait of an account's campaigns after a place came free. Skips campaigns that other transactions have locked, since
 * the caller has locked others already.
 */
export async function wakeWaiting(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		with waiting as (
			select id from campaigns
			where account_id = ${accountId} and finished_at is null and limit_waits_until > now()
			for update skip locked
		)
		update campaigns c set limit_waits_until = now() from waiting w where c.account_id = ${accountId} and c.id = w.id
	`
}

/** Writes messages that wait for the limit. */
export async function insertParked(
	sql: Sql,
	accountId: AccountId,
	messages: readonly { campaignId: number; seq: number; attempts: number; refusedBy: string | null }[],
): Promise<void> {
	await sql`
		insert into unsettled_messages (account_id, campaign_id, seq, attempts, refused_by, retry_at)
		select ${accountId}::bigint, n.campaign_id, n.seq, n.attempts, n.refused_by, ${PARKED_AT}
		from unnest(
			${messages.map((m) => m.campaignId)}::bigint[], ${messages.map((m) => m.seq)}::integer[],
			${messages.map((m) => m.attempts)}::integer[], ${messages.map((m) => m.refusedBy)}::text[]
		) as n (campaign_id, seq, attempts, refused_by)
		on conflict do nothing
	`
}

/**
 * Selects waiting messages of a campaign as `seq`: the first ones, and up to `limit` each of those to these numbers and to these
 * persons, who are hashes. The hashes come from a selection: a generic plan compares an array with each row one by one.
 */
export const parkedRows = (
	sql: Sql,
	accountId: AccountId,
	given: { campaignId: number; first: number; numbers: readonly string[]; persons: readonly string[]; limit: number },
) => {
	const { campaignId, first, numbers, persons, limit } = given
	const parked = sql`u.account_id = ${accountId} and u.campaign_id = ${campaignId} and u.retry_at = ${PARKED_AT}`
	const toPeople = (condition: Statement) => sql`
		union select * from (
			select u.seq from unsettled_messages u
			join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = ${campaignId} and m.seq = u.seq
			where ${parked} and ${condition} limit ${limit}
		) p
	`
	return sql`
		select * from (select u.seq from unsettled_messages u where ${parked} order by u.seq limit ${first}) f
		${numbers.length > 0 ? toPeople(sql`m.number = any(${numbers}::text[])`) : sql``}
		${persons.length > 0 ? toPeople(sql`hashtextextended(m.number, 0) in (select p::bigint from unnest(${persons}::text[]) p)`) : sql``}
	`
}

export async function hasParked(sql: Sql, accountId: AccountId, campaignId: number): Promise<boolean> {
	const rows = await sql`
		select 1 from unsettled_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and retry_at = ${PARKED_AT} limit 1
	`
	return rows.length > 0
}

/** The choice of a campaign that determines when it may send under a limit. */
export interface DailyStart {
	/** The time in India, as 10:00; null for any time. */
	dailyStart: string | null
	/** True on the first day of the campaign in India, on which it may send at any time. */
	isFirstDay: boolean
	kind: CampaignKind
	now: Date
}

/** Locks a campaign that is being sent, and returns when it may send; undefined for one in another status. */
export async function lockDailyStart(
	sql: Sql,
	accountId: AccountId,
	campaignId: number,
): Promise<DailyStart | undefined> {
	const [row] = await sql<DailyStart[]>`
		select to_char(daily_start, 'HH24:MI') as "dailyStart", kind, now() as now,
			${CLOCK}::date <= (started_at at time zone ${INDIAN_TIME_ZONE})::date as "isFirstDay"
		from campaigns where account_id = ${accountId} and id = ${campaignId} and status = 'processing'
		for update
	`
	return row
}
