import type { Recipient } from '#features/audiences/recipient-values.ts'
import { textAt } from '#features/contacts/cell-texts.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import type { FileAnalysis } from './use-audience-file.ts'

type FileRows = Pick<FileAnalysis, 'header' | 'columns' | 'tags' | 'preview'>

/** What the first recipients of a file have for the merge tags as typed, as far as they are among the rows shown. */
export function recipientsIn({ header, columns, tags, preview }: FileRows): Recipient[] {
	return preview
		.filter(({ reason }) => reason === null)
		.map((row) => Object.fromEntries(tags.map((tag) => [tag, valueOf(tag, row)] as const)))

	function valueOf(tag: string, { cells, number }: FileRows['preview'][number]): string | null {
		if (tag === 'number' && number !== null) return `+${number}`
		return textAt(cells, placeOf(tag, header, columns)) || null
	}
}

/** One merge tag for each column: its name; of a file without names, what the column was chosen as, or its number. */
export function columnTags({ header, columns, tags }: Omit<FileRows, 'preview'>): string[] {
	const lastWins = columns.hasHeader ? tags : tags.toReversed()
	const byPlace = new Map(lastWins.map((tag) => [placeOf(tag, header, columns), tag] as const))
	return [...byPlace].toSorted(([a], [b]) => a - b).map(([, tag]) => tag)
}

/** The column of a merge tag; -1 for none. */
function placeOf(tag: string, header: readonly string[], columns: Columns): number {
	const standard = CONTACT_TAGS.find((known) => known === tag)
	const chosen = standard && columns[standard]
	if (typeof chosen === 'number') return chosen
	return columns.hasHeader ? header.indexOf(tag) : Number(/^column(\d+)$/.exec(tag)?.[1] ?? 0) - 1
}
