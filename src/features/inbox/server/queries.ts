import type { AccountId, Sql } from '#lib/server/db.ts'

/** Returns the `limit` campaigns whose sending began last, without tests, templates of chats and messages of programs. */
export async function listSentCampaigns(
	sql: Sql,
	accountId: AccountId,
	limit: number,
): Promise<{ id: number; name: string }[]> {
	return sql<{ id: number; name: string }[]>`
		select id, name from campaigns
		where account_id = ${accountId} and kind = 'campaign' and started_at is not null
		order by started_at desc, id desc
		limit ${limit}
	`
}
