import { renameHeldOut } from '#features/audiences/server/control-group-queries.ts'
import { deleteReferences } from '#features/delivery/server/message/reference-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import * as queries from './person-queries.ts'

/** Who is erased: their numbers, and what stands for a text of theirs from now on. */
interface ErasedPerson {
	names: readonly string[]
	formOf: (text: string) => string
}

/**
 * Takes a person out of the account's campaigns, in the caller's transaction. Their messages stay, as the money does, under the
 * erased form of the number; a wamid holds the number, too. What is still to be sent is left out when it is claimed. Returns how
 * many messages there were.
 */
export async function eraseFromCampaigns(
	sql: Sql,
	accountId: AccountId,
	{ names, formOf }: ErasedPerson,
): Promise<number> {
	for (const report of await queries.listUnmatchedOf(sql, accountId, names)) {
		const to = { wamid: formOf(report.wamid), recipient: formOf(report.recipient) }
		await queries.renameUnmatched(sql, accountId, { from: report, to })
	}
	for (const name of names) await renameHeldOut(sql, accountId, { from: name, to: formOf(name) })
	const messages = await queries.lockMessagesTo(sql, accountId, names)
	if (messages.length === 0) return 0
	const erased = messages.map((message) => ({
		...message,
		number: formOf(message.number),
		wamid: message.wamid && formOf(message.wamid),
	}))
	await queries.eraseMessages(sql, accountId, erased)
	await deleteReferences(sql, accountId, messages)
	const campaigns = [...new Set(messages.map(({ campaignId }) => campaignId))]
	await queries.eraseSingleCampaigns(sql, accountId, campaigns)
	return messages.length
}
