import { CAMPAIGN_TRANSITIONS } from '#features/delivery/rules.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'
import { KEEPS_QUIET, quietSinceAllAccounts } from '../sending-rules-queries.ts'

/** Returns the highest campaign id; 0 without campaigns. */
export async function getLatestIdAllAccounts(sql: Sql): Promise<number> {
	const [row] = await sql<{ id: number | null }[]>`select max(id) as id from campaigns`
	return row?.id ?? 0
}

/**
 * Number of ids to skip: more than a database gives between a backup and its loss. Campaigns skip fewer, because a
 * month has 100 million ids.
 */
const SKIPPED_IDS = 1_000_000_000
const SKIPPED_CAMPAIGN_IDS = 1_000_000

/**
 * Advances all id sequences, so that no campaign, message, delivery or statement line gets the id of a lost one, which
 * programs and webhook receivers may have stored.
 */
export async function skipLostIdsAllAccounts(sql: Sql): Promise<void> {
	await sql`
		select setval(
			format('%I.%I', schemaname, sequencename)::regclass,
			coalesce(last_value, 0)
				+ case sequencename when 'campaigns_id_seq' then ${SKIPPED_CAMPAIGN_IDS}::bigint else ${SKIPPED_IDS}::bigint end
		)
		from pg_sequences where schemaname = 'public' and data_type = 'bigint'::regtype
	`
}

/** A campaign that may have continued after the backup. */
export interface OpenCampaign {
	id: number
	name: string
	pending: number
}

/**
 * Pauses the account's unfinished normal campaigns whose time has come, until the account says how much of each was
 * sent since the backup. Returns them.
 */
export function pauseOpen(sql: Sql, accountId: AccountId, reason: string): Promise<OpenCampaign[]> {
	return pause(sql, accountId, {
		reason,
		isToPause: sql`
			status in ('processing', 'paused') or status = 'pending' and (started_at is not null or opens_at <= now())
		`,
	})
}

/**
 * Pauses normal campaigns that are scheduled for later: they may have been sent earlier or cancelled since the backup.
 * Returns them.
 */
export function pauseScheduled(sql: Sql, accountId: AccountId, reason: string): Promise<OpenCampaign[]> {
	return pause(sql, accountId, { reason, isToPause: sql`status = 'pending'` })
}

async function pause(
	sql: Sql,
	accountId: AccountId,
	{ reason, isToPause }: { reason: string; isToPause: Statement },
): Promise<OpenCampaign[]> {
	return sql<OpenCampaign[]>`
		update campaigns
		set status = 'paused', status_reason = ${reason}, paused_with_sender = null, restored_at = now(), updated_at = now()
		where account_id = ${accountId} and kind = 'campaign' and finished_at is null and (${isToPause})
		returning id, name, pending_count as pending
	`
}

/** Cancels lists of recipients that no program had started: a program may have started them since the backup. Returns them. */
export async function cancelDrafts(
	sql: Sql,
	accountId: AccountId,
	reason: string,
): Promise<Pick<OpenCampaign, 'id' | 'name'>[]> {
	return sql<Pick<OpenCampaign, 'id' | 'name'>[]>`
		update campaigns
		set status = ${CAMPAIGN_TRANSITIONS.cancel.to}, status_reason = ${reason}, updated_at = now()
		where account_id = ${accountId} and finished_at is null and status = 'draft'
		returning id, name
	`
}

/**
 * Ends the API campaigns of the day, so that programs begin new ones. In an old one, new messages would get the numbers of lost
 * messages, and status updates about the lost ones would change them.
 */
