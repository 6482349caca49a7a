import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { problem } from '#features/header-files/problems.ts'
import { MAX_FILES, numberInName, type FileKind } from '#features/header-files/rules.ts'
import { BYTES_PER_MEGABYTE, HEADER_FILE_LIMITS } from '#features/templates/limits.ts'
import { headerFileProblem } from '#features/templates/rules.ts'
import { AppError } from '#lib/app-error.ts'
import type { ErasedPerson } from '#lib/phone/phone.ts'
import { notFound } from '#lib/problems.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { fileNameOf } from '#lib/server/files/file-name.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import { endingOf } from '#lib/server/files/mime-types.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import * as queries from './sets/set-queries.ts'
import type { FileSet } from './sets/set-queries.ts'
import { filesOfZip, type PackedFile } from './sets/zip-files.ts'
import { deleteFilesTo } from './upload/upload-queries.ts'

export interface FileContext {
	db: Db
	storage: AccountStorage
}

/** Refused files of a zip that are listed by name. */
const MAX_LISTED = 100

/** Returns a set. Throws a 404 for one that the account does not have. */
export async function getSet(sql: Sql, accountId: AccountId, id: string): Promise<FileSet> {
	const set = await queries.findSet(sql, accountId, id)
	if (!set) throw notFound('File set')
	return set
}

export async function createSet(sql: Sql, accountId: AccountId, kind: FileKind): Promise<FileSet> {
	return getSet(sql, accountId, String(await queries.insertSet(sql, accountId, kind)))
}

/** Adds an uploaded file to a set. Throws a 400 or 409 with the reason when it cannot be a header of the set's kind. */
export async function addUpload(
	context: FileContext,
	accountId: AccountId,
	{ set, file }: { set: FileSet; file: UploadedFile | undefined },
): Promise<void> {
	if (!file) throw problem('person_file_missing')
	if (file.bytes > maxBytesOf(set)) throw refusal(tooLarge(set))
	await addFile(context, accountId, { set, name: file.filename, content: await readFile(file.path) })
}

export interface AddedFiles {
	/** Number of files that the set did not have before. */
	added: number
	refusedCount: number
	/** The first refused files. */
	refused: { name: string; reason: string }[]
}

/** Adds the files of an uploaded zip to a set, one after the other. A full storage ends the call; files before it stay. */
export async function addZip(
	context: FileContext,
	accountId: AccountId,
	{ set, file, signal }: { set: FileSet; file: UploadedFile | undefined; signal: AbortSignal },
): Promise<AddedFiles> {
	if (!file) throw problem('zip_missing')
	const sum: AddedFiles = { added: 0, refusedCount: 0, refused: [] }
	for await (const packed of filesOfZip(file.path, maxBytesOf(set))) {
		signal.throwIfAborted()
		try {
			if (await addPacked(context, accountId, { set, packed })) sum.added++
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'person_file_refused') throw error
			sum.refusedCount++
			if (sum.refused.length < MAX_LISTED)
				sum.refused.push({ name: fileNameOf(packed.path) || packed.path.slice(0, 200), reason: error.message })
		}
	}
	return sum
}

async function addPacked(
	context: FileContext,
	accountId: AccountId,
	{ set, packed }: { set: FileSet; packed: PackedFile },
): Promise<boolean> {
	if (packed.path.toLowerCase().endsWith('.zip'))
		throw refusal('A ZIP within a ZIP is not opened. Please add its files themselves.')
	if (!packed.content) throw refusal(tooLarge(set))
	return addFile(context, accountId, { set, name: packed.path, content: await packed.content() })
}

/**
 * Adds a file to a set under its real name. The type is read from the content; equal contents are stored once. Returns
 * false when the set has this file already, and throws a 400 when it has another one of this name.
 */
async function addFile(
	{ db, storage }: FileContext,
	accountId: AccountId,
	{ set, name: given, content }: { set: FileSet; name: string; content: Buffer },
): Promise<boolean> {
	const type = typeByContent(content)
	const reason = headerFileProblem(set.kind, { size: content.length, type })
	if (reason !== false) throw refusal(reason)
	const name = fileNameOf(given)
	if (name === '') throw refusal('This file has no name')
	const digest = createHash('sha256').update(content).digest('hex')
	const key = `${accountId}/person-files/${digest}${endingOf(type)}`
	const before = await queries.findByName(db, accountId, { setId: set.id, name })
	if (before !== undefined) return refuseOther(before, key)
	if ((await queries.countFiles(db, accountId, set.id)) >= MAX_FILES) throw problem('person_files_full')
	// A file without a row may be old: it is written again, so that no clean-up deletes it.
	if (!(await queries.isStored(db, accountId, key))) {
		await storage.delete(key)
		await storage.put(key, content)
	}
	const stem = name.slice(0, name.length - extname(name).length)
	const file = { setId: set.id, name, stem, number: numberInName(stem), key, bytes: content.length }
	if (await queries.insertFile(db, accountId, file)) return true
	return refuseOther((await queries.findByName(db, accountId, { setId: set.id, name })) ?? key, key)
}

/** Returns false for the same content under the same name. */
function refuseOther(before: string, key: string): false {
	if (before === key) return false
	throw refusal('Another file has the same name. Please rename one of them.')
}

function refusal(reason: string): AppError {
	return problem('person_file_refused', { reason })
}

function maxBytesOf({ kind }: FileSet): number {
	return HEADER_FILE_LIMITS[kind].maxMegabytes * BYTES_PER_MEGABYTE
}

function tooLarge({ kind }: FileSet): string {
	return `File size exceeds ${HEADER_FILE_LIMITS[kind].maxMegabytes}MB limit`
}

/** Returns the name and content of a file of a set. Throws a 404 without such a file. */
export async function showFile(
	{ db, storage }: FileContext,
	accountId: AccountId,
	{ set, id }: { set: FileSet; id: string | null },
): Promise<{ name: string; content: Buffer }> {
	const file = await queries.findFile(db, accountId, { setId: set.id, id })
	if (!file) throw notFound('File')
	return { name: file.name, content: await storage.get(file.key) }
}

/** Deletes the files about a person: those of messages to the person, and those with the number in their names. */
export async function eraseFilesOf(sql: Sql, accountId: AccountId, { names }: Pick<ErasedPerson, 'names'>) {
	await deleteFilesTo(sql, accountId, names)
	await queries.deleteFilesOf(sql, accountId, names)
	return {}
}

/** Deletes sets beyond their retention. */
export function deleteOld(db: Db, accountId: AccountId, old: OldRows): Promise<number> {
	return queries.deleteOldSets(db, accountId, old)
}
