import type { Reply } from '#features/delivery/server/arrivals.ts'
import { componentsAsRead } from '#features/delivery/server/message/render.ts'
import { findComponent } from '#features/templates/values.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { scanAllAccounts } from '#lib/server/db/all-accounts.ts'
import { announceLive, accountChannel, publish } from '#lib/server/db/channels.ts'
import * as queries from './reply-queries.ts'

/** A campaign message that is quoted, and what its recipient read. */
export interface Replied {
	wamid: string
	campaignId: number
	/** It was sent from a chat, which shows it itself. */
	isFromChat: boolean
	seq: number
	/** The template's name. */
	template: string
	text: string
}

/** Finds the campaign messages that customers quote, each by its wamid and the customer's number. */
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

/** Accounts with replies to attribute or to count. */
export const repliesChannel = accountChannel('replies')

/** Writes who quoted a campaign's message or pressed its button; each recipient counts once, however often they do. */
export async function recordQuotes(sql: Sql, accountId: AccountId, quotes: readonly Reply<Date>[]): Promise<void> {
	if (quotes.length === 0) return
	await queries.upsertQuotes(sql, accountId, quotes)
	publish(sql, repliesChannel, accountId)
}

/** Writes when recipients replied, by the definition in `chats/server/replies`; sorted by campaign and number. */
export async function saveReplies(sql: Sql, accountId: AccountId, replies: readonly Reply[]): Promise<void> {
	if (replies.length > 0) await queries.upsertReplies(sql, accountId, replies)
}

/** Brings the counters of replies up to date. Locks campaigns in a transaction that does nothing else. */
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
