import type { OwnerId, Sql } from '#lib/server/db.ts'
import { BLOCK_SIZE } from './block-size.ts'

/** New messages of a campaign, which are pending. It had this many before. */
interface NewMessages {
	campaignId: number
	before: number
	count: number
}

/** Counts new messages, in total and for each block. */
export async function addCounts(sql: Sql, owner: OwnerId, added: NewMessages): Promise<void> {
	const { campaignId, count } = added
	await sql`
		update campaigns set total_count = total_count + ${count}, pending_count = pending_count + ${count}, updated_at = now()
		where account_id = ${owner} and id = ${campaignId}
	`
	await addToBlocks(sql, owner, added)
}

export async function addToBlocks(sql: Sql, owner: OwnerId, { campaignId, before, count }: NewMessages): Promise<void> {
	await sql`
		insert into campaign_blocks as k (account_id, campaign_id, block, pending)
		select ${owner}::bigint, ${campaignId}::bigint, b,
			least((b + 1) * ${BLOCK_SIZE}, ${before + count}::int) - greatest(b * ${BLOCK_SIZE}, ${before}::int)
		from generate_series(${before}::int / ${BLOCK_SIZE}, (${before + count}::int - 1) / ${BLOCK_SIZE}) b
		on conflict (account_id, campaign_id, block) do update set pending = k.pending + excluded.pending
	`
}
