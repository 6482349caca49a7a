import type { Sql } from '#lib/server/db.ts'

/** One history of the database, from its beginning or from a restored backup on. */
export interface Epoch {
	/** Empty for what was sent before ids named one. */
	epoch: string
	openedAt: Date
	isRestored: boolean
	/** The latest ids that it shares with the epochs after it; null while it is open. */
	lastCampaignId: number | null
	lastChatMessageId: number | null
}

/** The latest is the last one. */
export async function listEpochsAllAccounts(sql: Sql): Promise<Epoch[]> {
	return sql<Epoch[]>`
		select epoch, opened_at as "openedAt", is_restored as "isRestored", last_campaign_id as "lastCampaignId",
			last_chat_message_id as "lastChatMessageId"
		from epochs order by opened_at
	`
}

/** Closes the open epochs at these ids, and opens another for a restored database. */
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
