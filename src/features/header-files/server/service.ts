import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { problem, refusal } from '#features/header-files/problems.ts'
import { MAX_FILES, numberInName, type FileKind } from '#features/header-files/rules.ts'
import { headerTooLarge, maxHeaderBytes } from '#features/templates/limits.ts'
import { headerFileProblem } from '#features/templates/rules.ts'
import { AppError, isProblem } from '#lib/app-error.ts'
import type { ErasedPerson } from '#lib/phone/phone.ts'
import { notFound } from '#lib/problems.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { fileNameOf } from '#lib/server/files/file-name.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import { endingOf, mimeTypeOf } from '#lib/server/files/mime-types.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import type { targetRules } from '#lib/server/http/public-request.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import { addressKeyOf, fetchFile } from './sets/address.ts'
import * as queries from './sets/set-queries.ts'
import type { FileSet } from './sets/set-queries.ts'
import { filesOfZip, type PackedFile } from './sets/zip-files.ts'
import { deleteFilesTo } from './upload/upload-queries.ts'

export interface FileContext {
	db: Db
	storage: AccountStorage
	env: Parameters<typeof targetRules>[0]
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

/**
 * Adds an uploaded file to a set and returns the set with it. Throws a 400 or 409 with the reason when it cannot be a header
 * of the set's kind.
 */
export async function addUpload(
	context: FileContext,
	accountId: AccountId,
	{ set, file }: { set: FileSet; file: UploadedFile | undefined },
): Promise<FileSet> {
	if (!file) throw problem('person_file_missing')
	if (file.bytes > maxHeaderBytes(set.kind)) throw refusal(headerTooLarge(set.kind))
	const isNew = await addFile(context, accountId, { set, name: file.filename, content: await readFile(file.path) })
	return isNew ? { ...set, files: set.files + 1, bytes: set.bytes + file.bytes } : set
}

/**
 * Fetches a file from its address, adds it to a set and returns the set with it. An address whose file the set has is not
 * fetched again. When the address has no header of the set's kind, records the reason and throws a 400 with it.
 */
export async function addAddress(
	context: FileContext,
	accountId: AccountId,
	{ set, address, signal }: { set: FileSet; address: string; signal: AbortSignal },
): Promise<FileSet> {
	const { db } = context
	const addressKey = addressKeyOf(address)
	if ((await queries.findByName(db, accountId, { setId: set.id, name: addressKey })) !== undefined) return set
	try {
		const file = await fetchFile(context.env, { address, kind: set.kind, signal })
		const isNew = await addFile(context, accountId, { set, ...file, addressKey })
		return isNew ? { ...set, files: set.files + 1, bytes: set.bytes + file.content.length } : set
	} catch (error) {
		if (isProblem(error, 'person_file_refused'))
			await queries.insertRefused(db, accountId, { setId: set.id, addressKey, reason: error.message })
		throw error
	}
}

export interface AddedFiles {
	/** Number of files that the set did not have before. */
	added: number
	refusedCount: number
	/** The first refused files. */
	refused: { name: string; reason: string }[]
}

/** Adds the files of an uploaded zip to a set, a few at a time. A full storage ends the call; files before it stay. */
export async function addZip(
	context: FileContext,
	accountId: AccountId,
	{ set, file, signal }: { set: FileSet; file: UploadedFile | undefined; signal: AbortSignal },
): Promise<AddedFiles> {
	if (!file) throw problem('zip_missing')
	const sum: AddedFiles = { added: 0, refusedCount: 0, refused: [] }
	for await (const group of filesOfZip(file.path, maxHeaderBytes(set.kind))) {
		signal.throwIfAborted()
		const before = set.files + sum.added
		const results = await Promise.allSettled(
			group.map((packed, index) => addPacked(context, accountId, { set: { ...set, files: before + index }, packed })),
		)
		for (const [index, { path }] of group.entries()) note(sum, path, results[index])
	}
	return sum
}

/** Counts a file of a zip. Throws its error unless the file alone was refused. */
function note(sum: AddedFiles, path: string, result: PromiseSettledResult<boolean> | undefined): void {
	if (result?.status !== 'rejected') {
		if (result?.value) sum.added++
		return
	}
	const error: unknown = result.reason
	if (!(error instanceof AppError) || error.code !== 'person_file_refused') throw error
	sum.refusedCount++
	if (sum.refused.length < MAX_LISTED)
		sum.refused.push({ name: fileNameOf(path) || path.slice(0, 200), reason: error.message })
}

async function addPacked(
	context: FileContext,
	accountId: AccountId,
	{ set, packed }: { set: FileSet; packed: PackedFile },
): Promise<boolean> {
	if (packed.path.toLowerCase().endsWith('.zip'))
		throw refusal('A ZIP within a ZIP is not opened. Please add its files themselves.')
	if (!packed.content) throw refusal(headerTooLarge(set.kind))
	return addFile(context, accountId, { set, name: packed.path, content: await packed.content() })
}

interface NewContent {
	set: FileSet
	name: string
	content: Buffer
	/** The key of the address that the file was fetched from. */
	addressKey?: string
}

/**
 * Adds a file to a set, whose count the caller keeps, under its real name. The type is read from the content; equal contents are stored once. Returns
 * false when the set has this file already, and throws a 400 when it has another one of this name.
 */
async function addFile(
	{ db, storage }: FileContext,
	accountId: AccountId,
	{ set, name: given, content, addressKey }: NewContent,
): Promise<boolean> {
	const { name, key } = checkFile(accountId, { kind: set.kind, name: given, content })
	const named = { setId: set.id, name: addressKey ?? name }
	const before = await queries.findByName(db, accountId, named)
	if (before !== undefined) return refuseOther(before, key)
	if (set.files >= MAX_FILES) throw problem('person_files_full')
	await storeContent({ db, storage }, accountId, { key, content })
	const file = { setId: set.id, name, key, bytes: content.length, addressKey, ...partsOf(name) }
	if ((await queries.insertFile(db, accountId, file)) !== null) return true
	return refuseOther((await queries.findByName(db, accountId, named)) ?? key, key)
}

/**
 * Returns the name and the storage key of a file. Throws a 400 for one that cannot be a header of this kind. The type is read
 * from the content, and a name without its extension gets it: phones open documents by it.
 */
function checkFile(
	accountId: AccountId,
	{ kind, name: given, content }: { kind: FileKind; name: string; content: Buffer },
): { name: string; key: string } {
	const type = typeByContent(content)
	const reason = headerFileProblem(kind, { size: content.length, type })
	if (reason !== false) throw refusal(reason)
	const plain = fileNameOf(given)
	if (plain === '') throw refusal('This file has no name')
	const name = mimeTypeOf(plain.toLowerCase()) === type ? plain : `${plain}${endingOf(type)}`
	const digest = createHash('sha256').update(content).digest('hex')
	return { name, key: `${accountId}/person-files/${digest}${endingOf(type)}` }
}

/** The contents that this process is storing, by key. */
const storing = new Map<string, Promise<void>>()

interface KeyedContent {
	key: string
	content: Buffer
}

/** Stores a content after equal ones that arrived at the same time, so that their bytes count once. */
async function storeContent(
	stores: Pick<FileContext, 'db' | 'storage'>,
	accountId: AccountId,
	given: KeyedContent,
): Promise<void> {
	const { key } = given
	const before = storing.get(key) ?? Promise.resolve()
	const stored = before.catch(() => {}).then(() => storeAlone(stores, accountId, given))
	storing.set(key, stored)
	try {
		await stored
	} finally {
		if (storing.get(key) === stored) storing.delete(key)
	}
}

/** Stores a content. One that no row names may be old: it is written again, so that no clean-up deletes it. */
async function storeAlone(
	{ db, storage }: Pick<FileContext, 'db' | 'storage'>,
	accountId: AccountId,
	{ key, content }: KeyedContent,
): Promise<void> {
	if (await queries.isStored(db, accountId, key)) return
	await storage.put(key, content)
}

/** Returns the parts of a file name by which people find their files. */
function partsOf(name: string): { stem: string; number: string | null } {
	const stem = name.slice(0, name.length - extname(name).length)
	return { stem, number: numberInName(stem) }
}

/** The stored file of one message, which no set has yet. */
export interface MessageContent {
	kind: FileKind
	name: string
	key: string
	bytes: number
}

/**
 * Stores the file of one message: a given content, or what the server fetches from an address. Throws a 400 with the reason
 * when it cannot be a header of this kind.
 */
export async function storeMessageFile(
	context: FileContext,
	accountId: AccountId,
	{
		kind,
		file,
		signal,
	}: { kind: FileKind; file: { name: string; content: Buffer } | { address: string }; signal: AbortSignal },
): Promise<MessageContent> {
	const { name: given, content } =
		'content' in file ? file : await fetchFile(context.env, { address: file.address, kind, signal })
	const { name, key } = checkFile(accountId, { kind, name: given, content })
	await storeContent(context, accountId, { key, content })
	return { kind, name, key, bytes: content.length }
}

/** Gives a message's file a set of its own, in the transaction that writes the message. Returns the value of `FILE_TAG`. */
export async function insertMessageFile(sql: Sql, accountId: AccountId, file: MessageContent): Promise<string> {
	const setId = await queries.insertSet(sql, accountId, file.kind)
	const { name, key, bytes } = file
	const id = await queries.insertFile(sql, accountId, { setId, name, key, bytes, ...partsOf(name) })
	return String(id)
}

/** Returns false for the same content under the same name. */
function refuseOther(before: string, key: string): false {
	if (before === key) return false
	throw refusal('Another file has the same name. Please rename one of them.')
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
