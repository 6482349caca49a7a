import {
	addCapped,
	closeGaps,
	deleteMessagesTo,
	resetCounts,
} from '#features/delivery/server/orders/new-message-queries.ts'
import { findRules } from '#features/delivery/server/sending-rules-queries.ts'
import type { Variables } from '#features/templates/values.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { countUnfitMessages } from './merge-column-queries.ts'
import { cappedNumbers, findCap, type FrequencyCap } from './recipients/frequency-queries.ts'
import { valueFaults } from './recipients/merge-values.ts'
import type { SavedSegment } from './segments/segment-queries.ts'
import { getSegment, readRules } from './segments/segments.ts'

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

/** Returns a segment. Throws a 404 when it is gone, and a 400 when one of its rules cannot be applied any more. */
export async function getUsableSegment(sql: Sql, accountId: AccountId, id: string): Promise<SavedSegment> {
	const segment = await getSegment(sql, accountId, id)
	await readRules(sql, accountId, segment)
	return segment
}

/**
 * Returns the problems of the values that a campaign's messages have for these variables, in words. `tags` are the
 * variables' merge tags, `places` their places among the stored values, from 1.
 */
export async function findValueErrors(
	sql: Sql,
	accountId: AccountId,
	{ variables, ...asked }: Parameters<typeof countUnfitMessages>[2] & { variables: Variables },
): Promise<string[]> {
	const { tags, parts } = asked
	return valueFaults({ variables, tags, parts, ...(await countUnfitMessages(sql, accountId, asked)) }).errors
}
