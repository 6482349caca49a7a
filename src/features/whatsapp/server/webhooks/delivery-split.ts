import { parseExactly } from '#lib/server/http/body/exact-json.ts'
import { isRecord } from '../graph-client.ts'
import { fieldOf, itemsOf, MESSAGE_KINDS } from './delivery-reader.ts'

/** Maximum units of a batch: 8,000 status updates, more than a batch of one megabyte has, 4,000 messages, or 100 joined people. */
export const MAX_UNITS = 8000
const UNITS_OF_STATUS = 1
/** Units of a message, an echo, a message of the history, and a contact of the phone app. */
const UNITS_OF_ITEM = 2
/** Units of a note about a changed number or user id, and of a shared number: each joins chats, contacts and opt-outs. */
const UNITS_OF_JOIN = 80

/** Lists of a record whose items are processed: the lists within the items, or the units of an item that is processed whole. */
type Lists = { readonly [name: string]: Lists | number }

/** Lists of a change's value, without its statuses, which are a kind of their own. */
const LISTS_OF_MESSAGES: Lists = {
	messages: UNITS_OF_ITEM,
	message_echoes: UNITS_OF_ITEM,
	state_sync: UNITS_OF_ITEM,
	history: { threads: { messages: UNITS_OF_ITEM } },
}
/** Lists of a change's value. */
const LISTS_OF_CHANGE: Lists = { statuses: UNITS_OF_STATUS, ...LISTS_OF_MESSAGES }

/** Returns the units of a webhook by its values of each kind. Kinds of accounts and templates have none. */
export function unitsOf(kinds: ReadonlyMap<string, readonly unknown[]>): number {
	let units = (kinds.get('statuses')?.length ?? 0) * UNITS_OF_STATUS
	for (const [kind, values] of kinds)
		if (kind !== 'statuses' && MESSAGE_KINDS.includes(kind))
			for (const value of values) units += unitsIn(value, LISTS_OF_MESSAGES)
	return units
}

function unitsIn(record: unknown, lists: Lists): number {
	let units = 0
	for (const [name, inner] of Object.entries(lists))
		for (const item of itemsOf(record, name))
			units += typeof inner === 'number' ? unitsOfItem(item, inner) : unitsIn(item, inner)
	return units
}

function unitsOfItem(item: unknown, units: number): number {
	if (!isRecord(item)) return units
	const [card] = Array.isArray(item.contacts) ? (item.contacts as unknown[]) : []
	const isShared = isRecord(card) && card.origin === 'contact_request'
	return item.type === 'system' || isShared ? UNITS_OF_JOIN : units
}

/**
 * Splits the body of a webhook: `first` has its first items, up to `MAX_UNITS`, and `rest` all others in their order, or
 * null without any. Changes of other kinds go to the rest, with which the webhook ends or becomes a dead letter.
 */
export function splitDelivery(body: string): { first: string; rest: string | null } {
	const budget = { left: MAX_UNITS }
	const { first, rest } = cutRecord(parseExactly(body), {
		lists: { entry: {} },
		cutItem: (entry) =>
			cutRecord(entry, { lists: { changes: {} }, cutItem: (change) => cutChange(change, budget), budget }),
		budget,
	})
	// A rest that is as long as the body would be split for ever.
	if (first === null || rest === null) return { first: body, rest: null }
	return { first: JSON.stringify(first), rest: JSON.stringify(rest) }
}

interface Budget {
	left: number
}

/** The parts of a record or an item; null for a part without anything. */
interface Cut {
	first: unknown
	rest: unknown
}

function cutChange(change: unknown, budget: Budget): Cut {
	if (!isRecord(change) || !MESSAGE_KINDS.includes(fieldOf(change))) return { first: null, rest: change }
	const { first, rest } = cutValue(change.value, { lists: LISTS_OF_CHANGE, budget })
	const withValue = (value: unknown) => (value === null ? null : { ...change, value })
	return { first: withValue(first), rest: withValue(rest) }
}

function cutValue(value: unknown, { lists, budget }: { lists: Lists; budget: Budget }): Cut {
	return cutRecord(value, {
		lists,
		cutItem(item, inner) {
			if (typeof inner !== 'number') return cutValue(item, { lists: inner, budget })
			if (budget.left <= 0) return { first: null, rest: item }
			budget.left -= unitsOfItem(item, inner)
			return { first: item, rest: null }
		},
		budget,
	})
}

interface Cutting {
	lists: Lists
	cutItem: (item: unknown, inner: Lists | number) => Cut
	budget: Budget
}

/** Cuts the lists of a record. Both parts keep its other fields; a record without these lists is not cut. */
function cutRecord(record: unknown, { lists, cutItem, budget }: Cutting): Cut {
	const found = Object.entries(lists).filter(([name]) => isRecord(record) && Array.isArray(record[name]))
	if (!isRecord(record) || found.length === 0)
		return budget.left > 0 ? { first: record, rest: null } : { first: null, rest: record }
	const [first, rest]: [Record<string, unknown>, Record<string, unknown>] = [{ ...record }, { ...record }]
	for (const [name, inner] of found) {
		const cuts = itemsOf(record, name).map((item) => cutItem(item, inner))
		first[name] = cuts.flatMap((cut) => (cut.first === null ? [] : [cut.first]))
		rest[name] = cuts.flatMap((cut) => (cut.rest === null ? [] : [cut.rest]))
	}
	const hasItems = (part: Record<string, unknown>) => found.some(([name]) => itemsOf(part, name).length > 0)
	return { first: hasItems(first) ? first : null, rest: hasItems(rest) ? rest : null }
}
