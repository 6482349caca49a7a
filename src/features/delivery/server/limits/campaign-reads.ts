import { allowedAt } from '#features/limits/rules.ts'
import * as limits from '#features/limits/server/service.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { listEarlier } from './earlier-queries.ts'
import { listSendingHoursAllAccounts, wakeWaiting } from './waiting-queries.ts'

/** Reads of campaigns for `limits`, an earlier feature that may not read them. */
export const campaignReads: limits.CampaignReads = {
	listEarlier,
	async listRivals(sql, of) {
		const wanted = new Map<AccountId, number>()
		for (const { accountId, now, pending, ...hours } of await listSendingHoursAllAccounts(sql, of))
			if (allowedAt(hours, now.getTime()) === now.getTime())
				wanted.set(accountId, (wanted.get(accountId) ?? 0) + pending)
		return Array.from(wanted, ([accountId, count]) => ({ accountId, wanted: count }))
	},
}

/** Gives back the places of messages that certainly were not accepted, and wakes the account's waiting campaigns. */
export async function givePlacesBack(
	sql: Sql,
	accountId: AccountId,
	messages: readonly { campaignId: number; seq: number }[],
): Promise<void> {
	await limits.givePlacesBack(sql, accountId, { messages, wake: wakeWaiting })
}
