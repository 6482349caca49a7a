import { problem } from '#features/chats/problems.ts'
import { isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { readNewNumber } from '../new-number.ts'
import { findChat, findKeyOfUser, type Chat } from './queries.ts'

/**
 * Returns the chat of a number in any spelling, undefined when none exists, and the key that the chat has or would
 * have.
 */
export async function findTypedChat(
	sql: Sql,
	accountId: AccountId,
	typed: string,
): Promise<{ key: string; chat: Chat | undefined }> {
	// Searches the text as typed first, because ten digits can be a complete number of another country.
	const chat = await findChat(sql, accountId, typed)
	const joined = !chat && isUserId(typed) ? await findKeyOfUser(sql, accountId, typed) : undefined
	if (joined !== undefined) return { key: joined, chat: await findChat(sql, accountId, joined) }
	const read = isUserId(typed) ? null : readNewNumber(typed)
	if (chat || read === null || 'error' in read) return { key: typed, chat }
	return { key: read.number, chat: read.number === typed ? undefined : await findChat(sql, accountId, read.number) }
}

/**
 * Returns the key of an existing chat, or of a valid new number. Throws a 400 for an invalid number, a 404 for an unknown user
 * id.
 */
export async function readKey(sql: Sql, accountId: AccountId, typed: string): Promise<string> {
	if (await findChat(sql, accountId, typed)) return typed
	if (isUserId(typed)) {
		const joined = await findKeyOfUser(sql, accountId, typed)
		if (joined === undefined) throw problem('chat_not_found')
		return joined
	}
	const read = readNewNumber(typed)
	if ('error' in read) throw problem('chat_number_invalid', { reason: read.error })
	return read.number
}
