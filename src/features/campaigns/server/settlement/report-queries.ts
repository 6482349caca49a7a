import type { OwnerId, Sql } from '#lib/server/db.ts'

/**
 * Finds campaign messages by wamid. The recipient's number narrows the search through its index; the wamid itself has
 * none, because an index on what changes would cost every message a second write.
 */
export async function findByWamid(
	sql: Sql,
	owner: OwnerId,
	reports: { wamid: string; recipient: string }[],
): Promise<{ campaignId: number; seq: number; wamid: string }[]> {
	return sql<{ campaignId: number; seq: number; wamid: string }[]>`
		select m.campaign_id as "campaignId", m.seq, m.wamid
		from unnest(${reports.map((r) => r.wamid)}::text[], ${reports.map((r) => r.recipient)}::text[]) as r (wamid, recipient)
		join campaign_messages m on m.account_id = ${owner} and m.number = r.recipient and m.wamid = r.wamid
	`
}
