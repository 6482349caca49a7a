import { renameInControlGroups } from '#features/audiences/server/control-group-queries.ts'
import * as erasure from '#features/delivery/server/message/erase-queries.ts'
import type { ErasedPerson } from '#lib/phone.ts'
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

/**
 * Erases a person from the account's campaigns in the caller's transaction. Messages and money stay, under the erased
 * form of the number and of the wamid, which holds the number too. Pending messages are left out when they are claimed.
 * Returns the number of erased messages.
 */
export async function eraseFromCampaigns(
	sql: Sql,
	accountId: AccountId,
	{ names, formOf }: ErasedPerson,
): Promise<MessageCounts> {
	for (const report of await erasure.listUnmatchedOf(sql, accountId, names)) {
		const to = { wamid: formOf(report.wamid), recipient: formOf(report.recipient) }
		await erasure.renameUnmatched(sql, accountId, { from: report, to })
	}
	for (const name of names) await renameInControlGroups(sql, accountId, { from: name, to: formOf(name) })
	const messages = await erasure.lockMessagesTo(sql, accountId, names)
	if (messages.length === 0) return { campaignMessages: 0 }
	const erased = messages.map((message) => ({
		...message,
		number: formOf(message.number),
		wamid: message.wamid && formOf(message.wamid),
	}))
	await erasure.eraseMessages(sql, accountId, erased)
	await erasure.deleteReferences(sql, accountId, messages)
	const campaigns = [...new Set(messages.map(({ campaignId }) => campaignId))]
	await erasure.eraseSingleCampaigns(sql, accountId, campaigns)
	return { campaignMessages: messages.length }
}
