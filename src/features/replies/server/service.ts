import type { PartOut } from '#lib/endpoint.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import type { FileContent } from '#lib/server/http/http.ts'
import type { Storage } from '#lib/server/storage/storage.ts'
import type { replies } from '../contract.ts'
import { problem } from '../problems.ts'
import { MAX_SAVED_REPLIES, tooLong } from '../rules.ts'
import { readAttachment, storeAttachment } from './attachments.ts'
import * as queries from './saved-queries.ts'
import type { ReplyFile, SavedReplyRow } from './saved-queries.ts'

export interface ReplyContext {
	db: Db
	storage: Storage
}

type NewReply = PartOut<typeof replies.addSaved.body> & { media: UploadedFile | undefined }

export async function listSavedReplies(sql: Sql, accountId: AccountId) {
	return (await queries.listSaved(sql, accountId)).map(presentSaved)
}

/** Adds a saved reply. Throws a 409 for a name that is taken, and when the account has MAX_SAVED_REPLIES. */
export async function addSavedReply(context: ReplyContext, accountId: AccountId, given: NewReply) {
	checkContent(given.text, given.media !== undefined)
	const file = await storeFile(context, accountId, given.media)
	const row = await transaction(context.db, async (sql) => {
		const known = await lockedReplies(sql, accountId)
		if (known.length >= MAX_SAVED_REPLIES) throw problem('saved_replies_full')
		checkName(known, { shortcut: given.shortcut })
		return queries.insertSaved(sql, accountId, { shortcut: given.shortcut, text: given.text, file })
	})
	return presentSaved(row)
}

/** Changes a saved reply. Without a new file, the stored one stays only if `keepsFile` is `true`. Throws a 404 or 409. */
export async function changeSavedReply(
	context: ReplyContext,
	accountId: AccountId,
	{ id, keepsFile, ...given }: NewReply & { id: string; keepsFile?: 'true' | 'false' | undefined },
) {
	const { shortcut, text, media } = given
	const added = await storeFile(context, accountId, media)
	const row = await transaction(context.db, async (sql) => {
		const known = await lockedReplies(sql, accountId)
		checkName(known, { shortcut, except: id })
		const before = known.find((reply) => String(reply.id) === id)
		const file = added ?? (keepsFile === 'true' ? (before?.file ?? null) : null)
		checkContent(text, file !== null)
		return queries.updateSaved(sql, accountId, { id, shortcut, text, file })
	})
	if (!row) throw notFound('Saved reply')
	return presentSaved(row)
}

export async function removeSavedReply(sql: Sql, accountId: AccountId, id: string): Promise<void> {
	if (!(await queries.deleteSaved(sql, accountId, id))) throw notFound('Saved reply')
}

/** Returns the file of a saved reply. Throws a 404 without one. */
export async function readSavedFile(context: ReplyContext, accountId: AccountId, id: string): Promise<FileContent> {
	const reply = await queries.findSaved(context.db, accountId, id)
	if (!reply?.file) throw notFound('File')
	const { key, name, type, bytes } = reply.file
	const content = context.storage.read(key, { start: 0, end: bytes - 1 })
	return { filename: name, type, headers: { 'content-length': String(bytes) }, content }
}

async function lockedReplies(sql: Sql, accountId: AccountId): Promise<SavedReplyRow[]> {
	await queries.lockReplies(sql, accountId)
	return queries.listSaved(sql, accountId)
}

function checkName(
	known: readonly SavedReplyRow[],
	{ shortcut, except }: { shortcut: string; except?: string | undefined },
): void {
	if (known.some((reply) => reply.shortcut === shortcut && String(reply.id) !== except))
		throw problem('saved_reply_name_taken', { shortcut })
}

function checkContent(text: string, hasFile: boolean): void {
	if (text === '' && !hasFile) throw problem('saved_reply_empty')
	const reason = tooLong(text, hasFile)
	if (reason) throw problem('saved_reply_too_long', { reason })
}

async function storeFile(
	{ storage }: ReplyContext,
	accountId: AccountId,
	file: UploadedFile | undefined,
): Promise<ReplyFile | null> {
	if (!file) return null
	const attachment = await readAttachment(file)
	return { ...(await storeAttachment(storage, `${accountId}/replies`, attachment)), bytes: attachment.bytes.length }
}

function presentSaved({ id, shortcut, text, file }: SavedReplyRow) {
	return { _id: id, shortcut, text, file: file && { name: file.name, type: file.type, bytes: file.bytes } }
}
