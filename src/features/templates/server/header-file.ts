import { randomUUID } from 'node:crypto'
import type { OwnerId } from '#lib/server/db.ts'
import { typeByContent } from '#lib/server/file-type.ts'
import type { Storage } from '#lib/server/storage.ts'
import { isMediaHeader, type MediaHeader } from '../limits.ts'
import type { Template } from './queries.ts'

/** A header's file with what it really is, told by its content. */
export interface HeaderFile {
	content: Buffer
	filename: string
	type: string
}

/** The extension that a file is stored with: its type is read from it when it is sent. */
const EXTENSIONS: Record<string, string> = {
	'image/jpeg': '.jpg',
	'image/png': '.png',
	'video/mp4': '.mp4',
	'video/3gpp': '.3gp',
	'application/pdf': '.pdf',
}
const MAX_STEM_LENGTH = 60

export function readHeaderFile(content: Buffer, filename: string): HeaderFile {
	const type = typeByContent(content)
	// Customers see the name of a document; as a key of the storage it holds letters of ASCII, digits, - and _ alone.
	const stem = filename
		.replace(/\.[^.]*$/, '')
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/[^\w-]+/g, '-')
		.replace(/^-+|-+$/g, '')
		.slice(0, MAX_STEM_LENGTH)
	return { content, type, filename: `${stem || 'header'}${EXTENSIONS[type] ?? ''}` }
}

/** Returns the key it is stored under, of which the last part is its name. */
export async function storeHeaderFile(storage: Storage, owner: OwnerId, file: HeaderFile): Promise<string> {
	const key = `${owner}/headers/${randomUUID()}/${file.filename}`
	await storage.put(key, file.content)
	return key
}

/** The file of a template of ours; null where it has none, or the storage has lost it. */
export async function loadHeaderFile(storage: Storage, { headerFile }: Template): Promise<HeaderFile | null> {
	if (!headerFile) return null
	const content = await storage.get(headerFile).catch(() => null)
	return content && readHeaderFile(content, headerFile.split('/').at(-1) ?? '')
}

/** Which kind of file a template's header is; null for a header of text, or none. */
export function mediaHeaderOf({ components }: Pick<Template, 'components'>): MediaHeader | null {
	const format = components.find(({ type }) => type.toUpperCase() === 'HEADER')?.format?.toUpperCase() ?? ''
	return isMediaHeader(format) ? format : null
}

/** Whether it cannot be sent for want of our own copy of its header's file. */
export function needsHeaderFile(template: Pick<Template, 'components' | 'headerFile'>): boolean {
	return mediaHeaderOf(template) !== null && !template.headerFile
}
