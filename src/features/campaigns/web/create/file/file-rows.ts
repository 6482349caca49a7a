import type { Columns } from '#features/contacts/columns.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import type { FileAnalysis } from './use-audience-file.ts'

/** What the first recipient of a file has for the merge tags; undefined where none of the rows shown is one. */
export function firstRecipient({
	header,
	columns,
	tags,
	preview,
}: FileRows): Record<string, string | null> | undefined {
	const cells = preview.find(({ reason }) => reason === null)?.cells
	if (!cells) return undefined
	return Object.fromEntries(tags.map((tag) => [tag, cells[placeOf(tag, header, columns)]?.trim() || null] as const))
}

type FileRows = Pick<FileAnalysis, 'header' | 'columns' | 'tags' | 'preview'>

/** The column of a merge tag; -1 for none. */
function placeOf(tag: string, header: readonly string[], columns: Columns): number {
	const standard = CONTACT_TAGS.find((known) => known === tag)
	const chosen = standard && columns[standard]
	if (typeof chosen === 'number') return chosen
	return columns.hasHeader ? header.indexOf(tag) : Number(/^column(\d+)$/.exec(tag)?.[1] ?? 0) - 1
}
