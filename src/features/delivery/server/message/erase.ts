import type { ErasedPerson } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import * as queries from './erase-queries.ts'

/**
 * Erases a person from the account's campaign messages in the caller's transaction. Messages and money stay, under the erased
 * form of the number and of the wamid, which holds the number too. Pending messages are left out when they are claimed.
 * Returns the number of erased messages.
 */
export async function eraseMessagesTo(
	sql: Sql,
	accountId: AccountId,
	{ names, formOf }: ErasedPerson,
): Promise<{ campaignMessages: number }> {
	for (const report of await queries.listUnmatchedOf(sql, accountId, names)) {
		const to = { wamid: formOf(report.wamid), recipient: formOf(report.recipient) }
		await queries.renameUnmatched(sql, accountId, { from: report, to })
	}
	const messages = await queries.lockMessagesTo(sql, accountId, names)
	if (messages.length === 0) return { campaignMessages: 0 }
	const erased = messages.map((message) => ({
		...message,
		number: formOf(message.number),
		wamid: message.wamid && formOf(message.wamid),
	}))
	await queries.eraseMessages(sql, accountId, erased)
	await queries.deleteReferences(sql, accountId, messages)
	const campaigns = [...new Set(messages.map(({ campaignId }) => campaignId))]
	await queries.eraseSingleCampaigns(sql, accountId, campaigns)
	return { campaignMessages: messages.length }
}
