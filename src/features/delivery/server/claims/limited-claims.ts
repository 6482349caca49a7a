import { allowedAt } from '#features/limits/rules.ts'
import {
	findNextFreeAllAccounts,
	listPersonsOfOthersAllAccounts,
	openPlaces,
	takePlaces,
	type OpenPlaces,
} from '#features/limits/server/service.ts'
import { HOUR_MS } from '#lib/durations.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { campaignReads } from '../limits/campaign-reads.ts'
import * as waiting from '../limits/waiting-queries.ts'
import {
	HAS_LEASE,
	insertClaim,
	lockSenderLimit,
	takeFresh,
	takeRetries,
	type ClaimedMessage,
	type ClaimRequest,
} from './claim-queries.ts'
import { markErased, type FoundMessage } from './erased-recipient-queries.ts'

/** Finds the people whose conversation with an account is open: messages to them need no place under WhatsApp's limit. */
export interface Conversations {
	/** Returns the numbers among the given ones whose conversation is open. */
	among(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<Set<string>>
	/** Lists the numbers of the latest open conversations, at most `most`. */
	list(sql: Sql, accountId: AccountId, most: number): Promise<string[]>
}

/** The queue that a claim takes messages from; `waiting` has those that wait for the limit. */
export type ClaimSource = 'retries' | 'fresh' | 'waiting'

export interface LimitedClaim {
	messages: ClaimedMessage[]
	/** True when the queue has no further messages now. */
	isEmpty: boolean
	/** Milliseconds until waiting messages are tried again; null when none wait, undefined when that has not changed. */
	waitInMs?: number | null
}

interface Limited {
	request: ClaimRequest
	source: ClaimSource
	conversations: Conversations
	/** True to also take waiting messages to people whom other campaigns have reached since. */
	looksAtOthers: boolean
}

const NOTHING: LimitedClaim = { messages: [], isEmpty: true }
/** Maximum number of messages that one claim sets aside while no place is free, and of open conversations that it lists. */
const MAX_READ = 2000
/** Minimum milliseconds between two tries of a waiting campaign, so that one try uses all places that became free. */
const GATHER_MS = 1000
/** Milliseconds until the next try while free places are reserved for other accounts of the portfolio. */
const ASK_AGAIN_MS = 5000

/**
 * Claims messages of a sender with a limit, in the caller's transaction: to people whose conversation is open, to people who are
 * counted already, and to as many others as there are places. Sets the other messages aside, until places come free.
 *
 * Locks, in this order: sender, campaign, portfolio, places in the queue, skipping locked ones.
 */
export async function claimLimited(
	sql: Sql,
	accountId: AccountId,
	{ request, source, conversations, looksAtOthers }: Limited,
): Promise<LimitedClaim> {
	const sender = await lockSenderLimit(sql, accountId, request.lease)
	const campaign = sender && (await waiting.lockHours(sql, accountId, request.campaignId))
	if (!sender || !campaign) return NOTHING
	const { perDay } = sender
	const limited = perDay === null ? null : { ...sender, perDay }
	const places = limited && (await openPlaces(sql, accountId, { ...limited, reads: campaignReads }))
	// Earlier messages are still being counted. The next claim continues the count.
	if (limited && !places) return { messages: [], isEmpty: false }
	const heldUntil = places && heldUntilOf(campaign)
	const isClosed = heldUntil !== null || places?.share === 0
	const limit = source === 'fresh' && isClosed ? MAX_READ : request.limit
	const taking = { request: { ...request, limit }, source, conversations, looksAtOthers }
	const found = heldUntil && source === 'waiting' ? [] : await take(sql, accountId, { ...taking, places })
	const read = await markErased(sql, accountId, found)

	const open = places ? await conversations.among(sql, accountId, numbersOf(read)) : null
	const isFree = ({ number, isOptedOut, isRepeated }: ClaimedMessage) =>
		isOptedOut || isRepeated || open === null || open.has(number)
	const free = heldUntil ? read.filter(({ isOptedOut }) => isOptedOut) : read.filter(isFree).slice(0, request.limit)
	const most = heldUntil ? 0 : request.limit - free.length
	const asking = { messages: read.filter((message) => !isFree(message)), most }
	const { taken, left } = places
		? await takePlaces(sql, accountId, { ...asking, places })
		: { taken: [], left: Number.POSITIVE_INFINITY }
	const going = new Set([...free, ...taken])
	const rest = read.filter((message) => !going.has(message))
	// The sender of a test or a chat template waits for it: the message fails now instead of being sent tomorrow.
	const refused = campaign.kind === 'test' || campaign.kind === 'chat' ? rest : []
	const parked = refused.length > 0 ? [] : rest
	const messages = [
		...free,
		...taken.map((message) => ({ ...message, isCounted: true })),
		...refused.map((message) => ({ ...message, isOverLimit: true })),
	].toSorted((a, b) => a.seq - b.seq)
	await insertClaim(sql, accountId, { lease: request.lease, found: messages })
	if (parked.length > 0) await waiting.insertParked(sql, accountId, parked)
	const isEmpty = found.length < limit
	if (parked.length === 0 && source !== 'waiting') return { messages, isEmpty }

	const isParked = parked.length > 0 || (await waiting.hasParked(sql, accountId, request.campaignId))
	const hasMore = messages.length > 0 && (left > 0 || parked.some(isFree))
	const until = isParked ? (heldUntil ?? (await nextTurn(sql, { campaign, places, hasMore }))) : null
	await waiting.updateWait(sql, accountId, { campaignId: request.campaignId, until, perDay })
	return { messages, isEmpty, waitInMs: until && Math.max(0, until.getTime() - campaign.now.getTime()) }
}

function numbersOf(messages: readonly ClaimedMessage[]): string[] {
	return messages.flatMap(({ number, isOptedOut }) => (isOptedOut ? [] : number))
}

/** Takes messages from the queue of `source`; the caller claims them or sets them aside. */
async function take(
	sql: Sql,
	accountId: AccountId,
	{ request, source, conversations, looksAtOthers, places }: Limited & { places: OpenPlaces | null },
): Promise<FoundMessage[]> {
	const taking = { request, mayTake: HAS_LEASE }
	if (source === 'fresh') return takeFresh(sql, accountId, taking)
	if (source === 'retries') return takeRetries(sql, accountId, taking)
	const { campaignId, limit } = request
	const first = places ? Math.min(limit, places.share) : limit
	const numbers = places ? await conversations.list(sql, accountId, MAX_READ) : []
	const persons =
		places && looksAtOthers
			? await listPersonsOfOthersAllAccounts(sql, { portfolio: places.portfolio, accountId, campaignId })
			: []
	const picked = waiting.parkedRows(sql, accountId, { campaignId, first, numbers, persons, limit })
	return takeRetries(sql, accountId, { ...taking, picked })
}

/** Returns the time at which a campaign with waiting messages is tried again. */
async function nextTurn(
	sql: Sql,
	{ campaign, places, hasMore }: { campaign: waiting.LockedCampaign; places: OpenPlaces | null; hasMore: boolean },
): Promise<Date> {
	const now = campaign.now.getTime()
	if (hasMore || !places) return campaign.now
	if (places.share < places.free) return new Date(now + ASK_AGAIN_MS)
	const next = await findNextFreeAllAccounts(sql, places.portfolio)
	return new Date(allowedAt(campaign.hours, Math.max(next?.getTime() ?? now + HOUR_MS, now + GATHER_MS)))
}

/** Returns the time from which a campaign may send again; null when it may send now. */
function heldUntilOf({ hours, now }: waiting.LockedCampaign): Date | null {
	const until = allowedAt(hours, now.getTime())
	return until > now.getTime() ? new Date(until) : null
}
