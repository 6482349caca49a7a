import type { ControlGroup } from '#features/audiences/rules.ts'
import { authorName } from '#features/auth/server/queries.ts'
import {
	LIMIT_REACHED,
	TEMPLATE_PREPARING,
	type AudienceType,
	type MessageStatus,
	type StatusCounts,
	type CampaignStatus,
	type CampaignKind,
} from '#features/delivery/rules.ts'
import { ARRIVING, CHARGED_PAISE, HELD_PAISE, IS_SHOWN } from '#features/delivery/server/conditions.ts'
import {
	isPreparingAllAccounts,
	KEEPS_QUIET,
	quietUntilAllAccounts,
} from '#features/delivery/server/sending-rules-queries.ts'
import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import type { PartOut } from '#lib/endpoint.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'
import type { campaigns } from '../contract.ts'

export interface Campaign extends StatusCounts {
	id: number
	name: string
	description: string | null
	status: CampaignStatus
	statusReason: string | null
	/** The reason why a campaign that is being sent waits, in words. */
	waitingReason: string | null
	template: { name: string; language: string; category: string; components: Component[] }
	variables: Variables
	audienceName: string
	/** Price of a message in the home market. */
	pricePaise: number
	/** True if some messages have another price. */
	hasMessagePrices: boolean | null
	hasPersonFiles: boolean
	/** Messages that were refunded because WhatsApp does not charge them, and their prices; null for none. */
	passedOn: { messages: number; paise: number } | null
	total: number
	/** Prices of pending messages. */
	heldPaise: number
	/** Charges, including those of failed messages whose refund waits for an admin or was refused. */
	costPaise: number
	/**
	 * Messages that may still arrive: pending and sent ones while the campaign is processing, sent ones until 24 hours
	 * after its start or end.
	 */
	arriving: number
	replied: number
	/** Number of recipients who quoted the message or pressed a button. */
	quoted: number
	/** Number of recipients who followed a counted link, and of their clicks. */
	clicked: number
	clickCount: number
	/** Number of people who were left out as capped when the campaign was created. */
	capped: number
	/** Number of people who were left out since their market is blocked or has no price. */
	unpriced: number
	controlGroupPercent: number | null
	/** Null without a control group. */
	controlGroup: ControlGroup | null
	/** The end of the quiet hours in which the campaign waits, as 09:00; null outside of them. */
	/** Numbers of messages that WhatsApp accepted on each route. */
	routes: { marketing: number; ordinary: number }
	quietUntil: string | null
	kind: CampaignKind
	isScheduled: boolean
	audienceType: AudienceType
	groupId: number | null
	segmentId: number | null
	retryOf: number | null
	opensAt: Date
	startedAt: Date | null
	finishedAt: Date | null
	messagesRemovedAt: Date | null
	createdAt: Date
	/** Name of the person who created it; null for a program, and in an account without colleagues. */
	createdBy: string | null
}

/**
 * Selects the charges of failed messages. The subquery names the account, because one that joins the account of the
 * campaign asks all machines of a distributed database.
 */
const keptPaise = (sql: Sql, accountId: AccountId) => sql`(
	select coalesce(sum((k.waiting_count + k.refused_count)::bigint * k.price_paise), 0)::bigint from waiting_refunds k
	where k.account_id = ${accountId} and k.campaign_id = campaigns.id
)`

const costPaise = (sql: Sql, accountId: AccountId) => sql`(${CHARGED_PAISE} + ${keptPaise(sql, accountId)})`

