import type { Variables } from '#features/campaigns/rules.ts'
import type { Component } from '#features/templates/contract.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'

/** A message that this worker may put on the wire now. */
export interface ClaimedMessage {
	claimId: number
	campaignId: number
	seq: number
	number: string
	mergeValues: (string | null)[] | null
	/** Attempts made before this one. */
	tries: number
}

/** Which messages to claim, how many at most, and for whom. */
export interface ClaimRequest {
	campaignId: number
	limit: number
	worker: string
}

/** Accounts that have something to send. */
export async function listAccountsWithWorkAllOwners(sql: Sql): Promise<OwnerId[]> {
	const rows = await sql<{ owner: OwnerId }[]>`
		select distinct account_id as owner from campaigns
		where finished_at is null and status = 'processing' and pending_count > 0
	`
	return rows.map((row) => row.owner)
}

/** A campaign being sent: whether messages wait that were never tried, and when the next retry is due. */
export interface SendingCampaign {
	id: number
	hasFresh: boolean
	retryAt: Date | null
}

/** The campaigns an account is sending now, oldest first. */
export async function listSendingCampaigns(sql: Sql, owner: OwnerId): Promise<SendingCampaign[]> {
	return sql<SendingCampaign[]>`
		select c.id, c.claimed_through < c.total_count as "hasFresh",
			(select min(l.retry_at) from unsettled_messages l where l.account_id = ${owner} and l.campaign_id = c.id) as "retryAt"
		from campaigns c
		where c.account_id = ${owner} and c.status = 'processing' and c.pending_count > 0
		order by c.id
	`
}

/**
 * Claims the next messages that were never tried. The claim is one row for the whole batch and one step of the campaign's
 * cursor, written before anything goes out; the messages' own rows are not touched until their outcome is known.
 * The campaign's row lock keeps two workers from ever getting the same message.
 */
export async function claimFresh(sql: Sql, owner: OwnerId, request: ClaimRequest): Promise<ClaimedMessage[]> {
	return sql<ClaimedMessage[]>`
		with campaign as (
			select id, claimed_through, least(claimed_through + ${request.limit}::int, total_count) as through
			from campaigns
			where account_id = ${owner} and id = ${request.campaignId}
				and status = 'processing' and claimed_through < total_count
			for update
		), moved as (
			update campaigns c set claimed_through = n.through
			from campaign n
			where c.account_id = ${owner} and c.id = n.id
		), claim as (
			insert into message_claims (account_id, campaign_id, worker, seqs)
			select ${owner}::bigint, id, ${request.worker}, array(select generate_series(claimed_through + 1, through))
			from campaign
			returning id, campaign_id
		)
		select claim.id as "claimId", m.campaign_id as "campaignId", m.seq, m.number, m.merge_values as "mergeValues", 0 as tries
		from claim
		join campaign n on n.id = claim.campaign_id
		join campaign_messages m on m.account_id = ${owner} and m.campaign_id = n.id
			and m.seq > n.claimed_through and m.seq <= n.through
		where m.status = 'pending'
		order by m.seq
	`
}

/** Claims messages whose time to be tried again has come. */
export async function claimRetries(sql: Sql, owner: OwnerId, request: ClaimRequest): Promise<ClaimedMessage[]> {
	return sql<ClaimedMessage[]>`
		with due as (
			select l.seq, l.tries
			from unsettled_messages l
			join campaigns c on c.account_id = ${owner} and c.id = l.campaign_id and c.status = 'processing'
			where l.account_id = ${owner} and l.campaign_id = ${request.campaignId} and l.retry_at <= now()
			order by l.seq
			limit ${request.limit}
			for update of l skip locked
		), taken as (
			delete from unsettled_messages l using due
			where l.account_id = ${owner} and l.campaign_id = ${request.campaignId} and l.seq = due.seq
		), claim as (
			insert into message_claims (account_id, campaign_id, worker, seqs)
			select ${owner}::bigint, ${request.campaignId}::bigint, ${request.worker}, array_agg(seq order by seq) from due
			having count(*) > 0
			returning id, campaign_id
		)
		select claim.id as "claimId", m.campaign_id as "campaignId", m.seq, m.number, m.merge_values as "mergeValues", due.tries
		from claim
		cross join due
		join campaign_messages m on m.account_id = ${owner} and m.campaign_id = claim.campaign_id and m.seq = due.seq
		where m.status = 'pending'
		order by m.seq
	`
}

