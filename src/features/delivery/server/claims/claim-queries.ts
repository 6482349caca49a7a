import { isInUse } from '#features/auth/server/queries.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { KEEPS_QUIET, quietUntilAllAccounts } from '../sending-rules-queries.ts'
import { routeFacts, type RouteFacts } from '../template-route/template-route-queries.ts'
import { hasJustErased, markErased, type FoundMessage } from './erased-recipient-queries.ts'

/** A message that this worker may send now, and must settle. */
export interface ClaimedMessage {
	/** The number of its claim within the lease. */
	batch: number
	campaignId: number
	isSingle: boolean
	seq: number
	number: string
	mergeValues: (string | null)[] | null
	/** Attempts made before this one. */
	attempts: number
	/** The endpoint that refused the message before; null for any other message. */
	refusedBy: SendEndpoint | null
	/** True when the recipient opted out of marketing, or was erased, after the campaign was created. */
	isOptedOut: boolean
}

/** A request to claim messages. The worker chooses the batch number, to find the claim after a lost answer. */
export interface ClaimRequest {
	lease: Lease
	batch: number
	campaignId: number
	limit: number
}

/** A campaign that is being sent. */
export interface SendingCampaign {
	id: number
	/**
	 * A campaign of one message (test, chat template, API). Claimed first. An error that would pause a normal campaign
	 * fails it.
	 */
	isSingle: boolean
	hasFresh: boolean
	retryInMs: number | null
	/** Meta's media id of the header's file, which is uploaded again if the sender's number changes. */
	mediaId: string | null
}

/** The work of a sender, its oldest campaign first. `version` changes with its credentials. */
export interface SendingState {
	version: Date
	stoppedReason: string | null
	messagesPerSecond: number
	campaigns: SendingCampaign[]
	route: RouteFacts
}

/**
 * Returns the sender and its processing campaigns, without those that wait in quiet hours; undefined for an account
 * without a sender. A deactivated account has no campaigns here. `templates` are the names whose categories are read.
 */
export async function findSendingState(
	sql: Sql,
	accountId: AccountId,
	templates: readonly string[] = [],
): Promise<SendingState | undefined> {
	const [row] = await sql<SendingState[]>`
		select s.updated_at as version, s.stopped_reason as "stoppedReason", s.messages_per_second as "messagesPerSecond",
			coalesce((
				select jsonb_agg(
					jsonb_build_object(
						'id', c.id, 'isSingle', c.kind <> 'campaign', 'hasFresh', c.claimed_through < c.total_count, 'mediaId', c.media_id,
						'retryInMs', (
							select extract(epoch from min(u.retry_at) - now()) * 1000
							from unsettled_messages u
							where u.account_id = ${accountId} and u.campaign_id = c.id and u.retry_at is not null
						)
					) order by c.id
				)
				from campaigns c
				where c.account_id = ${accountId} and c.finished_at is null and c.status = 'processing'
					and ${isInUse(sql, sql`${accountId}::bigint`)}
					and not (${KEEPS_QUIET} and ${quietUntilAllAccounts(sql, sql`${accountId}::bigint`)} is not null)
			), '[]') as campaigns,
			${routeFacts(sql, accountId, templates)} as route
		from senders s
		where s.account_id = ${accountId}
	`
	return row
}

/**
 * Selects the current lease of an account that may send, and locks it until the claim is written. So a recovery sees the
 * claim, and a repeated claim waits for its first run, which may continue in the server after its connection was lost.
 */
const heldLease = (sql: Sql, accountId: AccountId, { worker, epoch }: Lease) => sql`
	select account_id from senders
	where account_id = ${accountId} and lease_worker = ${worker} and lease_epoch = ${epoch}
		and ${isInUse(sql, sql`${accountId}::bigint`)}
	for no key update
`

