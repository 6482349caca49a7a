/** A page as the caller asks for it, counted from 1. */
export interface PageQuery {
	page: number
	limit: number
}

export function offsetOf({ page, limit }: PageQuery): number {
	return (page - 1) * limit
}

/** How many pages there are; an empty list has one, so that "Page 1 of 1" can be shown. */
export function pagesFor(total: number, limit: number): number {
	return Math.max(1, Math.ceil(total / limit))
}

/** A page of a list, and its place among all of them, read at once. */
export async function readPage<Row>({ page, limit }: PageQuery, listing: Promise<Row[]>, counting: Promise<number>) {
	const [rows, total] = await Promise.all([listing, counting])
	return { rows, page, pages: pagesFor(total, limit), total }
}
