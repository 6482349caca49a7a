import { isInUse } from '#features/auth/server/queries.ts'
import type { CampaignKind } from '#features/delivery/rules.ts'
import type { QuietHours, SendingHours } from '#features/limits/rules.ts'
import { isOfPortfolioAllAccounts } from '#features/limits/server/service.ts'
import { indianDay } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'
import { isPreparingAllAccounts, KEEPS_QUIET } from '../sending-rules-queries.ts'

interface HoursRow {
	dailyStart: string | null
	startedAt: Date | null
	quiet: QuietHours | null
	now: Date
}

/** Selects the hours of the campaigns `c` of an account, and the database's time. */
const hoursAllAccounts = (sql: Sql, account: Statement) => sql`
	to_char(c.daily_start, 'HH24:MI') as "dailyStart", now() as now,
	c.started_at as "startedAt",
	case when ${KEEPS_QUIET} then (
		select jsonb_build_object('from', to_char(r.quiet_from, 'HH24:MI'), 'until', to_char(r.quiet_until, 'HH24:MI'))
		from sending_rules r where r.account_id = ${account} and r.quiet_from is not null and r.quiet_until is not null
	) end as quiet
`

const hoursOf = ({ dailyStart, startedAt, quiet, now }: HoursRow): SendingHours => ({
	dailyStart,
	quiet,
	firstDay: indianDay((startedAt ?? now).getTime()),
})

/** The hours of campaigns of an account, and the number of their pending messages. */
type CampaignHours = SendingHours & { accountId: AccountId; pending: number; now: Date }

/** Lists the hours of the campaigns that the other accounts of a portfolio send. */
export async function listSendingHoursAllAccounts(
	sql: Sql,
	{ portfolio, accountId }: { portfolio: string; accountId: AccountId },
): Promise<CampaignHours[]> {
	const rows = await sql<(HoursRow & { accountId: AccountId; pending: number })[]>`
		select c.account_id as "accountId", c.pending_count as pending, ${hoursAllAccounts(sql, sql`c.account_id`)}
		from senders s
		join campaigns c on c.account_id = s.account_id
		where ${isOfPortfolioAllAccounts(sql, portfolio)} and s.account_id <> ${accountId} and s.stopped_reason is null
			and s.messaging_limit >= 0 and c.finished_at is null and c.status = 'processing' and ${isInUse(sql, sql`c.account_id`)}
			and not ${isPreparingAllAccounts(sql, sql`c.account_id`)}
	`
	return rows.map((row) => ({ ...hoursOf(row), accountId: row.accountId, pending: row.pending, now: row.now }))
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
 * The `retry_at` of messages that wait for the limit. It is far from now, so that workers of a release without this limit
 * do not claim them.
 */
export const PARKED_AT = verbatim(`timestamptz '9999-12-31 00:00:00Z'`)

/** Time after which a waiting campaign is tried again even if no place is known to be free: conversations may have begun. */
const LOOK_AGAIN = `interval '5 minutes'`

/** Milliseconds until the campaign `c` of the sender `s` is tried again; null for a campaign that does not wait. */
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
 * Selects waiting messages of a campaign as `seq`: the `first` ones, up to `limit` to these numbers, and up to `limit` to people
 * with these hashes. The hashes are unnested, because a generic plan compares an array with each row one by one.
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

/** A campaign that is being sent, and the hours in which it may send. */
export interface LockedCampaign {
	hours: SendingHours
	kind: CampaignKind
	now: Date
}

/** Locks a campaign that is being sent, and returns when it may send; undefined for one in another status. */
export async function lockHours(
	sql: Sql,
	accountId: AccountId,
	campaignId: number,
): Promise<LockedCampaign | undefined> {
	const [row] = await sql<(HoursRow & { kind: CampaignKind })[]>`
		select c.kind, ${hoursAllAccounts(sql, sql`${accountId}::bigint`)}
		from campaigns c where c.account_id = ${accountId} and c.id = ${campaignId} and c.status = 'processing'
		for update of c
	`
	return row && { hours: hoursOf(row), kind: row.kind, now: row.now }
}
