import type { AccountId, Sql } from '#lib/server/db.ts'
import { listOptedOut } from './audience-queries.ts'
import { listWrittenEnough, type FrequencyCap } from './frequency-queries.ts'

/** Returns the numbers that have reached the cap and are not opted out. */
export async function findCapped(
	sql: Sql,
	accountId: AccountId,
	{ cap, numbers }: { cap: FrequencyCap | null; numbers: readonly string[] },
): Promise<ReadonlySet<string>> {
	const capped = new Set(cap ? await listWrittenEnough(sql, accountId, { cap, numbers }) : [])
	return capped.size === 0 ? capped : capped.difference(new Set(await listOptedOut(sql, accountId, [...capped])))
}
