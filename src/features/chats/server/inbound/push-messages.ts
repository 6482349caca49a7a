import { chatPath, chatPaths } from '#features/chats/paths.ts'
import {
	PUSH_LIMITS,
	queueGathered,
	sendPush,
	type PushContext,
	type PushText,
} from '#features/notifications/server/push.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import { presentChat } from '../present.ts'
import { countUnreadChats, listUnread } from '../queries.ts'

/** Seconds for which messages of all customers are collected into one push. */
const GATHERED_SECONDS = 2

const messageJob = jobKind<{ accountId: AccountId; device: number }>('push-message', {
	...PUSH_LIMITS,
	afterSeconds: GATHERED_SECONDS,
})

/** Queues one push per device about unread messages, in the caller's transaction. */
export async function queueMessagePushes(sql: Sql, accountId: AccountId): Promise<void> {
	await queueGathered(sql, accountId, messageJob)
}

export const messagePushHandler = (context: PushContext) =>
	handlerOf(messageJob, ({ data: { accountId, device } }) =>
		sendPush(context, accountId, {
			device,
			isGathered: true,
			textFor: ({ withTexts }) => unreadText(context.db, accountId, withTexts),
		}),
	)

/** Returns the text of the push; undefined when everything has been read in the meantime. */
async function unreadText(sql: Sql, accountId: AccountId, withTexts: boolean): Promise<PushText | undefined> {
	const [[chat], count] = await Promise.all([listUnread(sql, accountId, 1), countUnreadChats(sql, accountId)])
	if (!chat) return
	const isOne = count <= 1
	const shown = { link: isOne ? chatPath(chat.key) : chatPaths.live, tag: 'messages' }
	if (!withTexts)
		return {
			...shown,
			title: isOne ? 'New message' : 'New messages',
			body: isOne ? 'A customer has written to you.' : `${count} chats have new messages.`,
		}
	const { name, lastMessage } = presentChat(chat, null)
	return { ...shown, title: isOne ? name : `${name} and ${count - 1} more`, body: lastMessage }
}
