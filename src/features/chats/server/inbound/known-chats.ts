import { listFormerIds } from '#features/contacts/server/whatsapp-id-queries.ts'
import { isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import * as queries from './inbound-queries.ts'
import type { Inbound } from './message-reader.ts'

/** A key of a customer, and the time at which the customer wrote or was written to under it. */
interface Written {
	chat: string
	at: Date
}

/** Moves messages, marks and senders to the existing chats of customers whose key has changed. */
export async function toKnownChats(sql: Sql, accountId: AccountId, inbound: Inbound): Promise<Inbound> {
	const { messages, marks, writers } = inbound
	const chatOf = await findChatOf(sql, accountId, { written: [...messages, ...marks, ...writers], writers })
	const move = <T extends Written>(all: T[]) => all.map((one) => ({ ...one, chat: chatOf(one) }))
	return { ...inbound, messages: move(messages), marks: move(marks), writers: move(writers) }
}

/**
 * Returns a function that finds the chat of each of these keys. What was written before a change of number belongs to the
 * customer's present chat; later, to the number's next owner. `writers` may name a user id besides the key.
 */
export async function findChatOf(
	sql: Sql,
	accountId: AccountId,
	{
		written,
		writers = [],
	}: { written: readonly Written[]; writers?: readonly { chat: string; userId: string | null }[] },
): Promise<(one: Written) => string> {
	const keys = [...new Set(written.map(({ chat }) => chat))]
	const known = await findKnownChats(sql, accountId, keys)
	for (const { chat, userId } of writers) if (userId) known.set(userId, known.get(chat) ?? chat)
	const former = new Map((await listFormerIds(sql, accountId, keys)).map((change) => [change.id, change]))
	return ({ chat, at }) => {
		const change = former.get(chat)
		const isEarlier = change !== undefined && (isUserId(chat) || at <= change.changedAt)
		return known.get(chat) ?? (isEarlier ? change.nowId : chat)
	}
}

/** Returns the existing chat of each key that is a user id, or a WhatsApp id other than the number. */
export async function findKnownChats(
	sql: Sql,
	accountId: AccountId,
	keys: readonly string[],
): Promise<Map<string, string>> {
	if (keys.length === 0) return new Map()
	const rows = await queries.listKnownChats(sql, accountId, [...new Set(keys)])
	return new Map(rows.map(({ key, chat }) => [key, chat]))
}
