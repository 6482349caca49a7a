import type { RecipientFilter } from '#features/campaigns/contract.ts'
import { type MessageStatus, type StepCounts, BLOCK_SIZE } from '#features/delivery/rules.ts'
import { whoClicked } from '#features/links/server/click-queries.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { identifier, verbatim } from '#lib/server/statement.ts'
import type { Failure, Message } from '../queries.ts'

/** The columns of a message in the report, of `campaign_messages m`. */
export const MESSAGE_COLUMNS = verbatim(`
	m.seq, m.name, m.number, m.listed_number as "listedNumber", m.status, m.held_for_quality as "isInQualityCheck", m.error_code as "errorCode",
	m.sent_at as "sentAt", m.wamid
`)

/**
 * Returns a page of a campaign's messages: a range of their numbers, so that the last page of a million costs as much as
 * the first.
 */
export async function listMessages(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & { campaignId: string },
): Promise<Message[]> {
	const first = offsetOf(wanted)
	return sql<Message[]>`
		select ${MESSAGE_COLUMNS} from campaign_messages m
		where m.account_id = ${accountId} and m.campaign_id = ${wanted.campaignId}
			and m.seq > ${first} and m.seq <= ${first + wanted.limit}
		order by m.seq
	`
}

/**
 * Returns a page of the messages in one status. The counts of the blocks say in which blocks the page is, and only those
 * are read.
 */
export async function listByStatus(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & { campaignId: string; status: MessageStatus },
): Promise<Message[]> {
	const first = offsetOf(wanted)
	const count = identifier(wanted.status)
	return sql<Message[]>`
		with blocks as (
			select b.block, b.${count} as count, sum(b.${count}) over (order by b.block) - b.${count} as before
			from campaign_blocks b
			where b.account_id = ${accountId} and b.campaign_id = ${wanted.campaignId} and b.${count} > 0
		), page as materialized (
			select block, before from blocks where before < ${first + wanted.limit} and before + count > ${first}
		)
		select ${MESSAGE_COLUMNS} from page p
		cross join lateral ${messagesOfBlock(sql, accountId, { ...wanted, block: sql`p.block` })} m
		order by m.seq
		limit ${wanted.limit} offset ${first}::bigint - (select coalesce(min(before), 0) from page)::bigint
	`
}

