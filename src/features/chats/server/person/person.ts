import { rupeesFromPaise } from '#lib/money.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { inBatches } from '#lib/server/db/batches.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import { removeMediaJob } from '../media/remove-media.ts'
import { deleteChats, findChatsOf, listHeld, type HeldChatMessage } from './person-queries.ts'

/** Number of a person's messages and files, which an erasure deletes. */
interface ChatCounts {
	chatMessages: number
	files: number
}

interface ChatFacts {
	counts: ChatCounts
	/** WhatsApp profile name; null without a chat. */
	profileName: string | null
}

export async function findChatFacts(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<ChatFacts> {
	const { messages, files, profileName } = await findChatsOf(sql, accountId, names)
	return { counts: { chatMessages: messages, files: files.length }, profileName }
}

/** Yields a person's messages in batches, with links to their files and without their authors, for a file that the person may read. */
export async function* exportMessagesOf(
	sql: Sql,
	accountId: AccountId,
	names: readonly string[],
): AsyncGenerator<object[]> {
	const held = inBatches((last: HeldChatMessage | undefined, limit) =>
		listHeld(sql, accountId, { keys: names, after: last?.id ?? 0, limit }),
	)
	for await (const messages of held) {
		yield messages.map(({ mediaName, mediaType, mediaState, mediaKey, pricePaise, ...row }) => ({
			...row,
			author: undefined,
			price: pricePaise === null ? null : rupeesFromPaise(pricePaise),
			file: mediaState && {
				name: mediaName,
				type: mediaType,
				state: mediaState,
				link: mediaKey && `/api/chats/media/${row.id}`,
			},
		}))
	}
}

/** Deletes a person's chats, and their files after the commit. Returns the numbers of messages and files. */
export async function eraseChatsOf(
	sql: Sql,
	accountId: AccountId,
	{ names }: { names: readonly string[] },
): Promise<ChatCounts> {
	const { messages, files } = await findChatsOf(sql, accountId, names)
	await deleteChats(sql, accountId, names)
	if (files.length > 0) await addJobs(sql, removeMediaJob, [{ accountId, keys: files }])
	for (const id of names) announceLive(sql, accountId, { kind: 'chat', id })
	return { chatMessages: messages, files: files.length }
}

export const CHAT_MESSAGE_COLUMNS = [
	'chat',
	'direction',
	'writtenBy',
	'at',
	'kind',
	'text',
	'content',
	'status',
	'error',
	'answersTo',
	'file',
	'fileName',
	'marks',
	'price',
	'priceState',
]

/**
 * Returns up to `limit` chat messages of an account after an id as rows of `CHAT_MESSAGE_COLUMNS`, each with its id as `key`.
 * `file` is the storage key.
 */
export async function listMessageRows(
	sql: Sql,
	accountId: AccountId,
	page: { after: number; limit: number },
): Promise<({ key: number; file: string | null } & Record<string, unknown>)[]> {
	const messages = await listHeld(sql, accountId, { keys: null, ...page })
	return messages.map((message) => {
		const { id, chat, direction, author, at, kind, body, status, error, replyText, mediaKey, mediaName } = message
		const { marks, pricePaise, priceState } = message
		const { text = null, ...content } = body as { text?: string }
		return {
			key: id,
			chat,
			direction,
			writtenBy: author,
			at,
			kind,
			text,
			status,
			error,
			content: Object.keys(content).length > 0 ? content : null,
			answersTo: replyText,
			file: mediaKey,
			fileName: mediaName,
			marks: marks.length > 0 ? marks : null,
			price: pricePaise === null ? null : rupeesFromPaise(pricePaise),
			priceState,
		}
	})
}
