import { nameValue, type Recipient } from '#features/audiences/values.ts'
import { type Columns } from '#features/contacts/columns.ts'
import { textAt } from '#features/contacts/rules.ts'
import { CONTACT_TAGS } from '#features/templates/values.ts'
import type { FileAnalysis } from './use-audience-file.ts'

type FileRows = Pick<FileAnalysis, 'header' | 'columns' | 'tags' | 'preview'>

/**
 * Returns the recipients among the rows of the preview, each with its values of the merge tags as typed. Recipients with
 * unlikely numbers come last.
 */
export function recipientsIn({ header, columns, tags, preview }: FileRows): Recipient[] {
	return preview
		.filter(({ reason }) => reason === null)
		.toSorted((a, b) => Number(a.doubt !== null) - Number(b.doubt !== null))
		.map((row) => Object.fromEntries(tags.map((tag) => [tag, valueOf(tag, row)] as const)))

	function valueOf(tag: string, { cells, number }: FileRows['preview'][number]): string | null {
		if (tag === 'number' && number !== null) return `+${number}`
		const place = placeOf(tag, header, columns)
		const value = textAt(cells, place) || null
		if (number === null || (place !== columns.firstName && place !== columns.lastName)) return value
		const whole = `${textAt(cells, columns.firstName)}${textAt(cells, columns.lastName)}`
		return nameValue(value, { whole, number })
	}
}

/** Returns one merge tag for each column: its name; in a file without names, the field it was chosen as, or its number. */
export function columnTags({ header, columns, tags }: Omit<FileRows, 'preview'>): string[] {
	const lastWins = columns.hasHeader ? tags : tags.toReversed()
	const byPlace = new Map(lastWins.map((tag) => [placeOf(tag, header, columns), tag] as const))
	return [...byPlace].toSorted(([a], [b]) => a - b).map(([, tag]) => tag)
}

/** Returns the place of a merge tag's column; -1 for none. */
function placeOf(tag: string, header: readonly string[], columns: Columns): number {
	const standard = CONTACT_TAGS.find((known) => known === tag)
	const chosen = standard && columns[standard]
	if (typeof chosen === 'number') return chosen
	return columns.hasHeader ? header.indexOf(tag) : Number(/^column(\d+)$/.exec(tag)?.[1] ?? 0) - 1
}
