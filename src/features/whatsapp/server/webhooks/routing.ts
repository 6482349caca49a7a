import type { AccountId } from '#lib/server/db.ts'
import { parseExactly } from '#lib/server/http/body/exact-json.ts'
import { excessOf } from '#lib/server/http/body/json-body.ts'
import { parseJson } from '#lib/text/parse-json.ts'
import { isRecord } from '../graph-client.ts'
import { fieldOf, itemsOf, MESSAGE_KINDS } from './delivery-reader.ts'
import type { NamedSender, NewDelivery, WebhookSender } from './queries.ts'
import { hasNow, numberName, wabaName, type SenderDirectory } from './sender-directory.ts'

interface ReceivedDelivery {
	text: string
	/** Sender of the address that was called, for whom the signature is valid; null for the address of the app. */
	address: WebhookSender | null
	/** Returns true when the signature is also valid for another sender. */
	isSignedFor: (sender: WebhookSender) => boolean
}

/** One change of a webhook: its position in the body, and the number or WABA that it concerns. */
interface Change {
	place: string
	name: string | null
	/** Number of statuses when the change has nothing else; null otherwise. */
	statusCount: number | null
	isOfMessages: boolean
}

export interface RoutedDelivery {
	deliveries: NewDelivery[]
	/** Number of statuses for numbers of no account here. */
	droppedCount: number
	/** Number of changes at the address of the app that no account here may get, and the numbers and WABAs they name. */
	strays: { count: number; names: string[] }
}

/** Changes for one account with the same lock order, or with the same dead-letter reason. */
interface Share {
	sender: WebhookSender
	deadLetterReason: string | null
	places: Set<string>
}

/**
 * Splits a webhook by account. Meta knows one address per WABA, so an account's address also receives changes for
 * numbers of other accounts. Each change goes to the sender of its number or, without a number, to all senders of its
 * WABA. Statuses also go to accounts that had the number before, because the messages may be theirs; statuses for
 * unknown numbers are dropped. Changes of messages and changes of accounts lock in different orders and are stored
 * separately. A webhook for one account only is stored as received. The address of the app has no account: there, changes that
 * no account may get are only counted.
 */
export async function routeDelivery(delivery: ReceivedDelivery, directory: SenderDirectory): Promise<RoutedDelivery> {
	const { text, address } = delivery
	// PostgreSQL's text cannot contain NUL; valid JSON never does.
	const storable = text.replaceAll('\0', '\u{FFFD}')
	const excess = excessOf(Buffer.from(text))
	if (excess !== null) return unrouted(address, { body: storable, deadLetterReason: TOO_MUCH[excess] })
	const body = parseJson(text)
	if (body === undefined) return unrouted(address, { body: storable, deadLetterReason: 'not JSON' })
	const changes = changesOf(body)
	if (changes.length === 0) return unrouted(address, { body: storable, deadLetterReason: null })
	const names = new Set(changes.flatMap(({ name }) => name ?? []))
	const own = address && numberName(address.phoneNumberId)
	const found = await directory.findNamed([...names]).catch((error: unknown) => {
		if ([...names].some((name) => name !== own)) throw error
		return new Map<string, NamedSender[]>()
	})
	const shares = new Map<string, Share>()
	const strays = { count: 0, names: [] as string[] }
	let droppedCount = 0
	for (const { place, ...change } of changes) {
		const targets = targetsOf(delivery, change, found.get(change.name ?? '') ?? [])
		if (targets.length === 0 && address) droppedCount += change.statusCount ?? 0
		if (targets.length === 0 && !address) {
			strays.count++
			strays.names.push(change.name ?? 'neither number nor WABA')
		}
		for (const { sender, deadLetterReason } of targets) {
			const key = `${sender.accountId} ${change.isOfMessages} ${deadLetterReason}`
			const share = shares.get(key) ?? { sender, deadLetterReason, places: new Set() }
			shares.set(key, share)
			share.places.add(place)
		}
	}
	const deliveries = Array.from(shares.values(), ({ sender, deadLetterReason, places }) => ({
		accountId: sender.accountId,
		body: places.size === changes.length ? storable : pickChanges(text, places),
		deadLetterReason,
	}))
	return { deliveries, droppedCount, strays }
}

/**
 * Returns a webhook without readable changes as a webhook of the address's account. At the address of the app, it counts as a
 * stray.
 */
