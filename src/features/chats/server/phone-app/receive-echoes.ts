import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { getNow } from '#lib/server/db/now.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import { updateChats } from '../inbound/chat-lines.ts'
import {
	insertInbound,
	touchChats,
	upsertMarks,
	type AppMessage,
	type TouchedChat,
} from '../inbound/inbound-queries.ts'
import { findChatOf } from '../inbound/known-chats.ts'
import { fetchMediaJob } from '../media/fetch-media.ts'
import { readEchoes, type AppMessages } from './app-reader.ts'

/**
 * Processes values of the webhook field "smb_message_echoes", in the caller's transaction: stores the messages that the
 * business wrote in the phone app. They open no window, count as no answers, opt no customer out and cost nothing. Idempotent
 * by the messages' wamids.
 */
export async function receiveEchoes(sql: Sql, accountId: AccountId, values: readonly unknown[]): Promise<void> {
	await storeAppMessages(sql, accountId, readEchoes(values, await getNow(sql)))
}

/** Maximum chats that are announced one by one; above it, one event says that any chat may have changed. */
const MAX_ANNOUNCED = 100

/** Stores messages of the phone app in their chats, which it locks in the order of their keys. */
export async function storeAppMessages(sql: Sql, accountId: AccountId, read: AppMessages): Promise<void> {
	const chatOf = await findChatOf(sql, accountId, { written: [...read.messages, ...read.marks] })
	const move = <T extends { chat: string; at: Date }>(all: readonly T[]) =>
		all.map((one) => ({ ...one, chat: chatOf(one) }))
	const [messages, marks] = [move(read.messages), move(read.marks)]
	const touched = new Map<string, TouchedChat>()
	for (const { chat: key, at } of [...messages, ...marks]) {
		const before = touched.get(key)
		if (!before || before.at < at)
			touched.set(key, { key, userId: null, profileName: read.names.get(key) ?? null, inbound: null, at })
	}
	if (touched.size === 0) return
	await touchChats(sql, accountId, [...touched.values()])
	const unique = distinct(messages)
	const inserted = await insertInbound(sql, accountId, unique)
	const files = unique.flatMap(({ wamid, media }) => {
		const id = inserted.get(wamid)
		return media && id !== undefined ? [{ accountId, id }] : []
	})
	await addJobs(sql, fetchMediaJob, files)
	if (marks.length > 0) await upsertMarks(sql, accountId, { marks, isOwn: true })
	await updateChats(sql, accountId, { keys: [...touched.keys()] })
	if (touched.size > MAX_ANNOUNCED) announceLive(sql, accountId, { kind: 'chat' })
	else for (const key of touched.keys()) announceLive(sql, accountId, { kind: 'chat', id: key })
}

/** Returns each message once. Prefers a message with content to the placeholder of the same wamid. */
function distinct(messages: readonly AppMessage[]): AppMessage[] {
	const byWamid = new Map<string, AppMessage>()
	for (const message of messages)
		if (message.kind !== 'phone_only' || !byWamid.has(message.wamid)) byWamid.set(message.wamid, message)
	return [...byWamid.values()]
}
