import { UNTYPED, type chats } from '#features/chats/contract.ts'
import { problem } from '#features/chats/problems.ts'
import { ASK_TEXT, lineOf } from '#features/chats/rules.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { getReplyTerms } from '#features/pricing/server/queries.ts'
import { tooLong } from '#features/replies/rules.ts'
import { readAttachment, storeAttachment, type Attachment } from '#features/replies/server/attachments.ts'
import { requireSender, type Sender } from '#features/whatsapp/server/service.ts'
import type { PartOut } from '#lib/endpoint.ts'
import { isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Listener } from '#lib/server/db/channels/listener.ts'
import { transactionUntilKnown } from '#lib/server/db/lost-commit.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { Storage } from '#lib/server/storage/storage.ts'
import { holdReplyPrice } from '../charges/charges.ts'
import { findTypedChat, readKey } from '../chat-key.ts'
import * as queries from '../history-queries.ts'
import type { ChatMessageRow } from '../history-queries.ts'
import { uploadAttachment } from './attachments.ts'
import { deliver, failUnsent, type DeliverDeps } from './deliver.ts'
import {
	insertOutgoing,
	lockChats,
	updateLastLines,
	type NewMessage,
	type OutgoingMessage,
} from './outbound-queries.ts'

export interface SendContext extends DeliverDeps {
	env: { SENDING: 'on' | 'off' }
	vault: Vault
	storage: Storage
	listener: Listener
}

/** Field of a message that a person sends. */
export interface Written {
	authorId?: number
}

type Typed = PartOut<typeof chats.send.body> & Written & { media?: UploadedFile | undefined }

/** Milliseconds for which a call waits for the network before it answers with a pending message. */
export const ANSWER_WAIT_MS = 5000

/**
 * Sends a message from this process, whose row and hold are committed before the request begins. A repeated request returns the
 * first message, or a 409 when the content differs; a refusal by the network returns a failed message.
 */
export async function sendMessage(context: SendContext, accountId: AccountId, typed: Typed): Promise<ChatMessageRow> {
	const known = await findRepeated(context.db, accountId, typed)
	if (known) return known
	const text = (typed.message ?? '').trim()
	const attachment = isChosen(typed.media) ? await readAttachment(typed.media) : null
	if (text === '' && !attachment) throw problem('message_empty')
	const reason = tooLong(text, attachment !== null)
	if (reason) throw problem('message_too_long', { reason })
	const to = String(typed.number ?? '').trim()
	if (to === '') throw problem('chat_recipient_missing')
	const sender = await getUsableSender(context, accountId)
	const chat = await readKey(context.db, accountId, to)
	const replyWamid = typed.replyTo ? await findReplyTarget(context.db, accountId, { chat, id: typed.replyTo }) : null
	const media = attachment ? await storeAttachment(context.storage, `${accountId}/chats`, attachment) : null
	const kind = attachment?.kind ?? 'text'
	const row = await commitReply(context.db, accountId, {
		chat,
		kind,
		body: { text },
		line: lineOf({ kind, text, mediaName: media?.name ?? null }),
		replyWamid,
		requestId: typed.requestId ?? null,
		media,
		isClaimed: true,
		authorId: typed.authorId,
	})
	if (!row) return getRepeated(context.db, accountId, typed)
	return waitForOutcome(context, accountId, {
		row,
		sending: dispatch(context, accountId, { row, sender, attachment, text }),
	})
}

/** Asks the customer of a chat for the number, as `sendMessage` sends a text. Throws a 400 when the number is known. */
export async function askForNumber(
	context: SendContext,
	accountId: AccountId,
	asked: PartOut<typeof chats.askNumber.body> & Written,
): Promise<ChatMessageRow> {
	const text = (asked.message ?? '').trim() || ASK_TEXT
	const typed = { ...asked, message: text }
	const known = await findRepeated(context.db, accountId, typed)
	if (known) return known
	const sender = await getUsableSender(context, accountId)
	const chat = await readKey(context.db, accountId, asked.number)
	if (!isUserId(chat)) throw problem('chat_number_known')
	const row = await commitReply(context.db, accountId, {
		chat,
		kind: 'contact_request',
		body: { text },
		line: lineOf({ kind: 'contact_request', text }),
		requestId: asked.requestId ?? null,
		isClaimed: true,
		authorId: asked.authorId,
	})
	if (!row) return getRepeated(context.db, accountId, typed)
	const interactive = { type: 'request_contact_info', body: { text }, action: { name: 'request_contact_info' } }
	const part = { type: 'interactive', interactive }
	const sending = deliver(context, accountId, { id: row.id, chat, part, replyWamid: null, sender })
	return waitForOutcome(context, accountId, { row, sending })
}

/** Returns false for the empty file without a type that a form sends when no file was chosen. */
function isChosen(file: UploadedFile | undefined): file is UploadedFile {
	return file !== undefined && (file.bytes > 0 || file.type !== UNTYPED)
}

/**
 * Commits a message that this process sends, and the hold of its price. Throws a 402 when the wallet is short. Returns undefined
 * when a message with this request id exists.
 */
