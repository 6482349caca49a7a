import { MAX_TEXT_LENGTH } from '#features/replies/rules.ts'
import { countSent } from '#features/replies/server/automatic/automatic-queries.ts'
import { findSendable, type Sendable } from '#features/replies/server/automatic/automatic.ts'
import { chooseReply, MAX_AGE_MS } from '#features/replies/server/automatic/choose-reply.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { wordsOf } from '#lib/text/words.ts'
import { listUnanswered } from '../queries.ts'
import { writeWaiting } from '../sending/send-waiting.ts'
import { listKnown, type KnownChat } from './answer-queries.ts'

/** A customer's new message that may get an automatic reply. */
interface Written {
	/** Key of the customer's present chat. */
	chat: string
	wamid: string
	at: Date
	kind: string
	text: string
}

/** Kinds that get no automatic reply: WhatsApp's own messages, and messages whose content the product does not have. */
const UNREAD_KINDS: readonly string[] = ['system', 'unsupported', 'phone_only']

/**
 * Writes at most one automatic reply to each message of the last minutes, which a worker sends. People who have opted out get
 * none. Its count and its message are written in the caller's transaction, under a request id made of the customer's message,
 * so that neither a repeated webhook nor a crash repeats or forgets one.
 */
export async function answerMessages(
	sql: Sql,
	accountId: AccountId,
	{ messages, now }: { messages: readonly Written[]; now: Date },
): Promise<void> {
	const recent = messages.filter(
		({ kind, at }) => !UNREAD_KINDS.includes(kind) && now.getTime() - at.getTime() <= MAX_AGE_MS,
	)
	if (recent.length === 0) return
	const sendable = await findSendable(sql, accountId, now)
	if (sendable.replies.length === 0) return
	const chats = [...new Set(recent.map(({ chat }) => chat))]
	const unanswered = await listUnanswered(sql, accountId, chats)
	const asked = recent.filter(({ chat }) => !unanswered.has(chat))
	if (asked.length === 0) return
	const known = await listKnown(sql, accountId, {
		chats: chats.filter((chat) => !unanswered.has(chat)),
		except: asked.map(({ wamid }) => wamid),
	})
	const chosen = chooseAll(asked, { known, sendable })
	if (chosen.length === 0) return
	const granted = await countSent(sql, accountId, { ids: chosen.map(({ reply }) => reply.id), month: sendable.month })
	const written = new Map<string, number>()
	for (const { reply, chat, wamid } of chosen) {
		const left = granted.get(reply.id) ?? 0
		if (left === 0) continue
		granted.set(reply.id, left - 1)
		// Replies in one chat differ in time, so that they keep the order of their messages.
		const place = written.get(chat) ?? 0
		written.set(chat, place + 1)
		const at = new Date(now.getTime() + place)
		const body = { text: reply.text, automatic: reply.id }
		await writeWaiting(sql, accountId, { chat, body, requestId: `auto:${wamid}`, at })
	}
}

/** Chooses the replies to messages, oldest first. A chosen reply counts as sent for the messages after it. */
function chooseAll(
	asked: readonly Written[],
	{ known, sendable }: { known: readonly (KnownChat & { chat: string })[]; sendable: Sendable },
) {
	const chats = new Map<string, KnownChat>(known.map((chat) => [chat.chat, chat]))
	return asked
		.toSorted((a, b) => a.at.getTime() - b.at.getTime())
		.flatMap(({ chat, wamid, at, text }) => {
			const { hasWritten, earlier } = chats.get(chat) ?? { hasWritten: false, earlier: [] }
			const words = wordsOf(text.slice(0, MAX_TEXT_LENGTH))
			const message = { words, at: at.getTime(), isFirst: !hasWritten, earlier }
			const reply = chooseReply(sendable.replies, sendable.hours, message)
			// After all messages of the batch, so that none of them counts as an answer to it. Their times are whole seconds.
			const sent = reply ? [{ id: reply.id, at: Infinity }] : []
			chats.set(chat, { hasWritten: true, earlier: [...earlier, ...sent] })
			return reply ? [{ reply, chat, wamid }] : []
		})
}