export interface SendingPlan {
	template: { name: string; language: string; category: string; components: Component[] }
	variables: Variables
	mergeTags: string[]
	mediaId: string | null
	headerFile: string | null
}

/** What every message of a campaign is made of. */
export async function getSendingPlan(sql: Sql, owner: OwnerId, campaignId: number): Promise<SendingPlan> {
	const [row] = await sql<SendingPlan[]>`
		select template, variables, merge_tags as "mergeTags", media_id as "mediaId", header_file as "headerFile"
		from campaigns where account_id = ${owner} and id = ${campaignId}
	`
	if (!row) throw new Error(`campaign ${campaignId} is gone`)
	return row
}

/** A message to be tried again later, or whose outcome is unknown. */
export interface Leftover {
	campaignId: number
	seq: number
	/** The claim it was sent under; null when that has been taken away. */
	claimId: number | null
	tries: number
	retryAt: Date | null
	unknownSince: Date | null
}

/**
 * Keeps messages for a later try or for proof, unless a report has settled them meanwhile. One that settles at this very
 * moment leaves a row that means nothing: the next look at it takes it away.
 */
export async function insertLeftovers(sql: Sql, owner: OwnerId, leftovers: Leftover[]): Promise<void> {
	await sql`
		insert into unsettled_messages (account_id, campaign_id, seq, tries, retry_at, unknown_since)
		select ${owner}::bigint, l.campaign_id, l.seq, l.tries, l.retry_at, l.unknown_since
		from unnest(
			${leftovers.map((l) => l.campaignId)}::bigint[], ${leftovers.map((l) => l.seq)}::integer[],
			${leftovers.map((l) => l.tries)}::integer[],
			${leftovers.map((l) => l.retryAt?.toISOString() ?? null)}::text[]::timestamptz[],
			${leftovers.map((l) => l.unknownSince?.toISOString() ?? null)}::text[]::timestamptz[]
		) as l (campaign_id, seq, tries, retry_at, unknown_since)
		join campaign_messages m on m.account_id = ${owner} and m.campaign_id = l.campaign_id and m.seq = l.seq
			and m.status = 'pending'
		on conflict do nothing
	`
}

/** Which of these claims still are this worker's: what another has taken over is no longer for it to put back. Locks them. */
export async function lockClaims(sql: Sql, owner: OwnerId, claimIds: number[]): Promise<Set<number>> {
	const rows = await sql<{ id: number }[]>`
		select id from message_claims where account_id = ${owner} and id = any(${claimIds}::bigint[]) order by id for update
	`
	return new Set(rows.map((row) => row.id))
}

export async function deleteClaims(sql: Sql, owner: OwnerId, claimIds: number[]): Promise<void> {
	await sql`delete from message_claims where account_id = ${owner} and id = any(${claimIds}::bigint[])`
}

export interface DeadClaim {
	id: number
	campaignId: number
	worker: string
	seqs: number[]
	claimedAt: Date
}

/** Takes away the claims of every worker but this one. */
export async function takeDeadClaims(sql: Sql, owner: OwnerId, worker: string): Promise<DeadClaim[]> {
	return sql<DeadClaim[]>`
		delete from message_claims where account_id = ${owner} and worker <> ${worker}
		returning id, campaign_id as "campaignId", worker, seqs, claimed_at as "claimedAt"
	`
}

/** Pauses every campaign the account is sending; returns their ids. */
export async function pauseAllSending(sql: Sql, owner: OwnerId, reason: string): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		update campaigns set status = 'paused', status_reason = ${reason}, updated_at = now()
		where account_id = ${owner} and status = 'processing'
		returning id
	`
	return rows.map((row) => row.id)
}
