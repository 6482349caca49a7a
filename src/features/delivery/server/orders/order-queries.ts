import type { RecipientOrder } from '#features/delivery/contract.ts'
import {
	type AudienceType,
	CAMPAIGN_TRANSITIONS,
	type CampaignStatus,
	type CampaignKind,
} from '#features/delivery/rules.ts'
import type { Component } from '#features/templates/contract.ts'
import { FILE_TAG } from '#features/templates/server/message-file.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { IS_SHOWN } from '../conditions.ts'

/** The row of a new campaign, without its counters. */
export interface NewCampaign {
	name: string
	description: string | null
	kind: CampaignKind
	/** `processing` skips the opener: its checks have been made and no file is to be uploaded. A `draft` waits for its start. */
	status: 'draft' | 'pending' | 'processing'
	template: { name: string; language: string; category: string; components: Component[] }
	headerFile: string | null
	cardFiles: readonly (string | null)[] | null
	variables: Variables
	/** The order of the values in each message's `merge_values`. */
	mergeTags: readonly string[]
	audienceType: AudienceType
	audienceName: string
	groupId: string | null
	segmentId: string | null
	/** The percentage of the audience in the control group. */
	controlGroupPercent: number | null
	pricePaise: number
	/** True to refund messages that WhatsApp does not charge. */
	passesOnFree: boolean
	/** The idempotency key of the request. */
	requestId: string | null
	/** Digest of the file and of the choices that no other field holds; compared with that of a repeated order. */
	requestDigest: string | null
	/** The scheduled start; null for a start at once. */
	opensAt: Date | null
	/** The id of the campaign whose failed messages this campaign sends again. */
	retryOf: string | null
	/** The id of the person who orders; null for a program or the product. */
	createdBy: number | null
	/** `list` when absent. */
	recipientOrder?: RecipientOrder | undefined
	/** The time in India from which the campaign continues on each day after its first, as 10:00. */
	dailyStart?: string | undefined
}

/** Writes a campaign without messages. Returns its id; null when its request has created one already. */
export async function insertCampaign(sql: Sql, accountId: AccountId, campaign: NewCampaign): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		insert into campaigns (
			account_id, name, description, status, template, header_file, card_files, variables, merge_tags,
			audience_type, audience_name, group_id, segment_id, price_paise, request_id, is_scheduled, kind, retry_of,
			hold_out_percent, request_digest, recipient_order, daily_start, passes_on_free, files_through, created_by, opens_at, started_at
		) values (
			${accountId}, ${campaign.name}, ${campaign.description},
			${campaign.status}, ${JSON.stringify(campaign.template)},
			${campaign.headerFile}, ${campaign.cardFiles}::text[], ${JSON.stringify(campaign.variables)}, ${campaign.mergeTags}::text[],
			${campaign.audienceType}, ${campaign.audienceName}, ${campaign.groupId}, ${campaign.segmentId}, ${campaign.pricePaise},
			${campaign.requestId}, ${campaign.opensAt !== null}, ${campaign.kind},
			${campaign.retryOf}, ${campaign.controlGroupPercent}, ${campaign.requestDigest},
			${campaign.recipientOrder ?? null}, ${campaign.dailyStart || null}::time, ${campaign.passesOnFree || null}::boolean,
			${campaign.mergeTags.includes(FILE_TAG) ? 0 : null}::int, ${campaign.createdBy}, coalesce(${campaign.opensAt}::timestamptz, now()),
			${campaign.status === 'processing' ? sql`now()` : null}
		)
		on conflict (account_id, request_id) do nothing
		returning id
	`
	return row?.id ?? null
}

/** Counts campaigns that have not ended: scheduled, paused or being sent. */
export async function countUnfinished(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from campaigns where account_id = ${accountId} and finished_at is null and ${IS_SHOWN}
	`
	return row?.total ?? 0
}

/** Returns the id of the campaign that a request has created; null if it has created none. */
export async function findByRequest(sql: Sql, accountId: AccountId, requestId: string): Promise<number | null> {
	const [row] = await sql<{ id: number }[]>`
		select id from campaigns where account_id = ${accountId} and request_id = ${requestId}
	`
	return row?.id ?? null
}

/**
 * Returns the name of the campaign `id` if it was created from another form than `form`; null if it was created from
 * the same form.
 */
export async function findDifferent(
	sql: Sql,
	accountId: AccountId,
	{ id, form }: { id: number; form: NewCampaign },
): Promise<string | null> {
	const { template } = form
	const [row] = await sql<{ name: string }[]>`
		select name from campaigns
		where account_id = ${accountId} and id = ${id} and not (
			name = ${form.name} and coalesce(description, '') = ${form.description ?? ''}
			and template ->> 'name' = ${template.name} and template ->> 'language' = ${template.language}
			and variables = ${JSON.stringify(form.variables)}::jsonb and is_scheduled = ${form.opensAt !== null}
			and (${form.opensAt}::timestamptz is null or opens_at = ${form.opensAt}::timestamptz)
			and audience_type = ${form.audienceType} and audience_name is not distinct from ${form.audienceName}
			and group_id is not distinct from ${form.groupId}::bigint
			and segment_id is not distinct from ${form.segmentId}::bigint
			and hold_out_percent is not distinct from ${form.controlGroupPercent}::smallint
			and coalesce(request_digest = ${form.requestDigest}::text, true)
		)
	`
	return row?.name ?? null
}

/** A locked campaign. */
export interface LockedOrder {
	kind: CampaignKind
	status: CampaignStatus
	hasStarted: boolean
	components: Component[]
	/** The merge tags that its messages have values for. */
	mergeTags: string[]
	/** True for recipients who are contacts: values for further merge tags can be read from them. */
	isToContacts: boolean
}

