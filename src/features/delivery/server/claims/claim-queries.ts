import { isInUse } from '#features/auth/server/queries.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { LIMIT_COLUMNS, type SenderLimit } from '#features/limits/server/service.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'
import { PARKED_AT } from '../limits/waiting-queries.ts'
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
	/** True when the message takes a place under WhatsApp's limit. */
	isCounted?: boolean
	/** True when the message got the recipient's new number and the campaign has another message to it. */
	isRepeated?: boolean
	/** True for a test or a chat template when no place is left under the limit. */
	isOverLimit?: boolean
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

/**
 * Selects the current lease of an account that may send, and locks it until the claim is written. So a recovery sees the
 * claim, and a repeated claim waits for its first run, which may continue in the server after its connection was lost.
 */
const currentLease = (sql: Sql, accountId: AccountId, { worker, epoch }: Lease) => sql`
	select account_id, ${LIMIT_COLUMNS} from senders
	where account_id = ${accountId} and lease_worker = ${worker} and lease_epoch = ${epoch}
		and ${isInUse(sql, sql`${accountId}::bigint`)}
	for no key update
`

/** Locks the current lease as `currentLease` does, and returns the sender's limit; undefined when the lease is over. */
export async function lockSenderLimit(sql: Sql, accountId: AccountId, lease: Lease): Promise<SenderLimit | undefined> {
	const [row] = await sql<SenderLimit[]>`${currentLease(sql, accountId, lease)}`
	return row
}

/** The condition on a claim: the lease is current. */
export const HAS_LEASE = verbatim(`exists (select 1 from lease)`)

/** The condition on the claim of a sender without a limit: the lease is current, and WhatsApp has not set a limit meanwhile. */
const IS_FREE = verbatim(`exists (select 1 from lease where "perDay" is null)`)

/** Selects the traits of a campaign `c` that `claimedMessages` reads from `k`. */
const TRAITS = verbatim(`c.template ->> 'category' = 'MARKETING' as is_marketing, c.kind <> 'campaign' as is_single`)

/** Selects the columns that messages are sent with. Only a marketing campaign reads later opt-outs. */
const claimedMessages = (sql: Sql, accountId: AccountId) => sql`
	k.batch, m.campaign_id as "campaignId", k.is_single as "isSingle", m.seq, m.number, m.merge_values as "mergeValues",
	starts_with(m.number, ${ERASED_PREFIX}) or exists (
		select 1 from opt_outs o
		where k.is_marketing and o.account_id = ${accountId} and o.number = m.number and o.is_opted_out
	) as "isOptedOut", k.is_marketing and ${hasJustErased(sql, accountId)} as "isNearErasure",
	m.listed_number is not null and not k.is_single and exists (
		select 1 from campaign_messages o
		where o.account_id = ${accountId} and o.campaign_id = m.campaign_id and o.number = m.number and o.seq <> m.seq
			and (o.error_code = ${THROTTLED_CODE} or o.status <> 'failed' and (o.listed_number is null or o.seq < m.seq))
	) as "isRepeated",
	exists (select 1 from former_ids f where f.account_id = ${accountId} and f.id = m.number) as "isFormer"
`

/**
 * Reads messages to former numbers again, because they may have got the recipient's new number or failed while the claim's
 * statement waited for its lock, and the statement reads the rows of its start. Leaves out settled messages.
 */
async function readFormer(
	sql: Sql,
	accountId: AccountId,
	{ request, found }: { request: ClaimRequest; found: FoundMessage[] },
): Promise<FoundMessage[]> {
	const seqs = found.flatMap(({ seq, isFormer }) => (isFormer ? [seq] : []))
	if (seqs.length === 0) return found
	const rows = await sql<FoundMessage[]>`
		with k as (
			select ${request.batch}::int as batch, c.id, ${TRAITS}
			from campaigns c where c.account_id = ${accountId} and c.id = ${request.campaignId}
		)
		select ${claimedMessages(sql, accountId)} from k
		join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.id and m.seq = any(${seqs}::integer[])
		where m.status = 'pending'
	`
	const present = new Map(rows.map((row) => [row.seq, row]))
	return found.flatMap((message) => {
		const row = message.isFormer ? present.get(message.seq) : message
		return row ? [{ ...message, ...row }] : []
	})
}

/**
 * Writes the claim of messages that the transaction has found. A separate statement, since rows of a statement that also
 * inserts pass through every machine of a distributed database.
 */
export async function insertClaim(
	sql: Sql,
	accountId: AccountId,
	{ lease, found }: { lease: Lease; found: ClaimedMessage[] },
) {
	const [first] = found
	if (!first) return
	const noted = found.filter(
		({ attempts, refusedBy, isOverLimit }) => attempts > 0 || refusedBy !== null || isOverLimit,
	)
	const before = Object.fromEntries(
		noted.map(({ seq, attempts, refusedBy, isOverLimit }) => [seq, { attempts, refusedBy, isOverLimit }]),
	)
	await sql`
		insert into message_claims (account_id, lease_epoch, batch, campaign_id, worker, seqs, retried)
		values (${accountId}, ${lease.epoch}, ${first.batch}, ${first.campaignId}, ${lease.worker}, ${found.map((m) => m.seq)}::int[],
			${noted.length > 0 ? JSON.stringify(before) : null}::jsonb)
	`
}

