import { isInUse } from '#features/auth/server/queries.ts'
import {
	type CampaignStatus,
	CAMPAIGN_TRANSITIONS,
	type CampaignAction,
	type CampaignKind,
} from '#features/delivery/rules.ts'
import type { Component } from '#features/templates/contract.ts'
import type { Variables } from '#features/templates/values.ts'
import { MEDIA_DAYS } from '#features/whatsapp/server/cloud-api.ts'
import { DAY_MS } from '#lib/durations.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { IS_SHOWN } from '../conditions.ts'

export interface CampaignToOpen {
	components: Component[]
	headerFile: string | null
	cardFiles: (string | null)[] | null
	variables: Variables
	isTemplateApproved: boolean
	/** The database's time. */
	readAt: Date
}

/** Returns a pending campaign whose time has come and whose account may send; undefined otherwise. */
export async function findCampaignToOpen(
	sql: Sql,
	accountId: AccountId,
	campaignId: number,
): Promise<CampaignToOpen | undefined> {
	const [row] = await sql<CampaignToOpen[]>`
		select c.template -> 'components' as components, c.header_file as "headerFile",
			c.card_files as "cardFiles", c.variables, now() as "readAt",
			exists (
				select 1 from templates t
				where t.account_id = ${accountId} and t.name = c.template ->> 'name' and t.language = c.template ->> 'language'
					and t.status = 'APPROVED' and t.gone_at is null
			) as "isTemplateApproved"
		from campaigns c
		where c.account_id = ${accountId} and c.id = ${campaignId} and c.status = 'pending' and c.opens_at <= now()
			and ${isInUse(sql, sql`${accountId}::bigint`)}
	`
	return row
}

export interface DueCampaign {
	accountId: AccountId
	campaignId: number
}

/** Returns up to `limit` due campaigns except the named ones, the longest due first. */
export async function listDueAllAccounts(
	sql: Sql,
	{ except, limit, only }: { except: readonly number[]; limit: number; only: AccountId | null },
): Promise<DueCampaign[]> {
	return sql<DueCampaign[]>`
		select c.account_id as "accountId", c.id as "campaignId"
		from campaigns c
		where c.status = 'pending' and c.opens_at <= now() and c.id <> all(${except}::bigint[])
			${only === null ? sql`` : sql`and c.account_id = ${only}`}
			and ${isInUse(sql, sql`c.account_id`)}
		order by c.opens_at
		limit ${limit}
	`
}

/** Meta's ids of a campaign's uploaded files, which only the number `phoneNumberId` can send. */
export interface UploadedMedia {
	/** The id of the header's file; of the first card's in a carousel. */
	id: string
	/** The ids of the cards' files, in order; null without cards. */
	cardIds: string[] | null
	phoneNumberId: string
}

/**
 * Sets a campaign to processing. Leaves a campaign that was paused, cancelled or postponed meanwhile, or whose sender was
 * paused, as it is. Returns true when the status changed.
 */
export async function startCampaign(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, media, at }: { campaignId: number; media: UploadedMedia | null; at: Date },
): Promise<boolean> {
	const { from, to } = CAMPAIGN_TRANSITIONS.open
	// Computed here, because Citus refuses a CASE that depends on the session's time zone.
	const staleBefore = new Date(at.getTime() - MEDIA_DAYS * DAY_MS)
	const rows = await sql`
		update campaigns
		set status = ${to}, started_at = coalesce(started_at, ${at}::timestamptz), updated_at = ${at},
			media_id = ${media?.id ?? null}, media_phone_number_id = ${media?.phoneNumberId ?? null},
			media_uploaded_at = ${media === null ? null : at}, card_media_ids = ${media?.cardIds ?? null}::text[],
			files_through = case
				when files_through is not null and (files_number is distinct from ${media?.phoneNumberId ?? null}
					or coalesce(media_uploaded_at, created_at) < ${staleBefore}::timestamptz) then 0 else files_through end
		where account_id = ${accountId} and id = ${campaignId} and status = any(${from}::text[])
			and opens_at < ${at}::timestamptz + interval '1 millisecond'
			and not exists (select 1 from senders where account_id = ${accountId} and stopped_reason is not null)
		returning id
	`
	return rows.length > 0
}

/** The facts about a campaign that a change of its status needs. */
export interface CampaignState {
	name: string
	status: CampaignStatus
	/** Set if the campaign can continue: it was opened, and Meta still has its header file. */
	isOpened: boolean
	isPausedWithSender: boolean
	/** Set if the account first has to say how much was sent since a backup. */
	isRestored: boolean
	opensAt: Date
}

/** Locks a campaign and returns its state; undefined for one that the account does not have or see. */
export async function lockCampaign(
	sql: Sql,
	accountId: AccountId,
	campaignId: string,
): Promise<CampaignState | undefined> {
	const [row] = await sql<CampaignState[]>`
		select name, status, opens_at as "opensAt",
			started_at is not null and (
				media_id is null
				or media_uploaded_at > now() - make_interval(days => ${MEDIA_DAYS}) and media_phone_number_id
					= (select s.phone_number_id from senders s where s.account_id = ${accountId})
			) as "isOpened",
			coalesce(paused_with_sender, false) as "isPausedWithSender", restored_at is not null as "isRestored"
		from campaigns where account_id = ${accountId} and id = ${campaignId} and ${IS_SHOWN}
		for update
	`
	return row
}

