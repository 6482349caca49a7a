import type { PageQuery } from '#lib/server/paging.ts'

export interface Page<T> {
	data: T[]
	next: string | null
}

interface Wanted {
	cursor?: string | undefined
	limit: number
}

/** A page of which one row more than asked for was read, to know whether another page follows. */
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

/** Of lists that are short, or whose newest rows come last: the cursor is the number of the page. */
export async function numberedPage<Row>(
	{ cursor, limit }: Wanted,
	list: (page: PageQuery) => Promise<Row[]>,
): Promise<Page<Row>> {
	const page = Number(cursor ?? 1)
	const data = await list({ page, limit })
	return { data, next: data.length < limit ? null : String(page + 1) }
}
