import type { AccountId } from '#lib/server/db.ts'
import { excessOf } from '#lib/server/http/json-body.ts'
import { isRecord } from '../graph-client.ts'
import { MESSAGE_KINDS } from './delivery-reader.ts'
import type { NamedSender, NewDelivery, WebhookSender } from './queries.ts'
import { hasNow, numberName, wabaName, type SenderDirectory } from './sender-directory.ts'

interface ReceivedDelivery {
	text: string
	/** Whose address it came to; the signature is known to be valid for this sender. */
	address: WebhookSender
	/** Whether the signature is valid for another sender too. */
	isSignedFor: (sender: WebhookSender) => boolean
}

/** One change of a delivery: its position in the body, and the number or WABA that it is for. */
interface Change {
	place: string
	name: string | null
	/** How many reports on messages it brings, if it brings nothing else. */
	statusCount: number | null
	isOfMessages: boolean
}

export interface RoutedDelivery {
	deliveries: NewDelivery[]
	/** Statuses of numbers that belong to nobody here. */
	droppedCount: number
}

/** The changes that go to one account and lock alike, or are kept there for one reason. */
interface Share {
	sender: WebhookSender
	keptBecause: string | null
	places: Set<string>
}

/**
 * Splits a delivery by account. Meta knows one address per WABA, so that the address of one account also gets what concerns
 * the numbers of others: each change goes to the sender of the number it names, or, where it names none, to all of its WABA.
 * Reports also go to the accounts that had the number before, as they may be about their messages; those on numbers that
 * nobody here has or had can be about no message of ours. What concerns an account and what concerns messages is locked in
 * different orders, so the two are stored apart. What goes to one account as a whole stays the text that came.
 */
export async function routeDelivery(delivery: ReceivedDelivery, directory: SenderDirectory): Promise<RoutedDelivery> {
	const { text, address } = delivery
	// PostgreSQL's text cannot hold NUL, and JSON holds none.
	const whole = { accountId: address.accountId, body: text.replaceAll('\0', '\u{FFFD}'), keptBecause: null }
	const excess = excessOf(Buffer.from(text))
	if (excess !== null) return { deliveries: [{ ...whole, keptBecause: TOO_MUCH[excess] }], droppedCount: 0 }
	const body = parseJson(text)
	if (body === undefined) return { deliveries: [{ ...whole, keptBecause: 'not JSON' }], droppedCount: 0 }
	const changes = changesOf(body)
	if (changes.length === 0) return { deliveries: [whole], droppedCount: 0 }
	const names = new Set(changes.flatMap(({ name }) => name ?? []))
	const own = numberName(address.phoneNumberId)
	const found = await directory.findNamed([...names]).catch((error: unknown) => {
		if ([...names].some((name) => name !== own)) throw error
		return new Map<string, NamedSender[]>()
	})
	const shares = new Map<string, Share>()
	let droppedCount = 0
	for (const { place, ...change } of changes) {
		const targets = targetsOf(delivery, change, found.get(change.name ?? '') ?? [])
		if (targets.length === 0) droppedCount += change.statusCount ?? 0
		for (const { sender, keptBecause } of targets) {
			const key = `${sender.accountId} ${change.isOfMessages} ${keptBecause}`
			const share = shares.get(key) ?? { sender, keptBecause, places: new Set() }
			shares.set(key, share)
			share.places.add(place)
		}
	}
	const deliveries = Array.from(shares.values(), ({ sender, keptBecause, places }) => ({
		accountId: sender.accountId,
		body: places.size === changes.length ? whole.body : pickChanges(text, places),
		keptBecause,
	}))
	return { deliveries, droppedCount }
}

const TOO_MUCH = { depth: 'nested too deeply', size: 'too many names or values' }

