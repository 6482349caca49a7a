import type { AccountId, Sql } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import * as queries from './person-queries.ts'

interface MessageCounts {
	campaignMessages: number
}

export async function findMessagesTo(
	sql: Sql,
	accountId: AccountId,
	names: readonly string[],
): Promise<{ counts: MessageCounts }> {
	return { counts: { campaignMessages: await queries.countMessagesTo(sql, accountId, names) } }
}

/** Returns the campaigns that left a person out for comparison, for a file that the person may read. */
export async function exportControlGroupsOf(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<object> {
	return { keptOutOf: await queries.listControlGroupsOf(sql, accountId, names) }
}

/** Yields the messages to a person in batches, with their values by merge tag. */
export async function* exportMessagesTo(
	sql: Sql,
	accountId: AccountId,
	names: readonly string[],
): AsyncGenerator<object[]> {
	const next = (last: { campaignId: number; seq: number } | undefined, limit: number) =>
		queries.listMessagesTo(sql, accountId, { numbers: names, after: last ?? { campaignId: 0, seq: 0 }, limit })
	for await (const messages of inBatches(next)) {
		yield messages.map(({ mergeTags, mergeValues, ...row }) => ({
			...row,
			values: Object.fromEntries(mergeTags.map((tag, at) => [tag, mergeValues?.[at] ?? null])),
		}))
	}
}
