import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Keeps uploaded files. Keys look like `12/headers/offer.jpg`: the account first. */
export interface Storage {
	put(key: string, content: Uint8Array): Promise<void>
	get(key: string): Promise<Buffer>
}

/** Files in a folder. A file appears under its name only once it is whole. */
export function createFolderStorage(folder: string): Storage {
	const place = (key: string) => {
		if (!/^[\w-]+(\/[\w.-]+)*$/.test(key) || key.includes('..')) throw new Error(`"${key}" is not a storage key`)
		return join(folder, key)
	}
	return {
		async put(key, content) {
			const path = place(key)
			await mkdir(dirname(path), { recursive: true })
			await writeFile(`${path}.part`, content)
			await rename(`${path}.part`, path)
		},
		get: (key) => readFile(place(key)),
	}
}