/** Selects the columns that messages are sent with. Only a marketing campaign reads later opt-outs. */
const claimedMessages = (sql: Sql, accountId: AccountId) => sql`
	k.batch, m.campaign_id as "campaignId", k.is_single as "isSingle", m.seq, m.number, m.merge_values as "mergeValues",
	starts_with(m.number, ${ERASED_PREFIX}) or exists (
		select 1 from opt_outs o
		where k.is_marketing and o.account_id = ${accountId} and o.number = m.number and o.is_opted_out
	) as "isOptedOut", k.is_marketing and ${hasJustErased(sql, accountId)} as "isNearErasure"
`

/**
 * Writes the claim of messages that the transaction has found. A separate statement, since rows of a statement that also
 * inserts pass through every machine of a distributed database.
 */
async function insertClaim(
	sql: Sql,
	accountId: AccountId,
	{ lease, found }: { lease: Lease; found: ClaimedMessage[] },
) {
	const [first] = found
	if (!first) return
	await sql`
		insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs)
		values (${accountId}, ${lease.epoch}, ${first.batch}, ${first.campaignId}, ${lease.worker}, ${found.map((m) => m.seq)}::int[])
	`
}

/**
 * Claims the next messages that were never claimed, in the caller's transaction. The claim is one row for the whole batch and
 * one step of the campaign's cursor, committed before any request is sent; the messages' own rows are not touched until their
 * outcome is known. The campaign's row lock keeps two claims from ever getting the same message. While the statement waits for
 * that lock, messages may be added: the locked row counts them already, but the statement does not see them. So it claims only
 * up to the count that it has seen, or the cursor would step over the others for ever.
 */
export async function claimFresh(sql: Sql, accountId: AccountId, request: ClaimRequest): Promise<ClaimedMessage[]> {
	const found = await sql<FoundMessage[]>`
		with lease as (${heldLease(sql, accountId, request.lease)}), seen as materialized (
			select total_count from campaigns where account_id = ${accountId} and id = ${request.campaignId}
		), k as (
			select ${request.batch}::int as batch, c.id, c.claimed_through,
				least(c.claimed_through + ${request.limit}::int, (select total_count from seen)) as through,
				c.template ->> 'category' = 'MARKETING' as is_marketing, c.kind <> 'campaign' as is_single
			from campaigns c
			where c.account_id = ${accountId} and c.id = ${request.campaignId}
				and c.status = 'processing' and c.claimed_through < (select total_count from seen) and exists (select 1 from lease)
			for update
		), moved as (
			update campaigns c set claimed_through = n.through
			from k n where c.account_id = ${accountId} and c.id = n.id
		)
		select ${claimedMessages(sql, accountId)}, 0 as attempts, null::text as "refusedBy"
		from k
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.id
			and m.seq > k.claimed_through and m.seq <= k.through
		where m.status = 'pending'
		order by m.seq
	`
	await insertClaim(sql, accountId, { lease: request.lease, found })
	return markErased(sql, accountId, found)
}

/**
 * Claims messages whose retry is due, the longest waiting first, in the caller's transaction. `offset 0` makes the
 * planner look each message up by its key.
 */
export async function claimRetries(sql: Sql, accountId: AccountId, request: ClaimRequest): Promise<ClaimedMessage[]> {
	const found = await sql<FoundMessage[]>`
		with lease as (${heldLease(sql, accountId, request.lease)}), due as (
			select u.seq, u.attempts, u.refused_by
			from unsettled_messages u
			join campaigns c on c.account_id = ${accountId} and c.id = u.campaign_id and c.status = 'processing'
			where u.account_id = ${accountId} and u.campaign_id = ${request.campaignId} and u.retry_at <= now()
				and exists (select 1 from lease)
			order by u.retry_at, u.seq
			limit ${request.limit}
			for update of u skip locked
		), taken as (
			delete from unsettled_messages u using due
			where u.account_id = ${accountId} and u.campaign_id = ${request.campaignId} and u.seq = due.seq
		), m as materialized (
			select found.*, due.attempts, due.refused_by
			from due
			cross join lateral (
				select campaign_id, seq, number, merge_values from campaign_messages
				where account_id = ${accountId} and campaign_id = ${request.campaignId} and seq = due.seq and status = 'pending'
				offset 0
			) found
		), k as (
			select ${request.batch}::int as batch, c.template ->> 'category' = 'MARKETING' as is_marketing,
				c.kind <> 'campaign' as is_single
			from campaigns c
			where c.account_id = ${accountId} and c.id = ${request.campaignId}
		)
		select ${claimedMessages(sql, accountId)}, m.attempts, m.refused_by as "refusedBy"
		from k
		cross join m
		order by m.seq
	`
	await insertClaim(sql, accountId, { lease: request.lease, found })
	return markErased(sql, accountId, found)
}

