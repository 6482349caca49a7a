import {
	listChangedIds,
	listSamePeople,
	numberOwners,
	ownersOfMessages,
} from '#features/contacts/server/whatsapp-id-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/** Limit of marketing messages per number, with the campaigns whose messages count. */
export interface FrequencyCap {
	messages: number
	days: number
	/** Messages sent after this time count. */
	since: Date
	/** The account's marketing campaigns that may have sent messages since. */
	campaigns: number[]
	/**
	 * Campaigns among `campaigns` that are still to be sent within `days` of the opening; their pending messages count
	 * as well.
	 */
	open: number[]
}

/** Selects the numbers of people who read, replied or clicked within the days; campaigns without changes since are not read. */
export const engagedNumbers = (sql: Sql, accountId: AccountId, days: number): Statement => {
	const since = sql`now() - make_interval(days => ${days}::int)`
	const changed = sql`any(array(select k.id from campaigns k where k.account_id = ${accountId} and k.updated_at >= ${since}))`
	const owners = ownersOfMessages(sql, accountId)
	const withEvent = (table: Statement, at: Statement) => sql`
		select coalesce(o.number, m.number) as number from ${table} e
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = e.campaign_id and m.seq = e.seq
		${owners}
		where e.account_id = ${accountId} and ${at} >= ${since}
	`
	return sql`
		select coalesce(o.number, m.number) as number from campaign_messages m ${owners}
		where m.account_id = ${accountId} and m.status = 'read' and m.campaign_id = ${changed} and m.status_at >= ${since}
		union all ${withEvent(sql`campaign_replies`, sql`e.replied_at`)}
		union all ${withEvent(sql`campaign_clicks`, sql`e.clicked_at`)}
	`
}

/** Returns the cap for a campaign that opens at `opensAt`, or now when it is null or past. */
export async function findCap(
	sql: Sql,
	accountId: AccountId,
	{ messages, days, opensAt, except }: { messages: number; days: number; opensAt: Date | null; except: number | null },
): Promise<FrequencyCap> {
	const [time] = await sql<{ since: Date; until: Date }[]>`
		select n.opens_at - n.days as since, n.opens_at + n.days as until
		from (select greatest(${opensAt}::timestamptz, now()) as opens_at, make_interval(days => ${days}::int) as days) n
	`
	if (!time) throw new Error('a row without a table is always there')
	const { since, until } = time
	// A paused campaign may be resumed at any time.
	const rows = await sql<{ id: number; isOpen: boolean }[]>`
		select c.id, c.status in ('pending', 'processing', 'paused') and c.opens_at < ${until}
			and (c.status = 'paused' or greatest(c.opens_at, now()) > ${since}) as "isOpen"
		from campaigns c
		where c.account_id = ${accountId} and (c.finished_at is null or c.finished_at > ${since})
			and c.template ->> 'category' = 'MARKETING' and c.id is distinct from ${except}::bigint
	`
	const open = rows.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))
	return { messages, days, since, campaigns: rows.map(({ id }) => id), open }
}

/**
 * Selects, as a table `w`, the numbers of people who have reached the cap. With `numbers`, only messages to these
 * numbers are looked up; without, all messages of the counting campaigns are read once. Messages to a number, to its WhatsApp
 * id and to the person's earlier number count together, and all present numbers of the person are listed.
 */
export const writtenEnough = (
	sql: Sql,
	accountId: AccountId,
	{ cap, numbers }: { cap: FrequencyCap; numbers?: readonly string[] },
) => sql`(
	with enough as (
		select coalesce(i.wa_id, o.number, m.number) as wa_id from campaign_messages m
		left join ${numberOwners(sql, accountId)} o on o.id = m.number and m.sent_at <= o.until
		left join whatsapp_ids i on i.account_id = ${accountId} and i.number = coalesce(o.number, m.number)
		where m.account_id = ${accountId} and m.campaign_id = any(${cap.campaigns}::bigint[]) and m.status <> 'failed'
			and (m.sent_at > ${cap.since} or m.status = 'pending' and m.campaign_id = any(${cap.open}::bigint[]))
			${numbers === undefined ? sql`` : sql`and m.number = any(${numbers}::text[])`}
		group by 1
		having count(*) >= ${cap.messages}
	)
	select e.wa_id as number from enough e
	union
	select i.number from enough e join whatsapp_ids i on i.account_id = ${accountId} and i.wa_id = e.wa_id
) w`

/** Returns the given numbers whose people have reached the cap. */
export async function listWrittenEnough(
	sql: Sql,
	accountId: AccountId,
	{ cap, numbers }: { cap: FrequencyCap; numbers: readonly string[] },
): Promise<string[]> {
	const same = (await listSamePeople(sql, accountId, numbers)).map((one) => one.same)
	const others = [...same, ...(await listChangedIds(sql, accountId, numbers))]
	const enough = writtenEnough(sql, accountId, { cap, numbers: [...numbers, ...others] })
	const rows = await sql<{ number: string }[]>`
		select w.number from ${enough} where w.number = any(${numbers}::text[])
	`
	return rows.map(({ number }) => number)
}

/** Selects as `number` the numbers that have reached the cap. */
export const cappedNumbers = (sql: Sql, accountId: AccountId, cap: FrequencyCap) =>
	sql`select w.number from ${writtenEnough(sql, accountId, { cap })}`