/**
 * Locks and returns a campaign, so that it neither opens nor changes meanwhile; undefined for one that the account
 * does not have or see.
 */
export async function lockOrder(sql: Sql, accountId: AccountId, campaignId: string): Promise<LockedOrder | undefined> {
	const [row] = await sql<LockedOrder[]>`
		select kind, status, started_at is not null as "hasStarted", template -> 'components' as components,
			merge_tags as "mergeTags", audience_type <> 'file' and retry_of is null and kind = 'campaign' as "isToContacts"
		from campaigns where account_id = ${accountId} and id = ${campaignId} and ${IS_SHOWN}
		for update
	`
	return row
}

export interface CampaignEdit {
	campaignId: string
	name: string
	description: string | null
	variables: Variables
	/** The scheduled start; null for a start at once. */
	opensAt: Date | null
}

export async function updateCampaign(sql: Sql, accountId: AccountId, edit: CampaignEdit): Promise<void> {
	const opensAt = edit.opensAt === null ? sql`now()` : sql`${edit.opensAt}::timestamptz`
	await sql`
		update campaigns
		set name = ${edit.name}, description = ${edit.description}, variables = ${JSON.stringify(edit.variables)},
			opens_at = ${opensAt}, is_scheduled = ${edit.opensAt !== null}, updated_at = now()
		where account_id = ${accountId} and id = ${edit.campaignId}
	`
}

/** A campaign whose recipients a program adds page by page. */
export interface RecipientList {
	id: number
	status: CampaignStatus
	total: number
	components: Component[]
	variables: Variables
	category: string
	opensAt: Date
}

/** Returns a list and locks it, so that added messages are numbered without gaps; undefined without such a campaign. */
export async function lockList(sql: Sql, accountId: AccountId, campaignId: string): Promise<RecipientList | undefined> {
	const [row] = await sql<RecipientList[]>`
		select id, status, total_count as total, template -> 'components' as components, variables,
			template ->> 'category' as category, opens_at as "opensAt"
		from campaigns where account_id = ${accountId} and id = ${campaignId} and kind = 'campaign'
		for update
	`
	return row
}

export async function countDrafts(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from campaigns where account_id = ${accountId} and finished_at is null and status = 'draft'
	`
	return row?.total ?? 0
}

/** Adds to the number of recipients who were left out since their market has no price. */
export async function addUnpriced(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, count }: { campaignId: number; count: number },
): Promise<void> {
	await sql`
		update campaigns set unpriced_count = unpriced_count + ${count} where account_id = ${accountId} and id = ${campaignId}
	`
}

/** Starts a list. A list without recipients is completed. */
export async function startList(
	sql: Sql,
	accountId: AccountId,
	{
		campaignId,
		pricePaise,
		passesOnFree,
		count,
		endedReason,
	}: { campaignId: number; pricePaise: number; passesOnFree: boolean; count: number; endedReason: string },
): Promise<void> {
	const { start, complete } = CAMPAIGN_TRANSITIONS
	const ended = sql`, finished_at = now(), status_reason = ${endedReason}`
	await sql`
		update campaigns
		set status = ${count === 0 ? complete.to : start.to}, price_paise = ${pricePaise}, updated_at = now(),
			passes_on_free = ${passesOnFree || null}::boolean ${count === 0 ? ended : sql``}
		where account_id = ${accountId} and id = ${campaignId}
	`
}

/** Cancels lists that were not started in time; the sweep of ended campaigns ends their messages. Returns how many. */
export async function cancelOldDrafts(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const isOld = sql`finished_at is null and status = 'draft' and created_at < now() - ${age}::interval`
	const { count } = await sql`
		update campaigns
		set status = ${CAMPAIGN_TRANSITIONS.cancel.to}, status_reason = 'It was not started in time.', updated_at = now()
		where account_id = ${accountId} and ${isOld} and id in (
			select id from campaigns where account_id = ${accountId} and ${isOld} limit ${limit}
		)
	`
	return count
}

const { open, append, complete, reopen } = CAMPAIGN_TRANSITIONS
/** The statuses in which an API campaign takes more messages. A cancelled, paused or failed one has ended. */
const OPEN_STATUSES = [...open.from, open.to, complete.to]

/**
 * Adds new messages to the counts of the campaign with this key, and locks it until the transaction ends. A completed
 * campaign is sent again, or opened again when its header file was uploaded from another number. Returns undefined when
 * no campaign with this key takes more messages.
 */
export async function addToApiCampaign(
	sql: Sql,
	accountId: AccountId,
	{ key, count }: { key: string; count: number },
): Promise<{ campaignId: number; before: number } | undefined> {
	const [row] = await sql<{ campaignId: number; before: number }[]>`
		update campaigns c
		set total_count = c.total_count + ${count}::int, pending_count = c.pending_count + ${count}::int, updated_at = now(),
			finished_at = null,
			status = case
				when c.status <> all(${append.from}::text[]) then c.status
				when c.media_id is null or c.media_phone_number_id
					= (select s.phone_number_id from senders s where s.account_id = ${accountId}) then ${append.to}
				else ${reopen.to} end
		where c.account_id = ${accountId} and c.request_id = ${key} and c.status = any(${OPEN_STATUSES}::text[])
		returning c.id as "campaignId", c.total_count - ${count}::int as before
	`
	return row
}

/** Removes the key of a campaign that has ended, so that a new campaign can have it. */
export async function releaseKey(sql: Sql, accountId: AccountId, key: string): Promise<void> {
	await sql`
		update campaigns set request_id = null
		where account_id = ${accountId} and request_id = ${key} and status <> all(${OPEN_STATUSES}::text[])
	`
}
