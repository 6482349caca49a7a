import { createRest } from '../cooperative-yield.ts'

/** Rows read at a time: a file of any length passes through little memory, and delays no other request. */
const BATCH_SIZE = 250

/** All rows of a list, for a file, some at a time: `next` gives those after the last one so far. */
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