function commitReply(
	db: Db,
	accountId: AccountId,
	message: Omit<NewMessage, 'at'>,
): Promise<OutgoingMessage | undefined> {
	const write = async (sql: Sql) => {
		const { at, isPaid } = await getReplyTerms(sql, accountId)
		const [row] = await writeOutgoing(sql, accountId, [{ ...message, at }])
		if (row && isPaid) await holdReplyPrice(sql, accountId, row)
		return row
	}
	const isStored = async (sql: Sql, { id }: OutgoingMessage) => Boolean(await queries.findMessage(sql, accountId, id))
	return transactionUntilKnown(db, write, isStored)
}

/** Inserts messages as `insertOutgoing`, and moves their chats to the top of the list of chats. */
export async function writeOutgoing(
	sql: Sql,
	accountId: AccountId,
	messages: readonly NewMessage[],
): Promise<OutgoingMessage[]> {
	await lockChats(sql, accountId, newestOf(messages))
	const rows = await insertOutgoing(sql, accountId, messages)
	const inserted = new Set(rows.map(({ requestId }) => requestId))
	const chats = newestOf(messages.filter(({ requestId }) => inserted.has(requestId ?? null)))
	if (chats.size > 0) await updateLastLines(sql, accountId, chats)
	for (const id of chats.keys()) announceLive(sql, accountId, { kind: 'chat', id })
	return rows
}

/** Returns the last message of each chat. */
const newestOf = (messages: readonly NewMessage[]) => new Map(messages.map((message) => [message.chat, message]))

async function dispatch(
	context: SendContext,
	accountId: AccountId,
	{
		row,
		sender,
		attachment,
		text,
	}: { row: OutgoingMessage; sender: Sender; attachment: Attachment | null; text: string },
): Promise<void> {
	let part: object = { type: 'text', text: { body: text } }
	if (attachment) {
		try {
			part = await uploadAttachment(context.cloudApi, sender, { attachment, caption: text })
		} catch (error) {
			context.log.warn({ error, accountId, id: row.id }, 'a file of a chat could not be uploaded')
			const { code, text: reason } = OWN_ERRORS.notUploaded
			return failUnsent(context, accountId, { id: row.id, code, error: reason })
		}
	}
	await deliver(context, accountId, { id: row.id, chat: row.chat, part, replyWamid: row.replyWamid, sender })
}

/** Returns the message after its sending has ended, or in its current state after ANSWER_WAIT_MS. */
async function waitForOutcome(
	{ db, log }: Pick<SendContext, 'db' | 'log'>,
	accountId: AccountId,
	{ row, sending }: { row: OutgoingMessage; sending: Promise<void> },
): Promise<ChatMessageRow> {
	const ended = sending.catch((error: unknown) =>
		log.error({ error, accountId, id: row.id }, 'a chat message broke off'),
	)
	let timer: NodeJS.Timeout | undefined
	const waited = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ANSWER_WAIT_MS)
	})
	await Promise.race([ended, waited])
	clearTimeout(timer)
	return getMessage(db, accountId, row.id)
}

export async function getMessage(sql: Sql, accountId: AccountId, id: number): Promise<ChatMessageRow> {
	const row = await queries.findMessage(sql, accountId, id)
	if (!row) throw new Error(`chat message ${id} is gone`)
	return row
}

type IdempotentSend = Pick<Typed, 'number' | 'message' | 'requestId'>

/**
 * Returns the message that this request has already sent; undefined when it has sent none. Throws a 409 when that
 * message has another recipient or text.
 */
export async function findRepeated(
	sql: Sql,
	accountId: AccountId,
	{ requestId, number, message }: IdempotentSend,
): Promise<ChatMessageRow | undefined> {
	const row = requestId ? await queries.findByRequest(sql, accountId, requestId) : undefined
	if (!row) return undefined
	const { key } = await findTypedChat(sql, accountId, String(number ?? '').trim())
	const isSameText = message === undefined || message.trim() === (row.body.text ?? '')
	if (key !== row.chat || !isSameText) throw problem('message_request_reused')
	return row
}

export async function getRepeated(sql: Sql, accountId: AccountId, typed: IdempotentSend): Promise<ChatMessageRow> {
	const row = await findRepeated(sql, accountId, typed)
	if (!row) throw new Error('a message was neither written nor there')
	return row
}

/** Returns the account's sender. Throws a 400 or 503 with the reason when it cannot send. */
export async function getUsableSender(
	{ db, vault, env }: Pick<SendContext, 'db' | 'vault' | 'env'>,
	accountId: AccountId,
): Promise<Sender> {
	if (env.SENDING === 'off') throw problem('sending_off')
	const sender = await requireSender(db, vault, accountId)
	if (sender.stoppedReason) throw problem('sending_stopped', { reason: sender.stoppedReason })
	return sender
}

async function findReplyTarget(
	sql: Sql,
	accountId: AccountId,
	{ chat, id }: { chat: string; id: string },
): Promise<string | null> {
	const target = await queries.findWamid(sql, accountId, { chat, id })
	if (!target) throw problem('reply_target_not_found')
	return target.wamid
}
