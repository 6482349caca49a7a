import type { Recipient } from '#features/audiences/recipient-values.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { textAt } from '#features/contacts/people-file.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import { canonicalNumber } from '#lib/phone.ts'
import type { FileAnalysis } from './use-audience-file.ts'

type FileRows = Pick<FileAnalysis, 'header' | 'columns' | 'tags' | 'preview'>

/** What the first recipients of a file have for the merge tags as typed, as far as they are among the rows shown. */
export function recipientsIn({ header, columns, tags, preview }: FileRows): Recipient[] {
	return preview
		.filter(({ reason }) => reason === null)
		.map(({ cells }) => Object.fromEntries(tags.map((tag) => [tag, valueOf(tag, cells)] as const)))

	function valueOf(tag: string, cells: readonly string[]): string | null {
		const typed = textAt(cells, placeOf(tag, header, columns)) || null
		const number = tag === 'number' && typed !== null ? canonicalNumber(typed) : null
		return number === null ? typed : `+${number}`
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
