import type { Component } from '#features/templates/contract.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { INDIAN_TODAY } from '#lib/server/indian-today.ts'
import { offsetOf, type PageQuery } from '#lib/server/paging.ts'
import type { CampaignStatus, MessageStatus } from '../contract.ts'
import type { Variables } from '../rules.ts'

export interface Campaign {
	id: number
	name: string
	description: string | null
	status: CampaignStatus
	statusReason: string | null
	/** Why sending waits by itself at present, for a campaign that is being sent. */
	waitingReason: string | null
	template: { name: string; language: string; category: string; components: Component[] }
	variables: Variables
	audienceName: string
	pricePaise: number
	total: number
	pending: number
	sent: number
	delivered: number
	read: number
	failed: number
	waived: number
	opensAt: Date
	startedAt: Date | null
	finishedAt: Date | null
	createdAt: Date
}

const columns = (sql: Sql) => sql`
	id, name, description, status, status_reason as "statusReason",
	(
		select s.waiting_reason from senders s where s.account_id = campaigns.account_id and campaigns.status = 'processing'
	) as "waitingReason", template, variables, audience_name as "audienceName",
	price_paise as "pricePaise", total_count as total, pending_count as pending, sent_count as sent,
	delivered_count as delivered, read_count as read, failed_count as failed, waived_count as waived,
	opens_at as "opensAt", started_at as "startedAt", finished_at as "finishedAt", created_at as "createdAt"
`

/** Newest first. */
export async function listCampaigns(sql: Sql, owner: OwnerId, page: PageQuery): Promise<Campaign[]> {
	return sql<Campaign[]>`
		select ${columns(sql)} from campaigns where account_id = ${owner}
		order by id desc
		limit ${page.limit} offset ${offsetOf(page)}
	`
}

export async function countCampaigns(sql: Sql, owner: OwnerId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`select count(*) as total from campaigns where account_id = ${owner}`
	return row?.total ?? 0
}

/** The next few campaigns to open, or the ones being sent now. */
export async function listByStatus(
	sql: Sql,
	owner: OwnerId,
	{ status, limit }: { status: 'pending' | 'processing'; limit: number },
): Promise<Campaign[]> {
	return sql<Campaign[]>`
		select ${columns(sql)} from campaigns where account_id = ${owner} and status = ${status}
		order by opens_at limit ${limit}
	`
}

export async function findCampaign(sql: Sql, owner: OwnerId, id: string): Promise<Campaign | undefined> {
	const [row] = await sql<Campaign[]>`select ${columns(sql)} from campaigns where account_id = ${owner} and id = ${id}`
	return row
}

/** The name of a campaign with this template that is scheduled, being sent or paused. */
export async function findUnfinishedWith(sql: Sql, owner: OwnerId, templateName: string): Promise<string | null> {
	const [row] = await sql<{ name: string }[]>`
		select name from campaigns
		where account_id = ${owner} and finished_at is null and status in ('pending', 'processing', 'paused')
			and template ->> 'name' = ${templateName}
		order by id limit 1
	`
	return row?.name ?? null
}

export interface Message {
	seq: number
	number: string
	status: MessageStatus
	held: boolean
	error: string | null
	sentAt: Date | null
}

/**
 * A page of a campaign's messages. Without a status the page is a range of the message numbers, so that the last page of a
 * million costs what the first one does.
 */
export async function listMessages(
	sql: Sql,
	owner: OwnerId,
	wanted: PageQuery & { campaignId: string; status: MessageStatus | undefined },
): Promise<Message[]> {
	const first = offsetOf(wanted)
	const part = wanted.status
		? sql`and status = ${wanted.status} order by seq limit ${wanted.limit} offset ${first}`
		: sql`and seq > ${first} and seq <= ${first + wanted.limit} order by seq`
	return sql<Message[]>`
		select seq, number, status, held_for_quality as held, error, sent_at as "sentAt"
		from campaign_messages
		where account_id = ${owner} and campaign_id = ${wanted.campaignId} ${part}
	`
}

/** The commonest reasons first. */
export async function listFailures(
	sql: Sql,
	owner: OwnerId,
	campaignId: string,
): Promise<{ error: string; count: number }[]> {
	return sql<{ error: string; count: number }[]>`
		select error, message_count as count from campaign_failures
		where account_id = ${owner} and campaign_id = ${campaignId} and message_count > 0
		order by message_count desc
		limit 20
	`
}

export interface DayTotals {
	day: string
	sent: number
	delivered: number
	read: number
	failed: number
	spentPaise: number
}

/** The last days in Indian time, today included, oldest first; days without messages are zero. */
export async function listDays(sql: Sql, owner: OwnerId, days: number): Promise<DayTotals[]> {
	return sql<DayTotals[]>`
		select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(t.sent, 0) as sent, coalesce(t.delivered, 0) as delivered,
			coalesce(t.read, 0) as read, coalesce(t.failed, 0) as failed, coalesce(t.spent_paise, 0) as "spentPaise"
		from generate_series(
			${INDIAN_TODAY} - ${days - 1}::int, ${INDIAN_TODAY}, interval '1 day'
		) as d (day)
		left join daily_totals t on t.account_id = ${owner} and t.day = d.day::date
		order by d.day
	`
}

/** Which of the first steps an account has taken. */
export interface Steps {
	credentials: boolean
	template: boolean
	contacts: boolean
	recharge: boolean
}

export async function getSteps(sql: Sql, owner: OwnerId): Promise<Steps> {
	const [row] = await sql<Steps[]>`
		select exists (select 1 from senders where account_id = ${owner}) as credentials,
			exists (
				select 1 from templates where account_id = ${owner} and status = 'APPROVED' and gone_at is null
			) as template,
			exists (select 1 from contacts where account_id = ${owner}) as contacts,
			exists (select 1 from ledger_entries where account_id = ${owner} and kind = 'recharge') as recharge
	`
	return row ?? { credentials: false, template: false, contacts: false, recharge: false }
}
