import type { Sql } from '#lib/server/db.ts'

/** A restore generation: one history of the database, from its creation or from a restored backup. */
export interface Epoch {
	/** The mark in message ids; empty for ids sent before marks existed. */
	epoch: string
	openedAt: Date
	isRestored: boolean
	/** The highest ids shared with later generations; null for the current generation. */
	lastCampaignId: number | null
	lastChatMessageId: number | null
}

/** Returns all restore generations, the current one last. */
export async function listEpochsAllAccounts(sql: Sql): Promise<Epoch[]> {
	return sql<Epoch[]>`
		select epoch, opened_at as "openedAt", is_restored as "isRestored", last_campaign_id as "lastCampaignId",
			last_chat_message_id as "lastChatMessageId"
		from epochs order by opened_at
	`
}

/** Ends the current restore generation at these ids and begins the next one. */
export async function openEpochAllAccounts(
	sql: Sql,
	{ epoch, ...last }: Pick<Epoch, 'epoch'> & { lastCampaignId: number; lastChatMessageId: number },
): Promise<void> {
	await sql`
		update epochs set last_campaign_id = ${last.lastCampaignId}, last_chat_message_id = ${last.lastChatMessageId}
		where last_campaign_id is null
	`
	await sql`insert into epochs (epoch, is_restored) values (${epoch}, true)`
}
