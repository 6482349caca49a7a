import type { AccountId, Sql } from '#lib/server/db.ts'

/** Campaign ids reserved for each month. */
export const IDS_PER_MONTH = 100_000_000

/** Distance in ids below an account's latest campaign. Nearly all status updates and replies concern campaigns within it. */
const RECENT_IDS = 2 * IDS_PER_MONTH

/**
 * Finds messages whose campaigns are unknown. Each month has an index of its own, so older months are asked only for messages
 * that the recent ones do not have. The condition on `campaign_messages m` has one bound: for a range with two the planner
 * expects few messages and reads all of them instead of using the number's index.
 */
export async function findRecentFirst<Sought extends { wamid: string }, Found extends { wamid: string }>(
	sql: Sql,
	accountId: AccountId,
	{
		sought,
		find,
	}: {
		sought: readonly Sought[]
		find: (sought: readonly Sought[], isOfMonths: ReturnType<Sql>) => PromiseLike<Found[]>
	},
): Promise<Found[]> {
	const recentId = Math.max(0, (await getLatestId(sql, accountId)) - RECENT_IDS)
	const recent = await find(sought, sql`m.campaign_id >= ${recentId}`)
	const known = new Set(recent.map(({ wamid }) => wamid))
	const others = sought.filter(({ wamid }) => !known.has(wamid))
	if (others.length === 0 || recentId === 0) return recent
	return [...recent, ...(await find(others, sql`m.campaign_id < ${recentId}`))]
}

async function getLatestId(sql: Sql, accountId: AccountId): Promise<number> {
	const [row] = await sql<{ id: number | null }[]>`select max(id) as id from campaigns where account_id = ${accountId}`
	return row?.id ?? 0
}
