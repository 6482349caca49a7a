/** A requested page, counted from 1. */
export interface PageQuery {
	page: number
	limit: number
}

export function offsetOf({ page, limit }: PageQuery): number {
	return (page - 1) * limit
}

/** Returns the number of pages; an empty list has one, for "Page 1 of 1". */
export function pagesFor(total: number, limit: number): number {
	return Math.max(1, Math.ceil(total / limit))
}

/** Awaits a page's rows and the total, and returns both with the page's position. */
export async function readPage<Row>({ page, limit }: PageQuery, listing: Promise<Row[]>, counting: Promise<number>) {
	const [rows, total] = await Promise.all([listing, counting])
	return { rows, page, pages: pagesFor(total, limit), total }
}