function unrouted(address: WebhookSender | null, delivery: Omit<NewDelivery, 'accountId'>): RoutedDelivery {
	if (address === null)
		return { deliveries: [], droppedCount: 0, strays: { count: 1, names: [delivery.deadLetterReason ?? 'no changes'] } }
	const { accountId } = address
	return { deliveries: [{ accountId, ...delivery }], droppedCount: 0, strays: { count: 0, names: [] } }
}

const TOO_MUCH = { depth: 'nested too deeply', size: 'too many names or values' }

/**
 * Returns the senders that get a change, with a dead-letter reason where one applies. Empty for statuses of unknown
 * numbers, and at the address of the app for every change that no account may get.
 */
function targetsOf(
	{ address, isSignedFor }: ReceivedDelivery,
	{ name, statusCount }: Omit<Change, 'place'>,
	senders: NamedSender[],
): { sender: WebhookSender; deadLetterReason: string | null }[] {
	const candidates = statusCount === null ? holdersOf(name, senders) : senders
	const isAccepted = (sender: NamedSender) => sender.accountId === address?.accountId || isSignedFor(sender)
	const isOwn = address && (name === null || name === numberName(address.phoneNumberId))
	const accepted = new Map<AccountId, WebhookSender>(isOwn ? [[address.accountId, address]] : [])
	for (const sender of candidates.filter(isAccepted)) accepted.set(sender.accountId, sender)
	if (accepted.size > 0) return Array.from(accepted.values(), (sender) => ({ sender, deadLetterReason: null }))
	if (!address || (candidates.length === 0 && statusCount !== null)) return []
	const deadLetterReason =
		candidates.length > 0
			? `${name}: the signature is not valid for the app secret of its account`
			: `${name}: no account has it`
	return [{ sender: address, deadLetterReason }]
}

/**
 * Returns the senders that receive a customer's messages to a number: the number's present sender, else its former senders,
 * else its deleted senders.
 */
function holdersOf(name: string | null, senders: NamedSender[]): NamedSender[] {
	const living = senders.filter((sender) => !sender.isDeleted)
	const present = living.filter((sender) => hasNow(sender, name))
	return [present, living, senders].find((some) => some.length > 0) ?? []
}

function changesOf(body: unknown): Change[] {
	return itemsOf(body, 'entry').flatMap((entry, entryIndex) =>
		itemsOf(entry, 'changes').map((change, index) => ({
			place: `${entryIndex}:${index}`,
			statusCount: countStatuses(change),
			isOfMessages: isRecord(change) && MESSAGE_KINDS.includes(fieldOf(change)),
			name: nameOf(change, isRecord(entry) ? entry.id : undefined),
		})),
	)
}

function countStatuses(change: unknown): number | null {
	const value = isRecord(change) && isRecord(change.value) ? change.value : {}
	return Array.isArray(value.statuses) && value.messages === undefined ? value.statuses.length : null
}

/**
 * Returns the name of the change's number, else of its WABA; null when it has neither. The WABA is the entry's id, except in
 * events of partners and of marketing messages, whose entries name the portfolio.
 */
function nameOf(change: unknown, entryId: unknown): string | null {
	const value = isRecord(change) && isRecord(change.value) ? change.value : {}
	const number = isRecord(value.metadata) ? idOf(value.metadata.phone_number_id) : null
	if (number !== null) return numberName(number)
	const isOfPortfolio = /^(?:PARTNER|MM_LITE)_/.test(String(value.event))
	const named = isOfPortfolio && isRecord(value.waba_info) ? idOf(value.waba_info.waba_id) : null
	const waba = named ?? idOf(entryId)
	return waba === null ? null : wabaName(waba)
}

function idOf(value: unknown): string | null {
	if (typeof value !== 'string' && typeof value !== 'number') return null
	const id = String(value)
	return /^\w{1,50}$/.test(id) ? id : null
}

/** Returns the body with only these changes. */
function pickChanges(text: string, places: Set<string>): string {
	const body = parseExactly(text)
	const entries = itemsOf(body, 'entry').map((entry, entryIndex) => ({
		...(entry as object),
		changes: itemsOf(entry, 'changes').filter((_, index) => places.has(`${entryIndex}:${index}`)),
	}))
	return JSON.stringify({ ...(body as object), entry: entries.filter(({ changes }) => changes.length > 0) })
}