/** Returns a page of the messages whose recipients clicked. */
export async function listClicked(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & { campaignId: string },
): Promise<Message[]> {
	return sql<Message[]>`
		select ${MESSAGE_COLUMNS} from ${whoClicked(sql, accountId, wanted)}
		order by m.seq
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

/** Selects the messages of a block in one status. The order keeps the planner from joining all messages in the status. */
export const messagesOfBlock = (
	sql: Sql,
	accountId: AccountId,
	{ campaignId, status, block }: { campaignId: string; status: MessageStatus; block: ReturnType<Sql> },
) => sql`(
	select * from campaign_messages
	where account_id = ${accountId} and campaign_id = ${campaignId} and status = ${status}
		and seq > ${block} * ${BLOCK_SIZE} and seq <= (${block} + 1) * ${BLOCK_SIZE}
	order by seq
)`

/** Returns the failures of a campaign, the most common first. */
export async function listFailures(sql: Sql, accountId: AccountId, campaignId: string): Promise<Failure[]> {
	return sql<Failure[]>`
		select error_code as code, error, message_count as count from campaign_failures
		where account_id = ${accountId} and campaign_id = ${campaignId} and message_count > 0
		order by message_count desc, error_code
	`
}

export interface Span extends StepCounts {
	at: Date
	clicks: number
}

/** Counts a campaign's message events in intervals of this many seconds, the oldest first. */
export async function listSpans(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, spanSeconds }: { campaignId: string; spanSeconds: number },
): Promise<Span[]> {
	return sql<Span[]>`
		select to_timestamp(floor(extract(epoch from minute) / ${spanSeconds}::int) * ${spanSeconds}::int) as at,
			sum(sent) as sent, sum(delivered) as delivered, sum(read) as read, sum(failed) as failed, sum(clicks) as clicks
		from campaign_minutes
		where account_id = ${accountId} and campaign_id = ${campaignId}
		group by 1
		order by 1
	`
}

/** Number of messages read in one hour of one weekday, and the minutes of the first and the last read. */
export interface ReadHour {
	weekday: number
	hour: number
	read: number
	firstAt: Date
	lastAt: Date
}

/** Counts the reads of campaigns of the last 90 days by hour and weekday, in Indian time. */
export async function listReadHours(sql: Sql, accountId: AccountId): Promise<ReadHour[]> {
	return sql<ReadHour[]>`
		with local as (
			select m.minute at time zone ${verbatim(`'${INDIAN_TIME_ZONE}'`)} as at, m.minute, m.read
			from campaigns c
			join campaign_minutes m on m.account_id = ${accountId} and m.campaign_id = c.id and m.read > 0
			where c.account_id = ${accountId} and c.kind = 'campaign' and (c.finished_at is null or c.finished_at > now() - interval '90 days')
		)
		select extract(dow from at)::int as weekday, extract(hour from at)::int as hour, sum(read) as read,
			min(minute) as "firstAt", max(minute) as "lastAt"
		from local
		group by 1, 2
	`
}

/** Returns the times of the first and the last step of a campaign's messages; undefined before any. */
export async function findTimes(
	sql: Sql,
	accountId: AccountId,
	campaignId: string,
): Promise<{ first: Date; last: Date } | undefined> {
	const [row] = await sql<{ first: Date | null; last: Date | null }[]>`
		select min(minute) as first, max(minute) as last from campaign_minutes
		where account_id = ${accountId} and campaign_id = ${campaignId}
	`
	return row?.first && row.last ? { first: row.first, last: row.last } : undefined
}

/** Returns the price of a campaign some of whose messages have or had another price, in paise; null for other campaigns. */
export async function findHomePrice(sql: Sql, accountId: AccountId, campaignId: string): Promise<number | null> {
	const [row] = await sql<{ paise: number }[]>`
		select price_paise as paise from campaigns
		where account_id = ${accountId} and id = ${campaignId}
			and (has_message_prices or passed_on_count is not null)
	`
	return row?.paise ?? null
}

export interface ExportedMessage extends Message {
	mergeValues: (string | null)[] | null
	statusAt: Date | null
	/** Price of its own; null for the campaign's price. */
	pricePaise: number | null
}

/** Returns the next messages after a number, for an export that is read in batches. */
export async function listAfter(
	sql: Sql,
	accountId: AccountId,
	wanted: { campaignId: string; after: number; limit: number; status: RecipientFilter | undefined },
): Promise<ExportedMessage[]> {
	const { after, limit, status } = wanted
	const table = () => {
		if (status === undefined) return messagesIn(sql, accountId, wanted.campaignId)
		return status === 'clicked' ? whoClicked(sql, accountId, wanted) : nextBlocks(sql, accountId, { ...wanted, status })
	}
	return sql<ExportedMessage[]>`
		select ${MESSAGE_COLUMNS}, m.merge_values as "mergeValues", m.status_at as "statusAt",
			m.price_paise as "pricePaise"
		from ${table()}
		where m.seq > ${after}::bigint
		order by m.seq
		limit ${limit}
	`
}

const messagesIn = (sql: Sql, accountId: AccountId, campaignId: string) => sql`(
	select * from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId}
) m`

/** Selects the messages in one status of as many blocks after `after` as are needed to find `limit` of them. */
const nextBlocks = (
	sql: Sql,
	accountId: AccountId,
	{ campaignId, status, after, limit }: { campaignId: string; status: MessageStatus; after: number; limit: number },
) => sql`(
	select t.*
	from (
		select b.block, sum(b.${identifier(status)}) over (order by b.block) - b.${identifier(status)} as before
		from campaign_blocks b
		where b.account_id = ${accountId} and b.campaign_id = ${campaignId} and b.${identifier(status)} > 0
			and (b.block + 1) * ${BLOCK_SIZE} > ${after}::bigint
	) n
	cross join lateral ${messagesOfBlock(sql, accountId, { campaignId, status, block: sql`n.block` })} t
	where n.before < ${limit + BLOCK_SIZE}
) m`
