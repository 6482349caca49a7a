import { NEVER_SENT_CODES, type MessageState, type MessageStatus, BLOCK_SIZE } from '#features/delivery/rules.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import type { BlockChange, DayChange, FailureChange, MinuteChange } from './count-queries.ts'
import type { MessageUpdate, Transition } from './message-changes.ts'
import { MessageMap } from './message-map.ts'
import type { CounterChange, OwnPrices } from './settle-queries.ts'

/** Returns the change of each campaign's counters: by the transitions, and by the endpoints that accepted messages. */
export function counterChanges(
	transitions: readonly Transition[],
	updates: readonly Pick<MessageUpdate, 'campaignId' | 'endpoint'>[] = [],
): CounterChange[] {
	const changes = new Map<number, CounterChange>()
	for (const { campaignId, endpoint } of updates) {
		if (!endpoint) continue
		const change = changes.get(campaignId) ?? emptyChange(campaignId)
		change[endpoint === 'messages' ? 'byOrdinaryRoute' : 'byMarketingRoute']++
		changes.set(campaignId, change)
	}
	for (const { campaignId, pricePaise, isPassedOn, was, now } of transitions) {
		const change = changes.get(campaignId) ?? emptyChange(campaignId)
		change[was.status]--
		change[now.status]++
		const nextPaise = isPassedOn ? 0 : pricePaise
		if (pricePaise !== null) addOwnPrice(change, was.status, { count: -1, paise: -pricePaise })
		if (nextPaise !== null) addOwnPrice(change, now.status, { count: 1, paise: nextPaise })
		changes.set(campaignId, change)
	}
	return [...changes.values()]
}

function emptyChange(campaignId: number): CounterChange {
	return {
		campaignId,
		...NONE,
		ownPending: { count: 0, paise: 0 },
		ownCharged: { count: 0, paise: 0 },
		byMarketingRoute: 0,
		byOrdinaryRoute: 0,
	}
}

function addOwnPrice(change: CounterChange, status: MessageStatus, own: OwnPrices): void {
	if (status === 'failed') return
	const sum = status === 'pending' ? change.ownPending : change.ownCharged
	sum.count += own.count
	sum.paise += own.paise
}

/** Returns the change in the number of failed messages per reason. */
export function failureChanges(transitions: readonly Transition[]): FailureChange[] {
	const changes = new Map<string, FailureChange>()
	const add = (campaignId: number, { errorCode, error, count }: Omit<FailureChange, 'campaignId'>) => {
		const key = `${campaignId}:${errorCode}`
		const change = changes.get(key) ?? { campaignId, errorCode, error: '', count: 0 }
		changes.set(key, { ...change, error: error || change.error, count: change.count + count })
	}
	for (const { campaignId, was, now, error } of transitions) {
		if (was.status === 'failed') add(campaignId, { errorCode: was.errorCode ?? 0, error: '', count: -1 })
		if (now.status === 'failed') add(campaignId, { errorCode: now.errorCode ?? 0, error: error ?? '', count: 1 })
	}
	const changed = [...changes.values()].filter(({ count }) => count !== 0)
	return changed.toSorted((a, b) => a.campaignId - b.campaignId || a.errorCode - b.errorCode)
}

/**
 * Returns the change of the messages that are sent, delivered, read and failed. A message that fails after it was accepted
 * is no longer sent. Messages that were never sent are no failures of the day.
 */
export function dayChange(transitions: readonly Transition[]): Omit<DayChange, 'spentPaise'> {
	const day = { sent: 0, delivered: 0, read: 0, failed: 0 }
	for (const transition of transitions) {
		addSteps(day, transition)
		if (RANK[transition.was.status] > 0 && transition.now.status === 'failed') day.sent--
	}
	return day
}

const RANK = { pending: 0, failed: 0, sent: 1, delivered: 2, read: 3 }

/** Returns the network's steps between two statuses: an update about one step implies the steps before it. */
export function stepsOf({ was, now }: Pick<Transition, 'was' | 'now'>): ('sent' | 'delivered' | 'read')[] {
	const steps = ['sent', 'delivered', 'read'] as const
	return steps.filter((step) => RANK[was.status] < RANK[step] && RANK[now.status] >= RANK[step])
}

function addSteps(sum: Omit<DayChange, 'spentPaise'>, { was, now }: Pick<Transition, 'was' | 'now'>): void {
	for (const step of stepsOf({ was, now })) sum[step]++
	if (isFailureOfTheDay(now)) sum.failed++
	if (isFailureOfTheDay(was)) sum.failed--
}

/** Returns the steps of each campaign by minute, ordered by key. */
export function minuteChanges(transitions: readonly Transition[]): MinuteChange[] {
	const changes = new MessageMap<MinuteChange>()
	for (const { campaignId, at, was, now } of transitions) {
		const minute = Math.floor(at.getTime() / MINUTE_MS)
		let change = changes.get(campaignId, minute)
		if (!change) {
			change = { campaignId, minute: new Date(minute * MINUTE_MS), sent: 0, delivered: 0, read: 0, failed: 0 }
			changes.set(campaignId, minute, change)
		}
		addSteps(change, { was, now })
	}
	const changed = changes.values().filter((one) => one.sent + one.delivered + one.read !== 0 || one.failed !== 0)
	return changed.toSorted((a, b) => a.campaignId - b.campaignId || a.minute.getTime() - b.minute.getTime())
}

/** Returns the change of each block's messages in each status. */
export function blockChanges(transitions: readonly Transition[]): BlockChange[] {
	const changes = new MessageMap<BlockChange>()
	for (const { campaignId, seq, was, now } of transitions) {
		const block = Math.floor((seq - 1) / BLOCK_SIZE)
		let change = changes.get(campaignId, block)
		if (!change) changes.set(campaignId, block, (change = { campaignId, block, ...NONE }))
		change[was.status]--
		change[now.status]++
	}
	return changes.values()
}

const NONE = { pending: 0, sent: 0, delivered: 0, read: 0, failed: 0 }

function isFailureOfTheDay({ status, errorCode }: MessageState): boolean {
	return status === 'failed' && !NEVER_SENT_CODES.includes(errorCode ?? 0)
}
