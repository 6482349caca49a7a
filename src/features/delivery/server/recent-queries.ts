import type { AccountId, Sql } from '#lib/server/db.ts'

/** Ids of campaigns that each month has. */
export const IDS_PER_MONTH = 100_000_000

/** How far the ids of campaigns go back from an account's latest one that reports and replies are nearly always about. */
const RECENT_IDS = 2 * IDS_PER_MONTH

/**
 * Finds messages of which the campaigns are not known. Each month has an index of its own: those before the recent ones are
 * asked only for what is not found there. The condition is on `campaign_messages m`, and has one end: of a range with two the
 * planner expects so few messages that it would read all of them rather than those to a number.
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
