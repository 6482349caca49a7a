import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import type { Lease } from '#features/whatsapp/server/sending-state-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

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
	/** Messages that were tried before, by seq. */
	retried: Record<string, { attempts: number; refusedBy: SendEndpoint | null }> | null
}

/** Removes and returns the claims of earlier leases, whose workers have ended or have released the sender. */
export async function takeOrphanedClaims(sql: Sql, accountId: AccountId, lease: Lease): Promise<OrphanedClaim[]> {
	return sql<OrphanedClaim[]>`
		delete from message_claims where account_id = ${accountId} and lease_epoch < ${lease.epoch}
		returning batch, lease_epoch as epoch, campaign_id as "campaignId", worker, seqs, retried
	`
}
