import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns the newest `limit` campaigns that were sent. Tests and templates of chats are left out. */
export async function listSentCampaigns(
	sql: Sql,
	accountId: AccountId,
	limit: number,
): Promise<{ id: number; name: string }[]> {
	return sql<{ id: number; name: string }[]>`
		select id, name from campaigns
		where account_id = ${accountId} and kind not in ('test', 'chat') and started_at is not null
		order by id desc
		limit ${limit}
	`
}
