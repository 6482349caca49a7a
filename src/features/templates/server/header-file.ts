import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { isProblem } from '#lib/app-error.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { fileNameOf, keyEndOf, nameInKey } from '#lib/server/files/file-name.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import { endingOf } from '#lib/server/files/mime-types.ts'
import { type Storage } from '#lib/server/storage/storage.ts'
import type { MediaPlace } from '../kinds/parts.ts'
import { cardsOf, type MediaFiles } from '../values.ts'
import { type Template, updateCardFile, updateHeaderFile } from './queries.ts'

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

/** Returns the stored file of a header, or of a card's header; null without a copy. */
export function fileAt({ headerFile, cardFiles }: MediaFiles, { card }: Pick<MediaPlace, 'card'>): string | null {
	return card === null ? headerFile : (cardFiles?.[card] ?? null)
}

/**
 * Writes the key of a stored file as that of the template's header, or of a card's. A sample of Meta's does not replace a
 * file.
 */
export async function writeHeaderFile(
	sql: Sql,
	accountId: AccountId,
	{ template, place: { card }, file, isSample = false }: WrittenFile,
): Promise<void> {
	const { id, components } = template
	if (card === null) return updateHeaderFile(sql, accountId, { id, headerFile: file, isSample })
	await updateCardFile(sql, accountId, { id, card, cards: cardsOf(components).length, file, isSample })
}

interface WrittenFile {
	template: Pick<Template, 'id' | 'components'>
	place: MediaPlace
	file: string
	isSample?: boolean
}

/** Returns a stored header file; null for no key, and for a file that the storage has lost. */
export async function loadHeaderFile(storage: Storage, key: string | null): Promise<HeaderFile | null> {
	if (!key) return null
	const content = await storage.get(key).catch((error: unknown) => {
		if (isProblem(error, 'file_not_found')) return null
		throw error
	})
	return content && readHeaderFile(content, nameInKey(key))
}
