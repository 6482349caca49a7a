export interface Page<T> {
	data: T[]
	next: string | null
}

/** Returns a page of at most `limit` rows. `rows` contains one row more than `limit` when another page follows. */
export function pageOf<Row, Item>(
	rows: readonly Row[],
	{
		limit,
		cursorOf,
		present,
	}: { limit: number; cursorOf: (last: Row) => number | string; present: (row: Row) => Item },
): Page<Item> {
	const last = rows.length > limit ? rows[limit - 1] : undefined
	return { data: rows.slice(0, limit).map(present), next: last === undefined ? null : String(cursorOf(last)) }
}
