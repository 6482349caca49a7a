import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { isProblem } from '#lib/app-error.ts'
import type { AccountId } from '#lib/server/db.ts'
import { fileNameOf, keyEndOf, nameInKey } from '#lib/server/files/file-name.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import { endingOf } from '#lib/server/files/mime-types.ts'
import { type Storage } from '#lib/server/storage/storage.ts'
import type { Template } from './queries.ts'

/** Header file. `type` is detected from the content, and the extension of `filename` matches it. */
export interface HeaderFile {
	content: Buffer
	filename: string
	type: string
}

export function readHeaderFile(content: Buffer, filename: string): HeaderFile {
	const type = typeByContent(content)
	const name = fileNameOf(filename)
	const stem = name.slice(0, name.length - extname(name).length)
	return { content, type, filename: `${stem || 'header'}${endingOf(type)}` }
}

/**
 * Stores a header file and returns its key. The key contains the file name, because customers see the name of a
 * document.
 */
export async function storeHeaderFile(storage: Storage, accountId: AccountId, file: HeaderFile): Promise<string> {
	const key = `${accountId}/headers/${keyEndOf(randomUUID(), file.filename, extname(file.filename))}`
	await storage.put(key, file.content)
	return key
}

/** Returns the header file of a template; null when it has none or the storage has lost it. */
export async function loadHeaderFile(storage: Storage, { headerFile }: Template): Promise<HeaderFile | null> {
	if (!headerFile) return null
	const content = await storage.get(headerFile).catch((error: unknown) => {
		if (isProblem(error, 'file_not_found')) return null
		throw error
	})
	return content && readHeaderFile(content, nameInKey(headerFile))
}