/** Sets the campaigns that were paused together with the sender to pending. Returns their ids. */
export async function resumeWithSender(sql: Sql, accountId: AccountId): Promise<number[]> {
	const { from, to } = CAMPAIGN_TRANSITIONS.reopen
	const rows = await sql<{ id: number }[]>`
		update campaigns set status = ${to}, status_reason = null, paused_with_sender = null, updated_at = now()
		where account_id = ${accountId} and status = any(${from}::text[]) and paused_with_sender
		returning id
	`
	return rows.map((row) => row.id)
}

/**
 * Sets processing campaigns to pending whose header file has to be uploaded again: it was uploaded from another number, or Meta
 * deletes it soon. Returns true when there were any.
 */
export async function reopenForNumber(sql: Sql, accountId: AccountId, phoneNumberId: string): Promise<boolean> {
	const { from, to } = CAMPAIGN_TRANSITIONS.changeNumber
	const rows = await sql`
		update campaigns set status = ${to}, updated_at = now()
		where account_id = ${accountId} and finished_at is null and status = any(${from}::text[])
			and media_id is not null
			and (media_phone_number_id is distinct from ${phoneNumberId} or media_uploaded_at < now() - make_interval(days => ${MEDIA_DAYS}))
		returning 1
	`
	return rows.length > 0
}

/** Changes the status. The caller has locked the campaign and checked that the action is allowed. */
export async function updateStatus(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, action, reason }: { campaignId: string; action: CampaignAction; reason: string | null },
): Promise<void> {
	await sql`
		update campaigns set status = ${CAMPAIGN_TRANSITIONS[action].to}, status_reason = ${reason}, paused_with_sender = null, updated_at = now()
		where account_id = ${accountId} and id = ${campaignId}
	`
}

interface Pause {
	reason: string
	/** Set if the pause ends together with the sender's. */
	isWithSender: boolean
}

/**
 * Sets a campaign to paused. A test, a chat template and an API campaign cannot be resumed: they fail instead, and the
 * sweep of ended campaigns releases their money.
 */
const paused = (sql: Sql, { reason, isWithSender }: Pause) => sql`
	status = case when kind = 'campaign' then ${CAMPAIGN_TRANSITIONS.pause.to} else ${CAMPAIGN_TRANSITIONS.stop.to} end,
	status_reason = ${reason}, paused_with_sender = ${isWithSender}, updated_at = now()
`

/**
 * Pauses the account's processing campaigns and, unless the sender is the cause, its pending ones. Tests, chat
 * templates and API campaigns fail instead. Returns the paused campaigns.
 */
export async function pauseAll(sql: Sql, accountId: AccountId, pause: Pause): Promise<{ id: number; name: string }[]> {
	const { from } = CAMPAIGN_TRANSITIONS[pause.isWithSender ? 'pauseWithSender' : 'pause']
	const rows = await sql<{ id: number; name: string; kind: CampaignKind }[]>`
		update campaigns set ${paused(sql, pause)}
		where account_id = ${accountId} and status = any(${from}::text[])
		returning id, name, kind
	`
	return rows.filter(({ kind }) => kind === 'campaign')
}

/** Pauses the account's processing campaigns, apart from those of the kinds that cannot be resumed. Returns them. */
export async function pauseProcessing(
	sql: Sql,
	accountId: AccountId,
	reason: string,
): Promise<{ id: number; name: string }[]> {
	const { from } = CAMPAIGN_TRANSITIONS.pauseWithSender
	return sql<{ id: number; name: string }[]>`
		update campaigns set ${paused(sql, { reason, isWithSender: false })}
		where account_id = ${accountId} and status = any(${from}::text[]) and kind = 'campaign'
		returning id, name
	`
}

/** Cancels all unfinished campaigns of the account. Returns true when there were any. */
export async function cancelAll(sql: Sql, accountId: AccountId, reason: string): Promise<boolean> {
	const { from, to } = CAMPAIGN_TRANSITIONS.cancel
	const { count } = await sql`
		update campaigns
		set status = ${to}, status_reason = ${reason}, paused_with_sender = null, restored_at = null, updated_at = now()
		where account_id = ${accountId} and status = any(${from}::text[])
	`
	return count > 0
}

/** A campaign that was paused or failed. */
export interface StoppedCampaign {
	name: string
	kind: CampaignKind
}

/**
 * Pauses a processing or pending campaign, or fails a pending one. Returns it; undefined for a campaign in another
 * status.
 */
export async function stopCampaign(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, action, ...pause }: Pause & { campaignId: number; action: 'pause' | 'fail' },
): Promise<StoppedCampaign | undefined> {
	const { from, to } = CAMPAIGN_TRANSITIONS[action]
	const changes =
		action === 'pause' ? paused(sql, pause) : sql`status = ${to}, status_reason = ${pause.reason}, updated_at = now()`
	const [row] = await sql<StoppedCampaign[]>`
		update campaigns set ${changes}
		where account_id = ${accountId} and id = ${campaignId} and status = any(${from}::text[])
		returning name, kind
	`
	return row
}
