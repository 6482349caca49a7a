import type { Columns } from '../columns.ts'

/** Returns the names of the columns for the screen: "City", or "Column 3: Pune" without a header. */
export function columnNames(header: readonly string[], { hasHeader }: Columns): string[] {
	return header.map((name, index) =>
		hasHeader && name ? name : `Column ${index + 1}${name ? `: ${name.slice(0, 40)}` : ''}`,
	)
}
