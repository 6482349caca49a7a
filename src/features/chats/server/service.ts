import { isShared } from '#features/auth/server/people-queries.ts'
import type { WaitingChats } from '#features/notifications/contract.ts'
import type { PushContext } from '#features/notifications/server/push.ts'
import { sendReadReceipt } from '#features/whatsapp/server/cloud-api.ts'
import { getSender } from '#features/whatsapp/server/service.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Session } from '#lib/server/http/http.ts'
import type { ChatContact, ChatMessage } from '../contract.ts'
import { chatPath } from '../paths.ts'
import { findTypedChat } from './chat-key.ts'
import { listLastSent, listQuoted, type ChatMessageRow } from './history-queries.ts'
import { messagePushHandler } from './inbound/push-messages.ts'
import { mediaHandler, type FetchDeps } from './media/fetch-media.ts'
import { removeMediaHandler } from './media/remove-media.ts'
import { presentChat, presentMessage } from './present.ts'
import * as queries from './queries.ts'
import type { Chat } from './queries.ts'
import { waitingHandler } from './sending/send-waiting.ts'
import type { SendContext } from './sending/send.ts'
import { measureInbox } from './view-queries.ts'

/** Returns the handlers of the background jobs of chats. */
export const chatHandlers = (context: SendContext & FetchDeps & PushContext) => [
	waitingHandler(context),
	mediaHandler(context),
	removeMediaHandler(context),
	messagePushHandler(context),
]

/** Returns chats in the form of the list for a person of the account. */
export async function presentChats(sql: Sql, { accountId, userId }: Session, rows: Chat[]): Promise<ChatContact[]> {
	const keys = rows.map(({ key }) => key)
	const sent = await listLastSent(sql, accountId, { keys, viewer: userId })
	const lastOf = new Map(sent.map((last) => [last.key, last]))
	return rows.map((chat) => presentChat(chat, lastOf.get(chat.key) ?? null))
}

/** Returns the newest chats whose customers wait for an answer, for the bell, and the number of all of them. */
export async function listWaitingChats(sql: Sql, accountId: AccountId, limit: number): Promise<WaitingChats> {
	const [chats, counts] = await Promise.all([
		queries.listWaiting(sql, accountId, { limit }),
		queries.countWaiting(sql, accountId),
	])
	return { ...counts, rows: chats.map(presentWaiting) }
}

/** Returns the chat whose customer has waited longest, null without one, and the number of all who wait. */
export async function findLongestWaiting(sql: Sql, accountId: AccountId) {
	const [[chat], { count }] = await Promise.all([
		queries.listWaiting(sql, accountId, { limit: 1, isOldestFirst: true }),
		queries.countWaiting(sql, accountId),
	])
	return { count, longest: chat ? presentWaiting(chat) : null }
}

/** Returns the figures of a shared inbox; null in an account of one person. */
export async function describeInbox(sql: Sql, accountId: AccountId) {
	return (await isShared(sql, accountId)) ? measureInbox(sql, accountId) : null
}

function presentWaiting(chat: Chat): WaitingChats['rows'][number] {
	const { name, number, unread, lastMessage, timestamp } = presentChat(chat, null)
	return { name, unread, text: lastMessage, time: timestamp ?? '', link: chatPath(number) }
}

/** Returns messages in the form of the screen, with quotes, reactions and edits. */
export async function presentMessages(
	sql: Sql,
	accountId: AccountId,
	{ chat, rows }: { chat: string; rows: ChatMessageRow[] },
): Promise<ChatMessage[]> {
	const quoted = await listQuoted(sql, accountId, {
		chat,
		wamids: wamidsOf(rows.map(({ replyWamid }) => replyWamid)),
	})
	const marks = await queries.listMarks(sql, accountId, {
		chats: [chat],
		wamids: wamidsOf([...rows, ...quoted].map(({ wamid }) => wamid)),
	})
	return rows.map((row) => presentMessage(row, { quoted, marks }))
}

function wamidsOf(values: (string | null)[]): string[] {
	return values.filter((value) => value !== null)
}

/** Clears the chat's counter and sends a read receipt. A failure of the receipt is ignored. */
export async function markRead(context: SendContext, accountId: AccountId, number: string): Promise<void> {
	const { db, log } = context
	const { key } = await findTypedChat(db, accountId, number)
	const read = await transaction(db, async (sql) => {
		const found = await queries.updateRead(sql, accountId, key)
		if (found) announceLive(sql, accountId, { kind: 'chat', id: key })
		return found
	})
	if (!read?.receiptFor) return
	void sendReceipt(context, accountId, read.receiptFor).catch((error: unknown) =>
		log.debug({ error, accountId }, 'a read receipt could not be sent'),
	)
}

async function sendReceipt({ db, vault, cloudApi }: SendContext, accountId: AccountId, wamid: string): Promise<void> {
	const sender = await getSender(db, vault, accountId)
	if (!sender || sender.stoppedReason) return
	await sendReadReceipt(cloudApi, sender.phoneNumberId, { token: sender.accessToken, wamid })
}
