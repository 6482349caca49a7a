import type { Reply } from '#features/delivery/rules.ts'
import { findComponent, componentsAsRead } from '#features/templates/values.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { announceLive, accountChannel, publish } from '#lib/server/db/channels/channels.ts'
import * as queries from './reply-queries.ts'

/** A campaign message that is quoted, and the text that its recipient read. */
export interface Replied {
	wamid: string
	campaignId: number
	/** True for a message of a chat, which shows it already. */
	isFromChat: boolean
	seq: number
	/** The name of the template. */
	template: string
	text: string
}

/** Returns the campaign messages that customers quote, each by its wamid and the customer's number. */
export async function findReplied(
	sql: Sql,
	accountId: AccountId,
	quoted: readonly { wamid: string; number: string }[],
): Promise<Replied[]> {
	const found = await queries.findReplied(sql, accountId, quoted)
	return found.map((message) => ({
		wamid: message.wamid,
		campaignId: message.campaignId,
		isFromChat: message.kind === 'chat',
		seq: message.seq,
		template: message.template,
		text: findComponent(componentsAsRead(message), 'BODY')?.text ?? '',
	}))
}

/** Notifies of accounts with replies to attribute or to count. */
export const repliesChannel = accountChannel('replies')

/** Records the recipients who quoted a campaign's message or pressed its button, each once. */
export async function recordQuotes(sql: Sql, accountId: AccountId, quotes: readonly Reply<Date>[]): Promise<void> {
	if (quotes.length === 0) return
	await queries.upsertQuotes(sql, accountId, quotes)
	publish(sql, repliesChannel, accountId)
}

/**
 * Writes the times at which recipients replied, by the definition in `chats/server/replies`. `replies` are sorted by
 * campaign and number.
 */
export async function saveReplies(sql: Sql, accountId: AccountId, replies: readonly Reply[]): Promise<void> {
	if (replies.length > 0) await queries.upsertReplies(sql, accountId, replies)
}

/** Updates the counters of replies. Locks campaigns in a transaction that does nothing else. */
export async function countReplies(db: Db): Promise<void> {
	const due = await scanAllAccounts(db, (only) => queries.listUncountedAllAccounts(db, only))
	for (const { accountId } of due) {
		await transaction(db, async (sql) => {
			const campaigns = await queries.takeUncounted(sql, accountId)
			if (campaigns.length > 0) await queries.updateReplyCounts(sql, accountId, campaigns)
			for (const id of campaigns) announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
		})
	}
}
