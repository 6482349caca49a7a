import { chmodSync, createReadStream, existsSync } from 'node:fs'
import { mkdir, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { AppError } from '../errors.ts'

/** Keeps uploaded files. Keys look like `12/headers/offer.jpg`: the account first. */
export interface Storage {
	/** A stream that breaks off leaves nothing behind. */
	put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>
	/** Rejects with `FileNotFound`, as `size` does. */
	get(key: string): Promise<Buffer>
	/** In bytes. */
	size(key: string): Promise<number>
	/** The bytes from `start` to `end`, both included. */
	read(key: string, range: { start: number; end: number }): NodeJS.ReadableStream
	/** Resolves, too, where there is no such file. */
	delete(key: string): Promise<void>
	/** All files whose keys begin with this and `/`, in any order; what another program has put there under other names is left out. */
	list(folder: string): AsyncIterable<StoredFile>
}

export interface StoredFile {
	key: string
	bytes: number
	changedAt: Date
}

export class FileNotFound extends AppError {
	constructor() {
		super(404, 'File not found')
	}
}

/** A key is at most this long; the longest of ours are half of it. */
const MAX_KEY_LENGTH = 300

/** Not for one that could lead elsewhere. */
export function isKey(key: string): boolean {
	return key.length <= MAX_KEY_LENGTH && /^[\w-]+(\/[\w.-]+)*$/.test(key) && !key.includes('..')
}

/** Returns the key; throws unless it is one. */
export function checkKey(key: string): string {
	if (!isKey(key)) throw new Error(`"${key}" is not a storage key`)
	return key
}

/** Files in a folder, which only the user of this process may read. A file appears under its name only once it is whole. */
export function createFolderStorage(folder: string): Storage {
	if (existsSync(folder)) chmodSync(folder, 0o700)
	const place = (key: string) => join(folder, checkKey(key))
	return {
		async put(key, content) {
			const path = place(key)
			await mkdir(dirname(path), { recursive: true, mode: 0o700 })
			try {
				await writeFile(`${path}.part`, content, { mode: 0o600 })
				await rename(`${path}.part`, path)
			} catch (error) {
				await rm(`${path}.part`, { force: true })
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
				// Deleted since, or renamed as it is whole now.
				const found = await stat(path).catch(() => null)
				if (found) yield { key, bytes: found.size, changedAt: found.mtime }
			}
		},
	}
}

function throwMissing(error: NodeJS.ErrnoException): never {
	throw error.code === 'ENOENT' ? new FileNotFound() : error
}
