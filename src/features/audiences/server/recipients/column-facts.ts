import { kindOf, usualFormat, type ColumnKind, type Format } from '#features/audiences/recipient-values.ts'
import { textAt } from '#features/contacts/cell-texts.ts'
import type { AudienceFile, FileRow } from './recipient-file.ts'

/** What is in the columns of a file, by merge tag. */
export interface ColumnFacts {
	/** How many recipients have nothing in it, where some have not. */
	gaps: Record<string, number>
	/** Of the columns of numbers and dates. */
	formats: Record<string, { kind: ColumnKind; format: Format }>
}

/** So many rows tell whether a column holds numbers or dates. */
const SAMPLED_ROWS = 1000

export function createColumnCounter({ places, columns, isWorkbook }: AudienceFile) {
	const gaps = new Map<string, number>()
	const samples = new Map([...places.keys()].map((tag) => [tag, [] as string[]]))
	let rowsLeft = SAMPLED_ROWS
	return {
		add({ cells, recipient }: FileRow): void {
			if (!recipient) return
			rowsLeft--
			for (const [tag, at] of places) {
				const value = textAt(cells, at)
				if (value === '') gaps.set(tag, (gaps.get(tag) ?? 0) + 1)
				else if (rowsLeft >= 0 && at !== columns.number) samples.get(tag)?.push(value)
			}
		},
		facts(): ColumnFacts {
			const typed = [...samples].flatMap(([tag, values]) => {
				const kind = kindOf(values)
				// Whoever wrote a text file has written its values as they are to be read.
				return kind ? [[tag, { kind, format: isWorkbook ? usualFormat(kind, tag, values) : 'typed' }] as const] : []
			})
			return { gaps: Object.fromEntries(gaps), formats: Object.fromEntries(typed) }
		},
	}
}
