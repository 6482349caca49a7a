import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl'
import { problem, refusal } from '#features/header-files/problems.ts'
import { MAX_FILES, MAX_UNPACKED_GIGABYTES } from '#features/header-files/rules.ts'
import { AppError } from '#lib/app-error.ts'

/** A file of a zip. `content` unpacks it; null for one over the size limit. */
export interface PackedFile {
	path: string
	content: (() => Promise<Buffer>) | null
}

/** Unpacked size in bytes up to which the ratio of compression is not checked, and the largest ratio above. */
const SMALL_BYTES = 1024 * 1024
const MAX_RATIO = 200
/** Files that are unpacked at a time, and the bytes at which fewer are. */
const GROUP_FILES = 8
const GROUP_BYTES = 16 * 1024 * 1024
/** Directory entries beside the files, as most programs write them. */
const MAX_ENTRIES = 2 * MAX_FILES

const BYTES_PER_GIGABYTE = 1024 ** 3

/**
 * Yields the files of a zip on disk in small groups, without folders and the hidden files that macOS adds. The caller unpacks
 * a group before it asks for the next one. Throws before the first file for a damaged or encrypted zip, for a path outside the
 * zip's folder, and for too many or too large files.
 */
export async function* filesOfZip(path: string, maxBytes: number): AsyncGenerator<PackedFile[]> {
	await checkZip(path)
	const zip = await openZip(path)
	try {
		let bytes = 0
		let group: PackedFile[] = []
		for await (const entry of readable(zip.eachEntry())) {
			const name = nameOf(entry)
			if (isExtra(name)) continue
			const isTooLarge = entry.uncompressedSize > maxBytes
			group.push({ path: name, content: isTooLarge ? null : () => unpack(zip, entry) })
			if (!isTooLarge) bytes += entry.uncompressedSize
			if (group.length < GROUP_FILES && bytes < GROUP_BYTES) continue
			yield group
			group = []
			bytes = 0
		}
		if (group.length > 0) yield group
	} finally {
		zip.close()
	}
}

/** Reads the directory of a zip, and throws its refusal before any file is unpacked. */
async function checkZip(path: string): Promise<void> {
	const zip = await openZip(path)
	try {
		if (zip.entryCount > MAX_ENTRIES) throw problem('zip_too_many', { entries: zip.entryCount })
		let [files, bytes] = [0, 0]
		for await (const entry of readable(zip.eachEntry())) {
			const name = nameOf(entry)
			refuseUnsafe(entry, name)
			if (isExtra(name)) continue
			if (++files > MAX_FILES) throw problem('zip_too_many', { entries: zip.entryCount })
			bytes += entry.uncompressedSize
			if (bytes > MAX_UNPACKED_GIGABYTES * BYTES_PER_GIGABYTE) throw problem('zip_too_large')
		}
	} finally {
		zip.close()
	}
}

function openZip(path: string): Promise<ZipFile> {
	return openPromise(path, { autoClose: false, decodeStrings: false }).catch(refuseUnreadable)
}

/**
 * Unpacks an entry. Throws the refusal of this file alone when its bytes are damaged: yauzl ends the stream with an error when it
 * has another size than the directory says.
 */
async function unpack(zip: ZipFile, entry: Entry): Promise<Buffer> {
	return zip
		.openReadStreamPromise(entry)
		.then(buffer)
		.catch(() => {
			throw refusal('This file is damaged in the ZIP. Please add it again.')
		})
}

/** Flag of an entry whose name is in UTF-8. */
const UTF8_NAME = 0x800

/**
 * Returns the path of an entry with slashes, from the field for Unicode or its bytes: UTF-8 where they are valid, because macOS
 * writes UTF-8 without the flag, else the DOS code page.
 */
function nameOf({ fileNameRaw, extraFields }: Entry): string {
	return getFileNameLowLevel(isUtf8(fileNameRaw) ? UTF8_NAME : 0, fileNameRaw, extraFields, false)
}

function refuseUnsafe(entry: Entry, name: string): void {
	if (entry.isEncrypted()) throw problem('zip_encrypted')
	if (name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..'))
		throw problem('zip_unsafe', { name: name.slice(0, 200) })
	const { compressedSize, uncompressedSize } = entry
	if (uncompressedSize > SMALL_BYTES && uncompressedSize > compressedSize * MAX_RATIO)
		throw problem('zip_swollen', { name: name.slice(0, 200) })
}

function isExtra(name: string): boolean {
	return name.endsWith('/') || name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')
}

async function* readable(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
	try {
		yield* entries
	} catch (error) {
		refuseUnreadable(error)
	}
}

function refuseUnreadable(error: unknown): never {
	throw error instanceof AppError ? error : problem('zip_unreadable')
}
