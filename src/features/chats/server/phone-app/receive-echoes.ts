import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { getNow } from '#lib/server/db/now.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import { insertInbound, touchChats, upsertMarks, type TouchedChat } from '../inbound/inbound-queries.ts'
import { findKnownChats } from '../inbound/known-chats.ts'
import { updateChats } from '../inbound/receive.ts'
import { fetchMediaJob } from '../media/fetch-media.ts'
import { readEchoes, type AppMessages } from './app-reader.ts'

/**
 * Processes values of the webhook field "smb_message_echoes", in the caller's transaction: stores what the business typed in
 * the phone app. Nothing reacts to it: it opens no window, counts as no answer, opts no customer out and costs nothing. Idempotent by
 * the messages' wamids.
 */
export async function receiveEchoes(sql: Sql, accountId: AccountId, values: readonly unknown[]): Promise<void> {
	await storeAppMessages(sql, accountId, readEchoes(values, await getNow(sql)))
}

/** Stores messages of the phone app in their chats, which it locks in the order of their keys. */
export async function storeAppMessages(sql: Sql, accountId: AccountId, read: AppMessages): Promise<void> {
	const known = await findKnownChats(
		sql,
		accountId,
		[...read.messages, ...read.marks].map(({ chat }) => chat),
	)
	const move = <T extends { chat: string }>(all: readonly T[]) =>
		all.map((one) => ({ ...one, chat: known.get(one.chat) ?? one.chat }))
	const [messages, marks] = [move(read.messages), move(read.marks)]
	const touched = new Map<string, TouchedChat>()
	for (const { chat: key, at } of [...messages, ...marks]) {
		const before = touched.get(key)
		if (!before || before.at < at)
			touched.set(key, { key, userId: null, profileName: read.names.get(key) ?? null, inbound: null, at })
	}
	if (touched.size === 0) return
	await touchChats(sql, accountId, [...touched.values()])
	const unique = [...new Map(messages.map((message) => [message.wamid, message])).values()]
	const inserted = await insertInbound(sql, accountId, unique)
	const files = unique.flatMap(({ wamid, media }) => {
		const id = inserted.get(wamid)
		return media && id !== undefined ? [{ accountId, id }] : []
	})
	await addJobs(sql, fetchMediaJob, files)
	if (marks.length > 0) await upsertMarks(sql, accountId, { marks, isOwn: true })
	await updateChats(sql, accountId, { touched: [...touched.values()], unreadMessages: [] })
	for (const key of touched.keys()) announceLive(sql, accountId, { kind: 'chat', id: key })
}