/** None for reports on a number that belongs to nobody here. */
function targetsOf(
	{ address, isSignedFor }: ReceivedDelivery,
	{ name, statusCount }: Omit<Change, 'place'>,
	senders: NamedSender[],
): { sender: WebhookSender; keptBecause: string | null }[] {
	const isOwn = name === null || name === numberName(address.phoneNumberId)
	const candidates = statusCount === null ? holdersOf(name, senders) : senders
	const isAccepted = (sender: NamedSender) => sender.accountId === address.accountId || isSignedFor(sender)
	const accepted = new Map<AccountId, WebhookSender>(isOwn ? [[address.accountId, address]] : [])
	for (const sender of candidates.filter(isAccepted)) accepted.set(sender.accountId, sender)
	if (accepted.size > 0) return Array.from(accepted.values(), (sender) => ({ sender, keptBecause: null }))
	if (candidates.length === 0 && statusCount !== null) return []
	const keptBecause =
		candidates.length > 0
			? `${name}: the signature is not valid for the app secret of its account`
			: `${name}: no account has it`
	return [{ sender: address, keptBecause }]
}

/** Who gets what customers write to a number: the account that has it, else one that had it, else a deleted one. */
function holdersOf(name: string | null, senders: NamedSender[]): NamedSender[] {
	const living = senders.filter((sender) => !sender.isDeleted)
	const present = living.filter((sender) => hasNow(sender, name))
	return [present, living, senders].find((some) => some.length > 0) ?? []
}

function changesOf(body: unknown): Change[] {
	return entriesOf(body).flatMap((entry, entryIndex) =>
		changesIn(entry).map((change, index) => ({
			place: `${entryIndex}:${index}`,
			statusCount: countStatuses(change),
			isOfMessages: isRecord(change) && MESSAGE_KINDS.includes(String(change.field)),
			name: nameOf(change, isRecord(entry) ? entry.id : undefined),
		})),
	)
}

function countStatuses(change: unknown): number | null {
	const value = isRecord(change) && isRecord(change.value) ? change.value : {}
	return Array.isArray(value.statuses) && value.messages === undefined ? value.statuses.length : null
}

/** The number that a change names, else its entry's WABA; null when it names neither. */
function nameOf(change: unknown, entryId: unknown): string | null {
	const value = isRecord(change) && isRecord(change.value) ? change.value : {}
	const number = isRecord(value.metadata) ? idOf(value.metadata.phone_number_id) : null
	if (number !== null) return numberName(number)
	const waba = idOf(entryId)
	return waba === null ? null : wabaName(waba)
}

function idOf(value: unknown): string | null {
	if (typeof value !== 'string' && typeof value !== 'number') return null
	const id = String(value)
	return /^\w{1,50}$/.test(id) ? id : null
}

function entriesOf(body: unknown): unknown[] {
	return isRecord(body) && Array.isArray(body.entry) ? (body.entry as unknown[]) : []
}

function changesIn(entry: unknown): unknown[] {
	return isRecord(entry) && Array.isArray(entry.changes) ? (entry.changes as unknown[]) : []
}

/** The body with only these changes. */
function pickChanges(text: string, places: Set<string>): string {
	const body = parseExactly(text)
	const entries = entriesOf(body).map((entry, entryIndex) => ({
		...(entry as object),
		changes: changesIn(entry).filter((_, index) => places.has(`${entryIndex}:${index}`)),
	}))
	return JSON.stringify({ ...(body as object), entry: entries.filter(({ changes }) => changes.length > 0) })
}

/** Templates have ids of 17 digits as JSON numbers, which JavaScript would round: numbers too long are kept as they are. */
function parseExactly(text: string): unknown {
	const hasLongNumber = /[:,[]\s*-?\d{16}/.test(text)
	if (!hasLongNumber) return JSON.parse(text)
	const keep = (_key: string, value: unknown, context: { source?: string }) =>
		typeof value === 'number' && !Number.isSafeInteger(value) && context.source !== undefined
			? exactJson.rawJSON(context.source)
			: value
	return exactJson.parse(text, keep)
}

/** Newer than TypeScript's own description of JSON. */
const exactJson = JSON as unknown as {
	parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
	rawJSON(source: string): unknown
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