export async function endGatherings(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		update campaigns set request_id = null where account_id = ${accountId} and kind = 'api' and request_id is not null
	`
}

/**
 * Returns true if the backup was made in the quiet hours that still last: the ledger has entries from within them. Messages
 * that wait for their end were not sent since the backup. Reads the ledger before the product starts and writes to it.
 */
export async function isQuietSinceBackup(sql: Sql, accountId: AccountId): Promise<boolean> {
	const rows = await sql`
		select 1 from (
			select created_at from ledger_entries where account_id = ${accountId} order by id desc limit 1
		) last
		where last.created_at >= ${quietSinceAllAccounts(sql, sql`${accountId}::bigint`)}
	`
	return rows.length > 0
}

/**
 * Marks as doubtful all messages in flight, of unknown outcome or waiting for a retry, and single messages not sent yet,
 * except those that wait for the end of quiet hours when `isQuiet`. Messages that wait for WhatsApp's limit are doubtful
 * too: the order in which they are sent is not in the backup. A status update settles a doubtful message, otherwise
 * `listCountedAsSent` returns it. Returns the number of messages.
 */
export async function doubtUnsettled(sql: Sql, accountId: AccountId, isQuiet: boolean): Promise<number> {
	const waiting = await sql`
		update unsettled_messages set retry_at = null, unknown_since = 'infinity'
		where account_id = ${accountId}
	`
	const claimed = await sql`
		with claims as (
			delete from message_claims where account_id = ${accountId} returning campaign_id, seqs
		)
		insert into unsettled_messages (account_id, campaign_id, seq, unknown_since)
		select ${accountId}::bigint, m.campaign_id, m.seq, 'infinity'
		from (select campaign_id, unnest(seqs) as seq from claims) k
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.campaign_id and m.seq = k.seq
			and m.status = 'pending'
		on conflict do nothing
	`
	const singles = await sql`
		with taken as (
			update campaigns set claimed_through = total_count
			where account_id = ${accountId} and kind <> 'campaign' and finished_at is null and status <> 'cancelled'
				and claimed_through < total_count and not (${isQuiet} and ${KEEPS_QUIET})
			returning id
		)
		insert into unsettled_messages (account_id, campaign_id, seq, unknown_since)
		select ${accountId}::bigint, m.campaign_id, m.seq, 'infinity'
		from taken t
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = t.id and m.status = 'pending'
		on conflict do nothing
	`
	return waiting.count + claimed.count + singles.count
}

/**
 * Locks a restored campaign and returns the facts for the account's decision; undefined for a campaign of another
 * account.
 */
export async function lockRestored(
	sql: Sql,
	accountId: AccountId,
	campaignId: string,
): Promise<{ isRestored: boolean; claimedThrough: number; total: number } | undefined> {
	const [row] = await sql<{ isRestored: boolean; claimedThrough: number; total: number }[]>`
		select restored_at is not null as "isRestored", claimed_through as "claimedThrough", total_count as total from campaigns
		where account_id = ${accountId} and id = ${campaignId}
		for update
	`
	return row
}

/** Moves the queue of a restored campaign past a message. Earlier messages without a known outcome become doubtful. */
export async function passThrough(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, after, through }: { campaignId: string; after: number; through: number },
): Promise<void> {
	await sql`
		insert into unsettled_messages (account_id, campaign_id, seq, unknown_since)
		select ${accountId}::bigint, campaign_id, seq, 'infinity'
		from campaign_messages
		where account_id = ${accountId} and campaign_id = ${campaignId} and seq > ${after} and seq <= ${through}
			and status = 'pending'
		on conflict do nothing
	`
	await sql`
		update campaigns set claimed_through = ${through}, restored_at = null, updated_at = now()
		where account_id = ${accountId} and id = ${campaignId}
	`
}

/** Returns accounts with doubtful messages of campaigns that need no decision, or have one. */
export async function listDecidedAllAccounts(sql: Sql, only: AccountId | null): Promise<{ accountId: AccountId }[]> {
	return sql<{ accountId: AccountId }[]>`
		select distinct u.account_id as "accountId"
		from unsettled_messages u
		join campaigns c on c.account_id = u.account_id and c.id = u.campaign_id and c.restored_at is null
		where u.unknown_since = 'infinity' ${only === null ? sql`` : sql`and u.account_id = ${only}`}
	`
}

/** Returns doubtful messages of one account whose campaign needs no decision of the account, or is decided. */
export async function listCountedAsSent(
	sql: Sql,
	accountId: AccountId,
	limit: number,
): Promise<{ campaignId: number; seq: number }[]> {
	return sql<{ campaignId: number; seq: number }[]>`
		select u.campaign_id as "campaignId", u.seq
		from unsettled_messages u
		join campaigns c on c.account_id = ${accountId} and c.id = u.campaign_id and c.restored_at is null
		where u.account_id = ${accountId} and u.unknown_since = 'infinity'
		limit ${limit}
	`
}