/**
 * Takes the next messages that were never claimed, in the caller's transaction: one step of the campaign's cursor. The
 * campaign's row lock keeps two claims from ever getting the same message. While the statement waits for that lock,
 * messages may be added: the locked row counts them already, but the statement does not see them. So it takes only as many
 * messages as it has seen; otherwise the cursor would pass messages that were never claimed.
 */
export async function takeFresh(
	sql: Sql,
	accountId: AccountId,
	{ request, mayTake }: { request: ClaimRequest; mayTake: Statement },
): Promise<FoundMessage[]> {
	const found = await sql<FoundMessage[]>`
		with lease as (${currentLease(sql, accountId, request.lease)}), seen as materialized (
			select least(total_count, files_through) as total_count from campaigns
			where account_id = ${accountId} and id = ${request.campaignId}
		), k as (
			select ${request.batch}::int as batch, c.id, c.claimed_through,
				least(c.claimed_through + ${request.limit}::int, (select total_count from seen)) as through, ${TRAITS}
			from campaigns c
			where c.account_id = ${accountId} and c.id = ${request.campaignId}
				and c.status = 'processing' and c.claimed_through < (select total_count from seen) and ${mayTake}
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
	return readFormer(sql, accountId, { request, found })
}

/**
 * Takes messages from the queue of retries, in the caller's transaction: those whose retry is due, the longest waiting first, or
 * those whose `seq` the statement `picked` selects. `offset 0` makes the planner look each message up by its key.
 */
export async function takeRetries(
	sql: Sql,
	accountId: AccountId,
	{ request, mayTake, picked }: { request: ClaimRequest; mayTake: Statement; picked?: Statement },
): Promise<FoundMessage[]> {
	const found = await sql<FoundMessage[]>`
		with lease as (${currentLease(sql, accountId, request.lease)}) ${picked ? sql`, picked as materialized (${picked})` : sql``}, due as (
			select u.seq, u.attempts, u.refused_by
			from unsettled_messages u
			join campaigns c on c.account_id = ${accountId} and c.id = u.campaign_id and c.status = 'processing'
			where u.account_id = ${accountId} and u.campaign_id = ${request.campaignId} and ${mayTake}
				and u.seq <= coalesce(c.files_through, u.seq)
				${picked ? sql`and u.seq in (select seq from picked) and u.retry_at = ${PARKED_AT}` : sql`and u.retry_at <= now()`}
			order by u.retry_at, u.seq
			${picked ? sql`` : sql`limit ${request.limit}`}
			for update of u skip locked
		), taken as (
			delete from unsettled_messages u using due
			where u.account_id = ${accountId} and u.campaign_id = ${request.campaignId} and u.seq = due.seq
		), m as materialized (
			select found.*, due.attempts, due.refused_by
			from due
			cross join lateral (
				select campaign_id, seq, number, listed_number, merge_values from campaign_messages
				where account_id = ${accountId} and campaign_id = ${request.campaignId} and seq = due.seq and status = 'pending'
				offset 0
			) found
		), k as (
			select ${request.batch}::int as batch, ${TRAITS}
			from campaigns c
			where c.account_id = ${accountId} and c.id = ${request.campaignId}
		)
		select ${claimedMessages(sql, accountId)}, m.attempts, m.refused_by as "refusedBy"
		from k
		cross join m
		order by m.seq
	`
	return readFormer(sql, accountId, { request, found })
}

/**
 * Returns a function that claims messages in the caller's transaction. The claim is one row for the whole batch, committed
 * before any request is sent; the messages' own rows are not touched until their outcome is known. For a sender with a
 * limit the function claims nothing: use `claimLimited`.
 */
const claimBy = (take: typeof takeFresh) => async (sql: Sql, accountId: AccountId, request: ClaimRequest) => {
	const found = await take(sql, accountId, { request, mayTake: IS_FREE })
	await insertClaim(sql, accountId, { lease: request.lease, found })
	return markErased(sql, accountId, found)
}

/** Claims the next messages that were never claimed. */
export const claimFresh = claimBy(takeFresh)
/** Claims messages whose retry is due. */
export const claimRetries = claimBy(takeRetries)

/** Returns the messages of a claim whose statement was not answered; null when the claim was not written. */
export async function findClaim(
	sql: Sql,
	accountId: AccountId,
	{ lease, batch }: Pick<ClaimRequest, 'lease' | 'batch'>,
): Promise<ClaimedMessage[] | null> {
	const rows = await sql<(FoundMessage & { seq: number | null })[]>`
		with k as (
			select l.batch, l.seqs, l.retried, c.id, ${TRAITS}
			from message_claims l
			join campaigns c on c.account_id = ${accountId} and c.id = l.campaign_id
			where l.account_id = ${accountId} and l.lease_epoch = ${lease.epoch} and l.batch = ${batch}
		)
		select ${claimedMessages(sql, accountId)}, coalesce((k.retried -> m.seq::text ->> 'attempts')::integer, 0) as attempts,
			k.retried -> m.seq::text ->> 'refusedBy' as "refusedBy",
			coalesce((k.retried -> m.seq::text ->> 'isOverLimit')::boolean, false) as "isOverLimit"
		from k
		left join campaign_messages m on m.account_id = ${accountId} and m.campaign_id = k.id and m.seq = any(k.seqs)
			and m.status = 'pending'
		order by m.seq
	`
	if (rows.length === 0) return null
	const found = rows.filter((row) => row.seq !== null)
	return markErased(sql, accountId, found)
}
