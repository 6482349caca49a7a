import { randomBytes } from 'node:crypto'
import { chmodSync, createReadStream, existsSync } from 'node:fs'
import { mkdir, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { problem } from '#lib/problems.ts'

/** Stores uploaded files. Keys such as `12/headers/offer.jpg` begin with the account. */
export interface Storage {
	/** Stores a file, or replaces the one with this key. A stream that fails leaves no file. */
	put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>
	/** Returns the content of a file. Rejects with `file_not_found` for a missing one. */
	get(key: string): Promise<Buffer>
	/** Returns the size of a file in bytes. Rejects with `file_not_found` for a missing one. */
	size(key: string): Promise<number>
	/** Reads the bytes from `start` to `end`, both included. */
	read(key: string, range: { start: number; end: number }): NodeJS.ReadableStream
	/** Deletes a file. Resolves for a missing file too. */
	delete(key: string): Promise<void>
	/**
	 * Lists the files whose keys begin with `folder/`, in any order. Omits files with invalid keys, which other programs
	 * wrote.
	 */
	list(folder: string): AsyncIterable<StoredFile>
}

export interface StoredFile {
	key: string
	bytes: number
	changedAt: Date
}

/** Longest key in characters; the product's own are half as long. */
const MAX_KEY_LENGTH = 300

/** Returns true for a valid key, which cannot leave the storage folder. */
export function isKey(key: string): boolean {
	return key.length <= MAX_KEY_LENGTH && /^[\w-]+(\/[\w.-]+)*$/.test(key) && !key.includes('..')
}

/** Returns the key; throws when it is invalid. */
export function checkKey(key: string): string {
	if (!isKey(key)) throw new Error(`"${key}" is not a storage key`)
	return key
}

/** Stores files in a folder that only the process's user may read. A file gets its name after it is complete. */
export function createFolderStorage(folder: string): Storage {
	if (existsSync(folder)) chmodSync(folder, 0o700)
	const place = (key: string) => join(folder, checkKey(key))
	return {
		async put(key, content) {
			const path = place(key)
			await mkdir(dirname(path), { recursive: true, mode: 0o700 })
			// Two processes may write equal files under one key.
			const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`
			try {
				await writeFile(unfinished, content, { mode: 0o600 })
				await rename(unfinished, path)
			} catch (error) {
				await rm(unfinished, { force: true })
				throw error
			}
		},
		get: async (key) => readFile(place(key)).catch(throwMissing),
		size: async (key) => (await stat(place(key)).catch(throwMissing)).size,
		read: (key, range) => createReadStream(place(key), range),
		delete: async (key) => rm(place(key), { force: true }),
		async *list(prefix) {
			const start = place(prefix)
			if (!existsSync(start)) return
			for await (const entry of await opendir(start, { recursive: true })) {
				const path = join(entry.parentPath, entry.name)
				const key = relative(folder, path)
				if (!entry.isFile() || !isKey(key)) continue
				// Skips a file that was deleted or renamed meanwhile.
				const found = await stat(path).catch(() => null)
				if (found) yield { key, bytes: found.size, changedAt: found.mtime }
			}
		},
	}
}

function throwMissing(error: NodeJS.ErrnoException): never {
	throw error.code === 'ENOENT' ? problem('file_not_found') : error
}
