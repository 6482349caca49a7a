import type { Format } from '#features/audiences/contract.ts'
import { kindOf, usualFormat, type ColumnKind } from '#features/audiences/values.ts'
import { textAt } from '#features/contacts/rules.ts'
import type { AudienceFile, FileRow } from './recipient-file.ts'

/** Facts about the columns of a file, by merge tag. */
export interface ColumnFacts {
	/** Number of recipients without a value, of those who get a message; tags without gaps are left out. */
	gaps: Record<string, number>
	/** Kind and format of columns with numbers or dates. */
	formats: Record<string, { kind: ColumnKind; format: Format }>
}

/** Number of rows that decide whether a column holds numbers or dates. */
const SAMPLED_ROWS = 1000

export function createColumnCounter({ places, columns, isWorkbook }: AudienceFile) {
	const gaps = new Map<string, number>()
	const samples = new Map([...places.keys()].map((tag) => [tag, [] as string[]]))
	let rowsLeft = SAMPLED_ROWS
	return {
		/** Adds a row. `isAddressed` is true for one that gets a message. */
		add({ cells, recipient }: FileRow, { isAddressed }: { isAddressed: boolean }): void {
			if (!recipient) return
			rowsLeft--
			for (const [tag, at] of places) {
				const value = textAt(cells, at)
				if (value === '' && isAddressed) gaps.set(tag, (gaps.get(tag) ?? 0) + 1)
				else if (value !== '' && rowsLeft >= 0 && at !== columns.number) samples.get(tag)?.push(value)
			}
		},
		facts(): ColumnFacts {
			const typed = [...samples].flatMap(([tag, values]) => {
				const kind = kindOf(values)
				// In a text file the values are already written as they should be read.
				return kind ? [[tag, { kind, format: isWorkbook ? usualFormat(kind, tag, values) : 'typed' }] as const] : []
			})
			return { gaps: Object.fromEntries(gaps), formats: Object.fromEntries(typed) }
		},
	}
}