const columns = (sql: Sql, accountId: AccountId) => sql`
	id, name, description, status, status_reason as "statusReason",
	coalesce(
		(select s.waiting_reason from senders s where s.account_id = ${accountId} and campaigns.status = 'processing'),
		case when status = 'processing' and ${isPreparingAllAccounts(sql, sql`${accountId}::bigint`)} then ${TEMPLATE_PREPARING}::text end,
		case when status = 'processing' and limit_waits_until is not null then ${LIMIT_REACHED}::text end
	) as "waitingReason", template, variables, audience_name as "audienceName",
	price_paise as "pricePaise", total_count as total, pending_count as pending, sent_count as sent,
	delivered_count as delivered, read_count as read, failed_count as failed,
	has_message_prices as "hasMessagePrices", files_through is not null as "hasPersonFiles",
	case when passed_on_count > 0 then jsonb_build_object('messages', passed_on_count, 'paise', passed_on_paise) end as "passedOn", ${HELD_PAISE} as "heldPaise", ${costPaise(sql, accountId)} as "costPaise",
	${ARRIVING} as arriving, replied_count as replied, quoted_count as quoted, clicked_count as clicked, click_count as "clickCount",
	capped_count as capped, unpriced_count as unpriced, hold_out_percent as "controlGroupPercent", held_out as "controlGroup",
	jsonb_build_object('marketing', coalesce(marketing_route_count, 0), 'ordinary', coalesce(ordinary_route_count, 0)) as routes,
	case when status = 'processing' and ${KEEPS_QUIET} then ${quietUntilAllAccounts(sql, sql`${accountId}::bigint`)} end as "quietUntil", kind, is_scheduled as "isScheduled",
	audience_type as "audienceType", group_id as "groupId", segment_id as "segmentId", retry_of as "retryOf",
	opens_at as "opensAt", started_at as "startedAt", finished_at as "finishedAt",
	messages_removed_at as "messagesRemovedAt", created_at as "createdAt",
	${authorName(sql, sql`campaigns.created_by`)} as "createdBy"
`

type ListQuery = PartOut<typeof campaigns.list.query>
type CampaignFilter = Pick<ListQuery, 'search' | 'status' | 'tests'>

const matching = (sql: Sql, accountId: AccountId, { search, status, tests }: CampaignFilter) => sql`
	account_id = ${accountId} and ${IS_SHOWN}
	${status ? sql`and status = ${status}` : sql``}
	${tests === 'hide' ? sql`and kind <> 'test'` : sql``}
	${search ? sql`and ${containsFolded(sql, sql`name`, search)}` : sql``}
`

const sortColumn = (sql: Sql, accountId: AccountId, sort: ListQuery['sort']): Statement => {
	const columnOf = {
		name: sql`lower(name) collate "C"`,
		createdAt: sql`id`,
		status: sql`status`,
		totalCount: sql`total_count`,
		cost: costPaise(sql, accountId),
	}
	return columnOf[sort]
}

export async function listCampaigns(sql: Sql, accountId: AccountId, wanted: ListQuery): Promise<Campaign[]> {
	const direction = verbatim(wanted.order)
	return sql<Campaign[]>`
		select ${columns(sql, accountId)} from campaigns where ${matching(sql, accountId, wanted)}
		order by ${sortColumn(sql, accountId, wanted.sort)} ${direction}, id ${direction}
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

/**
 * Returns up to `limit` campaigns created before `before`, or the latest ones without it. The latest come first; tests
 * are left out.
 */
export async function listBefore(
	sql: Sql,
	accountId: AccountId,
	{ before, limit }: { before: string | undefined; limit: number },
): Promise<Campaign[]> {
	return sql<Campaign[]>`
		select ${columns(sql, accountId)} from campaigns
		where ${matching(sql, accountId, { search: '', tests: 'hide', status: undefined })}
			${before === undefined ? sql`` : sql`and id < ${before}`}
		order by id desc
		limit ${limit}
	`
}

export async function countCampaigns(sql: Sql, accountId: AccountId, filter: CampaignFilter): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from campaigns where ${matching(sql, accountId, filter)}
	`
	return row?.total ?? 0
}

/** The facts about a campaign, besides its row, for its report and for a form that is prefilled from it. */
export interface FormFacts {
	/** Meta's id of the template; null when the account no longer has it. */
	templateId: string | null
	/** The id of the group; null when it was deleted. */
	selectedGroup: string | null
	retryOfName: string | null
	/** The first campaigns that send its failed messages again. */
	retries: { id: number; name: string }[]
	/** Refunds of failed messages that wait for an admin, in paise. */
	refundWaitingPaise: number
	/**
	 * Set after a restore, until the account enters how many messages count as sent: the last message claimed at the backup,
	 * and the last message with a status update since.
	 */
	restored: { at: string; claimedThrough: number; reportedThrough: number } | null
}

