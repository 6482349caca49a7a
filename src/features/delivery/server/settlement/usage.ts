import { STATUS_ORDER, type MessageStatus } from '#features/delivery/rules.ts'
import { HOME_MARKET, marketOf } from '#features/pricing/markets.ts'
import { DAY_MS } from '#lib/durations.ts'
import { ERASED_PREFIX } from '#lib/phone/phone.ts'
import { wordOf, type ReportedPricing } from '../message/status-update.ts'

/** Market of a recipient who was erased before the message arrived. */
export const UNKNOWN_MARKET = 'unknown'

/** Pricing of one message, as its row stores it. */
export interface Usage extends ReportedPricing {
	market: string
	/** Status of the update that had the pricing; `estimate` when none had one. */
	source: 'estimate' | 'sent' | 'delivered' | 'read'
}

/** Change of the messages of a day with one market, category and type. */
export interface UsageChange extends ReportedPricing {
	/** Day of the arrival in India, as 2026-10-01. */
	day: string
	market: string
	isEstimate: boolean
	messages: number
}

/** Words that a row stores as one letter, because most rows contain them. */
const SOURCES = { e: 'estimate', s: 'sent', d: 'delivered', r: 'read' } as const
const CATEGORIES = { m: 'marketing', u: 'utility', a: 'authentication', s: 'service' } as const
const TYPES = { r: 'regular', c: 'free_customer_service', e: 'free_entry_point' } as const

const SOURCE_LETTERS = lettersOf(SOURCES)
const CATEGORY_LETTERS = lettersOf(CATEGORIES)
const TYPE_LETTERS = lettersOf(TYPES)

/**
 * Writes a usage as text: `dmr` is marketing, regular, named by the delivered status, in India. Other markets follow as in
 * `dmr/AE`; other categories and types are written out, as in `d/group_marketing/regular/AE`.
 */
export function usageText({ source, category, type, market }: Usage): string {
	const letters = [CATEGORY_LETTERS.get(category), TYPE_LETTERS.get(type)]
	const words = letters.includes(undefined) ? `/${category}/${type}` : letters.join('')
	return `${SOURCE_LETTERS.get(source)}${words}${market === HOME_MARKET ? '' : `/${market}`}`
}

const TEXT = /^([esdr])(?:([muas])([rce])|\/([\w-]+)\/([\w-]+))(?:\/([\w-]+))?$/

/** Reads a text of `usageText`. Throws on any other text. */
export function readUsage(text: string): Usage {
	const [, source, letter, typeLetter, category, type, market = HOME_MARKET] = TEXT.exec(text) ?? []
	if (source === undefined) throw new Error(`"${text}" is no usage`)
	return {
		source: SOURCES[source as keyof typeof SOURCES],
		category: category ?? CATEGORIES[letter as keyof typeof CATEGORIES],
		type: type ?? TYPES[typeLetter as keyof typeof TYPES],
		market,
	}
}

/** The part of a message's state that its usage depends on. */
export interface UsageState {
	/** Text of `usageText`; null while no pricing is known. */
	usage: string | null
	/** Null before the arrival. */
	arrivedAt: Date | null
}

/** Facts of a message that an update does not change. */
export interface UsageFacts {
	/** The recipient's number or business-scoped user id, or at least its first 7 characters. */
	recipient: string
	/** Category of the estimate for a message without pricing. */
	category: string
}

/**
 * Returns a message's usage after a status update. The pricing of the highest status counts; of two updates with the same
 * status, that of the later one. A message that arrives without pricing is estimated as regular in its own category.
 * `isArriving` is true for the update by which the message arrives.
 *
 * The pricing of a sent status changes nothing when it equals the estimate. Storing it would cost every message one more
 * write (25 of 320 µs), and the delivered status usually repeats it. If that status has no pricing, the usage is an estimate.
 */
export function nextUsage(
	known: string | null,
	update: { status: MessageStatus; pricing?: ReportedPricing | null },
	{ recipient, category, isArriving }: UsageFacts & { isArriving: boolean },
): string | null {
	const { status, pricing = null } = update
	// A template without a category costs as utility.
	const estimate = { type: 'regular', category: wordOf(category) || 'utility', source: 'estimate' } as const
	const isNamed = pricing !== null && status !== 'failed' && status !== 'pending'
	const isAsEstimated = pricing?.type === estimate.type && pricing.category === estimate.category
	const named = isNamed && !(status === 'sent' && isAsEstimated) ? { ...pricing, source: status } : null
	const found = named ?? (known === null && isArriving ? estimate : null)
	if (!found) return known
	if (known === null) return usageText({ ...found, market: marketOfRecipient(recipient) })
	const { market, source } = readUsage(known)
	return rankOf(found.source) < rankOf(source) ? known : usageText({ ...found, market })
}

function rankOf(source: Usage['source']): number {
	return source === 'estimate' ? -1 : STATUS_ORDER.indexOf(source)
}

function marketOfRecipient(recipient: string): string {
	return recipient.startsWith(ERASED_PREFIX) ? UNKNOWN_MARKET : marketOf(recipient)
}

/** Returns the change of each day's messages between two states of messages, ordered by key. */
export function usageChanges(steps: Iterable<{ was: UsageState; now: UsageState }>): UsageChange[] {
	// Counts by day and text, so that each text is parsed once per batch.
	const counts = new Map<string, number>()
	const add = ({ usage, arrivedAt }: UsageState, messages: number): void => {
		// Messages that have not arrived, or that arrived before the product read pricing, do not count.
		if (usage === null || arrivedAt === null) return
		const key = `${Math.floor((arrivedAt.getTime() + INDIAN_OFFSET_MS) / DAY_MS)} ${usage}`
		counts.set(key, (counts.get(key) ?? 0) + messages)
	}
	for (const { was, now } of steps) {
		if (was.usage === now.usage && was.arrivedAt?.getTime() === now.arrivedAt?.getTime()) continue
		add(was, -1)
		add(now, 1)
	}
	return mergeUsage(Array.from(counts, ([key, messages]) => ({ ...dayAndWords(key), messages })))
}

function dayAndWords(key: string): Omit<UsageChange, 'messages'> {
	const [days = '', text = ''] = key.split(' ')
	const { source, ...words } = readUsage(text)
	const day = new Date(Number(days) * DAY_MS).toISOString().slice(0, 10)
	return { ...words, day, isEstimate: source === 'estimate' }
}

/** Adds up changes of the same day, market, category and type, and orders them by key. */
export function mergeUsage(changes: readonly UsageChange[]): UsageChange[] {
	const rows = new Map<string, UsageChange>()
	for (const change of changes) {
		const key = [change.day, change.market, change.category, change.type, change.isEstimate].join(' ')
		const known = rows.get(key)
		rows.set(key, known ? { ...known, messages: known.messages + change.messages } : change)
	}
	const changed = [...rows].filter(([, { messages }]) => messages !== 0)
	return changed.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
}

/** India is 5 hours and 30 minutes ahead of UTC, all year. */
const INDIAN_OFFSET_MS = 19_800_000

function lettersOf(words: Record<string, string>): ReadonlyMap<string, string> {
	return new Map(Object.entries(words).map(([letter, word]) => [word, letter]))
}
