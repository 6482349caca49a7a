import { renameInControlGroups } from '#features/audiences/server/control-group-queries.ts'
import { deleteReferences } from '#features/delivery/server/message/reference-queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import * as queries from './person-queries.ts'

/** The numbers of an erased person, and a function that returns the erased form of a number or a wamid. */
interface ErasedPerson {
	names: readonly string[]
	formOf: (text: string) => string
}

/**
 * Erases a person from the account's campaigns in the caller's transaction. Messages and money stay, under the erased
 * form of the number and of the wamid, which holds the number too. Pending messages are left out when they are claimed.
 * Returns the number of messages.
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
	for (const name of names) await renameInControlGroups(sql, accountId, { from: name, to: formOf(name) })
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
