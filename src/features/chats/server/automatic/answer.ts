import { AUTOMATIC_IDS } from '#features/chats/rules.ts'
import { MAX_TEXT_LENGTH } from '#features/replies/rules.ts'
import { countSent } from '#features/replies/server/automatic/automatic-queries.ts'
import { findSendable, type Sendable } from '#features/replies/server/automatic/automatic.ts'
import { chooseReply, MAX_AGE_MS } from '#features/replies/server/automatic/choose-reply.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { wordsOf } from '#lib/text/words.ts'
import { countPayable } from '../charges/charges.ts'
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
 * none, and none is written for which the wallet is short. Counts and messages are written in the caller's transaction, under
 * request ids made of the customers' messages, so that neither a repeated webhook nor a crash repeats or forgets one. The number of
 * statements does not grow with the messages.
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
	const payable = chosen.slice(0, await countPayable(sql, accountId, chosen))
	if (payable.length === 0) return
	const granted = await countSent(sql, accountId, { ids: payable.map(({ reply }) => reply.id), month: sendable.month })
	const written = new Map<string, number>()
	const texts = payable.flatMap(({ reply, chat, wamid }) => {
		const left = granted.get(reply.id) ?? 0
		if (left === 0) return []
		granted.set(reply.id, left - 1)
		// Replies in one chat differ in time, so that they keep the order of their messages.
		const place = written.get(chat) ?? 0
		written.set(chat, place + 1)
		const at = new Date(now.getTime() + place)
		const body = { text: reply.text, automatic: reply.id }
		return [{ chat, body, requestId: `${AUTOMATIC_IDS.reply}${wamid}`, at }]
	})
	await writeWaiting(sql, accountId, texts)
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
