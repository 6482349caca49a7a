import type { AccountId, Sql } from '#lib/server/db.ts'
import { listNewest } from '../history-queries.ts'
import { lineOfMessage } from '../present.ts'
import { listMarks } from '../queries.ts'
import * as queries from './inbound-queries.ts'

/** Line of a chat without messages, such as one that began with a reaction to a campaign. */
const ONLY_REACTIONS = 'Reaction'

/** Updates line and time of chats from their newest messages, and adds unread messages. */
export async function updateChats(
	sql: Sql,
	accountId: AccountId,
	{ keys, unreadMessages = [] }: { keys: string[]; unreadMessages?: readonly { chat: string }[] },
): Promise<void> {
	const newest = new Map((await listNewest(sql, accountId, keys)).map((message) => [message.chat, message]))
	const wamids = Array.from(newest.values(), ({ wamid }) => wamid).filter((wamid) => wamid !== null)
	const stored = await listMarks(sql, accountId, { chats: keys, wamids })
	const unread = new Map<string, number>()
	for (const { chat } of unreadMessages) unread.set(chat, (unread.get(chat) ?? 0) + 1)
	const changes = keys.map((key) => {
		const message = newest.get(key)
		const line = message ? lineOfMessage(message, stored) : ONLY_REACTIONS
		return { key, line, at: message?.at ?? null, unread: unread.get(key) ?? 0 }
	})
	await queries.updateChats(sql, accountId, changes)
}
