import type { Call } from './call.ts'
import { GraphError, invalidParam } from './errors.ts'
import type { JsonObject } from './json.ts'

const DEFAULT_LIMIT = 25
const MAX_LIMIT = 1_000

/** One page of a list. `next` is set only when another page follows, the cursors on the last page too. */
export function page<T extends { id: string }>(
	items: readonly T[],
	call: Call,
	show: (item: T) => JsonObject,
): JsonObject {
	const limit = limitOf(call.query.get('limit'))
	const start = startOf(items, call.query.get('after'))
	const shown = items.slice(start, start + limit)
	const [first, last] = [shown[0], shown.at(-1)]
	if (!first || !last) return { data: [] }
	const cursors = { before: cursorOf(first), after: cursorOf(last) }
	const paging = start + limit < items.length ? { cursors, next: nextUrl(call, cursors.after) } : { cursors }
	return { data: shown.map(show), paging }
}

function limitOf(text: string | null): number {
	if (text === null) return DEFAULT_LIMIT
	if (!/^\d+$/.test(text) || Number(text) < 1) throw invalidParam('Param limit must be an integer greater than 0.')
	return Math.min(MAX_LIMIT, Number(text))
}

function startOf(items: readonly { id: string }[], after: string | null): number {
	if (!after) return 0
	const id = Buffer.from(after, 'base64url').toString()
	const index = items.findIndex((item) => item.id === id)
	if (index < 0) throw new GraphError(131059, { details: 'The cursor is not valid any more: start again without one.' })
	return index + 1
}

function cursorOf({ id }: { id: string }): string {
	return Buffer.from(id).toString('base64url')
}

function nextUrl({ query, origin, path }: Call, after: string): string {
	const next = new URLSearchParams(query)
	next.set('after', after)
	return `${origin}${path}?${next.toString()}`
}
