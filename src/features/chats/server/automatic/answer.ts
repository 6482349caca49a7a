import { MAX_TEXT_LENGTH } from '#features/replies/rules.ts'
import { countSent } from '#features/replies/server/automatic/automatic-queries.ts'
import { findSendable, type Sendable } from '#features/replies/server/automatic/automatic.ts'
import { chooseReply, MAX_AGE_MS } from '#features/replies/server/automatic/choose-reply.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { wordsOf } from '#lib/text/words.ts'
import { isOptedOut } from '../queries.ts'
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

/**
 * Writes at most one automatic reply to each message of the last minutes, which a worker sends. People who are opted out get
 * none. Its count and its message are written in the caller's transaction, under a request id made of the customer's message,
 * so that neither a repeated webhook nor a crash repeats or forgets one.
 */
export async function answerMessages(
	sql: Sql,
	accountId: AccountId,
	{ messages, now }: { messages: readonly Written[]; now: Date },
): Promise<void> {
	const asked = messages.filter(({ kind, at }) => kind !== 'system' && now.getTime() - at.getTime() <= MAX_AGE_MS)
	if (asked.length === 0) return
	const sendable = await findSendable(sql, accountId, now)
	if (sendable.replies.length === 0) return
	const known = await listKnown(sql, accountId, {
		chats: [...new Set(asked.map(({ chat }) => chat))],
		except: asked.map(({ wamid }) => wamid),
	})
	const chosen = chooseAll(asked, { known, sendable, now })
	// In the order of the replies' ids, as every transaction counts them.
	for (const { reply, chat, wamid } of chosen.toSorted((a, b) => a.reply.id - b.reply.id)) {
		if (await isOptedOut(sql, accountId, chat)) continue
		if (!(await countSent(sql, accountId, { id: reply.id, month: sendable.month }))) continue
		const body = { text: reply.text, automatic: reply.id }
		await writeWaiting(sql, accountId, { chat, body, requestId: `auto:${wamid}`, at: now })
	}
}

/** Chooses the replies to messages in the order of their times, where each counts as sent for the next. */
function chooseAll(
	asked: readonly Written[],
	{ known, sendable, now }: { known: readonly (KnownChat & { chat: string })[]; sendable: Sendable; now: Date },
) {
	const chats = new Map<string, KnownChat>(known.map((chat) => [chat.chat, chat]))
	return asked
		.toSorted((a, b) => a.at.getTime() - b.at.getTime())
		.flatMap(({ chat, wamid, at, text }) => {
			const { hasWritten, earlier } = chats.get(chat) ?? { hasWritten: false, earlier: [] }
			const words = wordsOf(text.slice(0, MAX_TEXT_LENGTH))
			const message = { words, at: at.getTime(), isFirst: !hasWritten, earlier }
			const reply = chooseReply(sendable.replies, sendable.hours, message)
			const sent = reply ? [{ id: reply.id, at: now.getTime() }] : []
			chats.set(chat, { hasWritten: true, earlier: [...earlier, ...sent] })
			return reply ? [{ reply, chat, wamid }] : []
		})
}