const MAX_RETRIES_SHOWN = 20

export async function getFormFacts(sql: Sql, accountId: AccountId, campaign: Campaign): Promise<FormFacts> {
	const [row] = await sql<FormFacts[]>`
		select
			(
				select t.id::text from templates t
				where t.account_id = ${accountId} and t.name = ${campaign.template.name} and t.language = ${campaign.template.language}
			) as "templateId",
			(
				select g.id::text from contact_groups g
				where g.account_id = ${accountId} and g.id = ${campaign.groupId} and g.deleted_at is null
			) as "selectedGroup",
			(select r.name from campaigns r where r.account_id = ${accountId} and r.id = ${campaign.retryOf}) as "retryOfName",
			(
				select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.id), '[]')
				from (
					select id, name from campaigns
					where account_id = ${accountId} and retry_of = ${campaign.id} order by id limit ${MAX_RETRIES_SHOWN}
				) r
			) as retries,
			(
				select coalesce(sum(w.waiting_count::bigint * w.price_paise), 0)::bigint from waiting_refunds w
				where w.account_id = ${accountId} and w.campaign_id = ${campaign.id}
			) as "refundWaitingPaise",
			(
				select jsonb_build_object(
					'at', c.restored_at, 'claimedThrough', c.claimed_through,
					'reportedThrough', coalesce((
						select max(m.seq) from campaign_messages m
						where m.account_id = ${accountId} and m.campaign_id = c.id and m.seq > c.claimed_through and m.status <> 'pending'
					), c.claimed_through)
				)
				from campaigns c
				where c.account_id = ${accountId} and c.id = ${campaign.id} and c.restored_at is not null
			) as restored
	`
	if (!row) throw new Error('a row without a table is always there')
	return row
}

/** Returns up to `limit` normal campaigns that are pending or being sent, the earliest start first. */
export async function listByStatus(
	sql: Sql,
	accountId: AccountId,
	{ status, limit }: { status: 'pending' | 'processing'; limit: number },
): Promise<Campaign[]> {
	return sql<Campaign[]>`
		select ${columns(sql, accountId)} from campaigns
		where account_id = ${accountId} and finished_at is null and status = ${status} and kind = 'campaign'
		order by opens_at limit ${limit}
	`
}

/** Counts the unclaimed messages of campaigns that are being sent. */
export async function countWaiting(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ waiting: number }[]>`
		select coalesce(sum(total_count - claimed_through), 0) as waiting from campaigns
		where account_id = ${accountId} and finished_at is null and status = 'processing'
	`
	return row?.waiting ?? 0
}

export async function findCampaign(sql: Sql, accountId: AccountId, id: string): Promise<Campaign | undefined> {
	const [row] = await sql<Campaign[]>`
		select ${columns(sql, accountId)} from campaigns where account_id = ${accountId} and id = ${id} and ${IS_SHOWN}
	`
	return row
}

export async function listByIds(sql: Sql, accountId: AccountId, ids: readonly string[]): Promise<Campaign[]> {
	return sql<Campaign[]>`
		select ${columns(sql, accountId)} from campaigns where account_id = ${accountId} and id = any(${ids}::bigint[])
	`
}

/** Returns the name of a campaign with this template that is scheduled, being sent or paused; null without one. */
export async function findUnfinishedWith(sql: Sql, accountId: AccountId, templateName: string): Promise<string | null> {
	const [row] = await sql<{ name: string }[]>`
		select name from campaigns
		where account_id = ${accountId} and finished_at is null and status in ('pending', 'processing', 'paused') and ${IS_SHOWN}
			and template ->> 'name' = ${templateName}
		order by id limit 1
	`
	return row?.name ?? null
}

/** A message as the report shows it. */
export interface Message {
	seq: number
	name: string | null
	number: string
	/** The number in the audience when the person has changed number since; null for other messages. */
	listedNumber: string | null
	status: MessageStatus
	isInQualityCheck: boolean
	errorCode: number | null
	sentAt: Date | null
	wamid: string | null
}

/** The messages that failed with one code. */
export interface Failure {
	code: number
	error: string
	count: number
}
