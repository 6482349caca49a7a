import type { Columns } from '../columns.ts'

/** What the columns are called on screen: "City", or "Column 3: Pune" where nothing names them. */
export function columnNames(header: readonly string[], { hasHeader }: Columns): string[] {
	return header.map((name, index) =>
		hasHeader && name ? name : `Column ${index + 1}${name ? `: ${name.slice(0, 40)}` : ''}`,
	)
}
