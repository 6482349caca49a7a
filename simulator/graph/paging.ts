import type { Call } from './call.ts'
import { GraphError, invalidParam } from './errors.ts'
import type { JsonObject } from './json.ts'

const DEFAULT_LIMIT = 25
const MAX_LIMIT = 1_000

/**
 * Returns the page of a list after or before a cursor. Contains `next` and `previous` only if such a page exists, and the
 * cursors always.
 */
export function page<T extends { id: string }>(
	items: readonly T[],
	call: Call,
	show: (item: T) => JsonObject,
): JsonObject {
	const limit = limitOf(call.query.get('limit'))
	const before = indexOf(items, call.query.get('before'))
	const start = before === null ? (indexOf(items, call.query.get('after')) ?? -1) + 1 : Math.max(0, before - limit)
	const shown = items.slice(start, before ?? start + limit)
	const [first, last] = [shown[0], shown.at(-1)]
	if (!first || !last) return { data: [] }
	const cursors = { before: cursorOf(first), after: cursorOf(last) }
	const next = start + shown.length < items.length ? { next: pageUrl(call, { after: cursors.after }) } : {}
	const previous = start > 0 ? { previous: pageUrl(call, { before: cursors.before }) } : {}
	return { data: shown.map(show), paging: { cursors, ...next, ...previous } }
}

function limitOf(text: string | null): number {
	if (text === null) return DEFAULT_LIMIT
	if (!/^\d+$/.test(text) || Number(text) < 1) throw invalidParam('Param limit must be an integer greater than 0.')
	return Math.min(MAX_LIMIT, Number(text))
}

function indexOf(items: readonly { id: string }[], cursor: string | null): number | null {
	if (!cursor) return null
	const id = Buffer.from(cursor, 'base64url').toString()
	const index = items.findIndex((item) => item.id === id)
	if (index < 0) throw new GraphError(131059, { details: 'The cursor is not valid any more: start again without one.' })
	return index
}

function cursorOf({ id }: { id: string }): string {
	return Buffer.from(id).toString('base64url')
}

function pageUrl({ query, origin, path }: Call, cursor: Record<string, string>): string {
	const url = new URLSearchParams(query)
	url.delete('after')
	url.delete('before')
	for (const [name, value] of Object.entries(cursor)) url.set(name, value)
	return `${origin}${path}?${url.toString()}`
}
