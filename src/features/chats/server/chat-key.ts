import { isUserId } from '#lib/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import { readNewNumber } from '../new-number.ts'
import { findChat, type Chat } from './queries.ts'

/** Finds a chat by any spelling of its number, and the key that it has or would have. */
export async function findTypedChat(
	sql: Sql,
	accountId: AccountId,
	typed: string,
): Promise<{ key: string; chat: Chat | undefined }> {
	// First as it stands: ten digits may be a whole number of another country.
	const chat = await findChat(sql, accountId, typed)
	const read = isUserId(typed) ? null : readNewNumber(typed)
	if (chat || read === null || 'error' in read) return { key: typed, chat }
	return { key: read.number, chat: read.number === typed ? undefined : await findChat(sql, accountId, read.number) }
}

/** The key of an existing chat, or of a number that can be written to. Throws a 400 for an invalid number, a 404 for an unknown user id. */
export async function readKey(sql: Sql, accountId: AccountId, typed: string): Promise<string> {
	if (await findChat(sql, accountId, typed)) return typed
	if (isUserId(typed)) throw new AppError(404, 'Chat not found')
	const read = readNewNumber(typed)
	if ('error' in read) throw new AppError(400, read.error)
	return read.number
}
