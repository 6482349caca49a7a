import { createRest } from '../cooperative-yield.ts'

/** Rows per query, which bounds memory and the delay of other requests. */
const BATCH_SIZE = 250

/** Yields all rows of a list in batches; `next` returns the rows after `last`. */
export async function* inBatches<Row>(
	next: (last: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
	const rest = createRest()
	for (let last: Row | undefined; ;) {
		const rows = await next(last, BATCH_SIZE)
		if (rows.length > 0) yield rows
		if (rows.length < BATCH_SIZE) return
		last = rows.at(-1)
		await rest()
	}
}
