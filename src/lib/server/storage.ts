import { chmodSync, createReadStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from './errors.ts'

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
}

export class FileNotFound extends AppError {
	constructor() {
		super(404, 'File not found')
	}
}

/** Returns the key; throws for one that could lead elsewhere. */
export function checkKey(key: string): string {
	if (!/^[\w-]+(\/[\w.-]+)*$/.test(key) || key.includes('..')) throw new Error(`"${key}" is not a storage key`)
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
	}
}

function throwMissing(error: NodeJS.ErrnoException): never {
	throw error.code === 'ENOENT' ? new FileNotFound() : error
}
