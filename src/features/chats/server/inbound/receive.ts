import { findReplied, recordQuotes, type Replied } from '#features/delivery/server/replies/replies.ts'
import { recordEvents } from '#features/events/server/service.ts'
import { MAX_TEXT_LENGTH } from '#features/replies/rules.ts'
import { HOUR_MS } from '#lib/durations.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { getNow } from '#lib/server/db/now.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import { answerMessages } from '../automatic/answer.ts'
import { fetchMediaJob } from '../media/fetch-media.ts'
import { checkMessages } from '../replies/replies.ts'
import { updateChats } from './chat-lines.ts'
import * as queries from './inbound-queries.ts'
import { toKnownChats } from './known-chats.ts'
import { answerOf, campaignOf, firstOfEach } from './late-replies.ts'
import { listChatWamids } from './link-queries.ts'
import { readInbound, type Inbound, type InboundMessage } from './message-reader.ts'
import { changeOptOuts, presentChat } from './opt-out-replies.ts'
import { joinChatsOfPeople, joinContactsOfPeople, lockPeople } from './people.ts'
import { queueMessagePushes } from './push-messages.ts'

/**
 * Processes the values of the webhook field "messages": stores messages, extends service windows, counts unread messages and
 * replies to campaigns, applies opt-outs, and writes automatic replies. Idempotent by the messages' wamids, and the result does
 * not depend on order or batches, except that messages of one second keep the order of their arrival, and that only a recent
 * message gets an automatic reply. Runs in the caller's transaction. Lock order: `chats` by key (those that exist, then missing
 * ones), `former_ids`, `opt_outs` by number, `contacts` by id, `contact_counts`, `automatic_replies` by id.
 */
export async function receiveMessages(sql: Sql, accountId: AccountId, values: readonly unknown[]): Promise<void> {
	const now = await getNow(sql)
	const inbound = await toKnownChats(sql, accountId, readInbound(values, now))
	const touched = touchedChats(inbound)
	if (touched.length === 0) return
	await lockPeople(sql, accountId, inbound)
	await queries.touchChats(sql, accountId, touched)
	const fresh = await storeMessages(sql, accountId, { messages: inbound.messages, now })
	if (inbound.marks.length > 0) await queries.upsertMarks(sql, accountId, { marks: inbound.marks, isOwn: false })
	await updateChats(sql, accountId, { keys: touched.map(({ key }) => key), unreadMessages: fresh })
	const joined = await joinChatsOfPeople(sql, accountId, { inbound, fresh })
	const requests = await changeOptOuts(sql, accountId, {
		messages: fresh,
		marks: inbound.marks,
		people: joined.same,
		now,
		apply: (said) => joinContactsOfPeople(sql, accountId, { ...joined, said }),
	})
	await recordEvents(
		sql,
		accountId,
		fresh.map((message) => ({ type: 'message.received', at: message.at, data: presentReceived(message) })),
	)
	if (fresh.length > 0) await queueMessagePushes(sql, accountId)
	const written = fresh
		.filter(({ wamid }) => !requests.has(wamid))
		.map((message) => ({ ...message, chat: presentChat(message, joined.same), text: message.body.text ?? '' }))
	await answerMessages(sql, accountId, { messages: written, now })
	for (const { key } of touched) announceLive(sql, accountId, { kind: 'chat', id: key })
}

/** Returns the data of the event `message.received`. */
function presentReceived({ wamid, chat, kind, body, replyWamid }: InboundMessage) {
	const text = body.text?.slice(0, MAX_TEXT_LENGTH).toWellFormed() || null
	return { id: wamid, from: chat, kind, text, inReplyTo: replyWamid }
}

/** Milliseconds for which an unknown quoted message is searched for. After a downtime, status updates arrive late. */
const LINK_MS = HOUR_MS

/** Stores new messages with the messages that they answer. Returns the messages that were not stored before. */
async function storeMessages(
	sql: Sql,
	accountId: AccountId,
	{ messages, now }: { messages: InboundMessage[]; now: Date },
): Promise<queries.NewInbound[]> {
	if (messages.length === 0) return []
	const replied = await findReplied(
		sql,
		accountId,
		messages.flatMap(({ chat, replyWamid }) => (replyWamid ? [{ wamid: replyWamid, number: chat }] : [])),
	)
	const known = new Map<string, Replied>(replied.map((message) => [message.wamid, message]))
	const unknown = messages.flatMap(({ replyWamid }) => (replyWamid && !known.has(replyWamid) ? [replyWamid] : []))
	const inChats = await listChatWamids(sql, accountId, unknown)
	const unique = new Map(messages.map((message) => [message.wamid, message]))
	const linkUntil = new Date(now.getTime() + LINK_MS)
	const rows = Array.from(unique.values(), (message) => {
		const quoted = known.get(message.replyWamid ?? '')
		const isUnlinked = message.replyWamid !== null && !quoted && !inChats.has(message.replyWamid)
		const template = quoted?.template ?? null
		return { ...message, template, campaign: campaignOf(quoted), linkUntil: isUnlinked ? linkUntil : null }
	})
	const inserted = await queries.insertInbound(sql, accountId, rows)
	const fresh = rows.filter(({ wamid }) => inserted.has(wamid))
	const files = fresh.flatMap(({ wamid, media }) => (media ? [{ accountId, id: inserted.get(wamid) ?? 0 }] : []))
	await addJobs(sql, fetchMediaJob, files)
	const answers = fresh.flatMap(({ campaign, at }) => answerOf(campaign, at))
	await recordQuotes(sql, accountId, firstOfEach(answers))
	await checkMessages(sql, accountId, fresh)
	return fresh
}

function touchedChats({ messages, marks, writers }: Inbound): queries.TouchedChat[] {
	const chats = new Map<string, queries.TouchedChat>()
	for (const { chat, at } of [...messages, ...marks]) {
		const known = chats.get(chat)
		if (!known || known.at < at) chats.set(chat, { key: chat, userId: null, profileName: null, inbound: null, at })
	}
	const inOrder = writers.toSorted((a, b) => a.at.getTime() - b.at.getTime())
	for (const { chat, userId, profileName, at, wamid } of inOrder) {
		const known = chats.get(chat) ?? { key: chat, userId: null, profileName: null, inbound: null, at }
		const named = { userId: userId ?? known.userId, profileName: profileName ?? known.profileName }
		chats.set(chat, { ...known, ...named, inbound: { at, wamid } })
	}
	return [...chats.values()]
}
