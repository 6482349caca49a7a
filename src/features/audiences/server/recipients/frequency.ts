import {
	addCapped,
	closeGaps,
	deleteMessagesTo,
	resetCounts,
} from '#features/delivery/server/orders/new-message-queries.ts'
import { findRules } from '#features/delivery/server/sending-rules-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { listOptedOut } from './audience-queries.ts'
import { cappedNumbers, findCap, listWrittenEnough, type FrequencyCap } from './frequency-queries.ts'

/**
 * Returns the account's cap for a campaign that opens at `opensAt`, or now; null without a rule or for a campaign that
 * is not marketing. With `campaignId`, locks the rule and ignores that campaign.
 */
export async function readCap(
	sql: Sql,
	accountId: AccountId,
	given: { isMarketing: boolean; opensAt: Date | null; campaignId?: number },
): Promise<FrequencyCap | null> {
	if (!given.isMarketing) return null
	const { frequency } = await findRules(sql, accountId, { isLocked: given.campaignId !== undefined })
	return (
		frequency && findCap(sql, accountId, { ...frequency, opensAt: given.opensAt, except: given.campaignId ?? null })
	)
}

/**
 * Removes recipients who reached the cap after they were added, because other campaigns were sent or started meanwhile.
 * Call before the campaign's first message is sent. Returns the number of remaining recipients.
 */
export async function leaveOutCapped(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, total, ...opening }: { campaignId: number; total: number; isMarketing: boolean; opensAt: Date },
): Promise<number> {
	const cap = await readCap(sql, accountId, { ...opening, campaignId })
	if (!cap) return total
	const capped = await deleteMessagesTo(sql, accountId, { campaignId, people: cappedNumbers(sql, accountId, cap) })
	if (capped === 0) return total
	const count = total - capped
	await closeGaps(sql, accountId, { campaignId, count })
	await resetCounts(sql, accountId, { campaignId, count })
	await addCapped(sql, accountId, { campaignId, count: capped })
	return count
}

/** Returns the numbers that have reached the cap and are not opted out. */
export async function findCapped(
	sql: Sql,
	accountId: AccountId,
	{ cap, numbers }: { cap: FrequencyCap | null; numbers: readonly string[] },
): Promise<ReadonlySet<string>> {
	const capped = new Set(cap ? await listWrittenEnough(sql, accountId, { cap, numbers }) : [])
	return capped.size === 0 ? capped : capped.difference(new Set(await listOptedOut(sql, accountId, [...capped])))
}
