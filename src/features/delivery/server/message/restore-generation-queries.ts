import type { Sql } from '#lib/server/db.ts'

/** A restore generation: one history of the database, from its creation or from a restored backup. */
export interface RestoreGeneration {
	/** The mark in message ids; empty for ids sent before marks existed. */
	generation: string
	openedAt: Date
	isRestored: boolean
	/** The highest ids shared with later generations; null for the current generation. */
	lastCampaignId: number | null
	lastChatMessageId: number | null
}

/** Returns all restore generations, the current one last. */
export async function listRestoreGenerationsAllAccounts(sql: Sql): Promise<RestoreGeneration[]> {
	return sql<RestoreGeneration[]>`
		select epoch as generation, opened_at as "openedAt", is_restored as "isRestored", last_campaign_id as "lastCampaignId",
			last_chat_message_id as "lastChatMessageId"
		from epochs order by opened_at
	`
}

/** Ends the current restore generation at these ids and begins the next one. */
export async function openRestoreGenerationAllAccounts(
	sql: Sql,
	{
		generation,
		...last
	}: Pick<RestoreGeneration, 'generation'> & { lastCampaignId: number; lastChatMessageId: number },
): Promise<void> {
	await sql`
		update epochs set last_campaign_id = ${last.lastCampaignId}, last_chat_message_id = ${last.lastChatMessageId}
		where last_campaign_id is null
	`
	await sql`insert into epochs (epoch, is_restored) values (${generation}, true)`
}