/** Returns the messages of a claim whose statement was not answered; null when the claim was not written. */
export async function findClaim(
	sql: Sql,
	accountId: AccountId,
	{ lease, batch }: Pick<ClaimRequest, 'lease' | 'batch'>,
): Promise<ClaimedMessage[] | null> {
	const rows = await sql<(FoundMessage & { seq: number | null })[]>`
		with k as (
			select l.batch, l.seqs, c.id, c.template ->> 'category' = 'MARKETING' as is_marketing, c.kind <> 'campaign' as is_single
			from message_claims l
			join campaigns c on c.account_id = ${accountId} and c.id = l.campaign_id
			where l.account_id = ${accountId} and l.lease_epoch = ${lease.epoch} and l.batch = ${batch}
		)
		select ${claimedMessages(sql, accountId)}, 0 as attempts, null::text as "refusedBy"
		from k
		left join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.id and m.seq = any(k.seqs)
			and m.status = 'pending'
		order by m.seq
	`
	if (rows.length === 0) return null
	const found = rows.filter((row) => row.seq !== null)
	return markErased(sql, accountId, found)
}

/** A message of a claim whose outcome is known. */
export interface FinishedMessage {
	batch: number
	seq: number
}

/**
 * Removes finished messages from their claims, and empty claims. Returns the messages that were still in a claim: the
 * others were finished by a transaction whose COMMIT was not answered, or taken over by a recovery. Locks the claims.
 */
export async function finishClaimed(
	sql: Sql,
	accountId: AccountId,
	{ epoch, finished }: { epoch: number; finished: FinishedMessage[] },
): Promise<FinishedMessage[]> {
	return sql<FinishedMessage[]>`
		with finished as (
			select * from unnest(${finished.map((f) => f.batch)}::int[], ${finished.map((f) => f.seq)}::int[]) as f (batch, seq)
		), claims as (
			select k.batch, k.seqs from message_claims k
			where k.account_id = ${accountId} and k.lease_epoch = ${epoch}
				and k.batch = any(${[...new Set(finished.map((f) => f.batch))]}::int[])
			order by k.batch
			for update
		), held as (
			select c.batch, unnest(c.seqs) as seq from claims c
		), remaining as (
			select c.batch, array(
				select unnest(c.seqs) except select f.seq from finished f where f.batch = c.batch
			) as seqs
			from claims c
		), gone as (
			delete from message_claims k using remaining r
			where k.account_id = ${accountId} and k.lease_epoch = ${epoch} and k.batch = r.batch and r.seqs = '{}'
		), shortened as (
			update message_claims k set seqs = r.seqs from remaining r
			where k.account_id = ${accountId} and k.lease_epoch = ${epoch} and k.batch = r.batch and r.seqs <> '{}'
		)
		select f.batch, f.seq from finished f join held h on h.batch = f.batch and h.seq = f.seq
	`
}

export interface OrphanedClaim {
	batch: number
	epoch: number
	campaignId: number
	worker: string
	seqs: number[]
}

/** Removes and returns the claims of earlier leases, whose workers have ended or have released the sender. */
export async function takeOrphanedClaims(sql: Sql, accountId: AccountId, lease: Lease): Promise<OrphanedClaim[]> {
	return sql<OrphanedClaim[]>`
		delete from message_claims where account_id = ${accountId} and lease_epoch < ${lease.epoch}
		returning batch, lease_epoch as epoch, campaign_id as "campaignId", worker, seqs
	`
}
