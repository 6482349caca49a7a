import { advances, type MessageState, arrivalOf, type Arrival } from '#features/delivery/rules.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import {
	changedState,
	isChargedType,
	latestSentAt,
	type ReportedPricing,
	type ChangedState,
	type StatusChange,
} from '../message/status-update.ts'
import { MessageMap } from './message-map.ts'
import { nextUsage, usageChanges, type UsageChange, type UsageFacts, type UsageState } from './usage.ts'

/** The new status of one message, and the reason. */
export interface MessageUpdate extends StatusChange {
	campaignId: number
	seq: number
	isInQualityCheck?: boolean
	/** The endpoint that accepted the message, to be counted; absent for messages that are not counted by endpoint. */
	endpoint?: SendEndpoint | undefined
	/** Set for a status update. Its source is a webhook, which anyone with the app secret can forge. */
	isStatusUpdate?: boolean
	/** Meta's pricing of the message; null when the update names none. */
	pricing?: ReportedPricing | null
}

export interface StoredMessage extends MessageState, UsageState, UsageFacts {
	campaignId: number
	seq: number
	/** Price in paise; null for the campaign's price. */
	pricePaise: number | null
	/** True when the campaign's order passes on what WhatsApp does not charge. */
	passesOnFree: boolean
	/** True when the first pricing says that WhatsApp does not charge the message. Null before it, and without `passesOnFree`. */
	isFree: boolean | null
	sentAt: Date | null
	/** The earliest time that a delivered or read status has named. */
	arrivedAt: Date | null
}

/** One step of one message: to another status, or to the price 0 because WhatsApp does not charge it. */
export interface Transition {
	campaignId: number
	seq: number
	at: Date
	/** Price of the message before the step in paise; null for the campaign's price. */
	pricePaise: number | null
	/** True for the step to the price 0, which leaves the status as it is. */
	isPassedOn: boolean
	was: MessageState
	now: MessageState
	error: string | null
	isStatusUpdate: boolean
}

/** The message after all updates. */
export interface ChangedMessage extends StoredMessage, ChangedState {
	/** The new wamid; null to leave the stored one. */
	wamid: string | null
	isInQualityCheck: boolean
}

export interface Changes {
	/** The transitions in the order of the updates: a batch moves money exactly as its updates would one by one. */
	transitions: Transition[]
	messages: ChangedMessage[]
	arrivals: Arrival[]
	/** Messages whose arrival, usage or price changes, but not their status. */
	additions: StoredMessage[]
	/** Change of the counts of messages by what WhatsApp charges for them. */
	usage: UsageChange[]
	/** The latest send time among the updated messages. */
	latestSentAt: Date | null
}

/** Applies updates in their order to stored messages. Skips updates that change nothing. */
export function applyUpdates(stored: readonly StoredMessage[], updates: readonly MessageUpdate[]): Changes {
	const current = new MessageMap<StoredMessage | ChangedMessage>()
	for (const message of stored) current.set(message.campaignId, message.seq, message)
	const before = current.values()
	const transitions: Transition[] = []
	const arrivals = new MessageMap<Arrival>()
	for (const update of updates) {
		const found = current.get(update.campaignId, update.seq)
		if (!found) continue
		const message = withPricing(found, update)
		// The price falls to 0 first, so that the status update itself charges nothing.
		if (message.isFree && !found.isFree)
			transitions.push({ ...stepOf(update), pricePaise: found.pricePaise, isPassedOn: true, was: found, now: message })
		const isAdvance = advances(message, update)
		const arrivedAt = arrivalOf(isAdvance ? update : message, { known: message.arrivedAt, update })
		if (arrivedAt && arrivedAt !== message.arrivedAt)
			arrivals.set(update.campaignId, update.seq, { campaignId: update.campaignId, seq: update.seq, at: arrivedAt })
		const isArriving = message.arrivedAt === null && arrivedAt !== null
		const { recipient, category } = message
		const usage = nextUsage(message.usage, update, { recipient, category, isArriving })
		if (!isAdvance) {
			if (arrivedAt !== message.arrivedAt || usage !== message.usage || message !== found)
				current.set(update.campaignId, update.seq, { ...message, arrivedAt, usage })
			continue
		}
		const next = { ...advance(message, update), arrivedAt, usage }
		const { pricePaise } = message
		transitions.push({ ...stepOf(update), pricePaise, isPassedOn: false, was: message, now: next })
		current.set(update.campaignId, update.seq, next)
	}
	const all = current.values()
	const steps = before.map((was, index) => ({ was, now: all[index] ?? was }))
	return {
		transitions,
		messages: all.filter(isChanged),
		arrivals: arrivals.values(),
		additions: steps.flatMap(({ was, now }) => (now === was || isChanged(now) ? [] : now)),
		usage: usageChanges(steps),
		latestSentAt: latestSentAt(all),
	}
}

function stepOf({ campaignId, seq, at, error, isStatusUpdate = false }: MessageUpdate) {
	return { campaignId, seq, at, error, isStatusUpdate }
}

/**
 * Returns the message after the pricing of an update, in a campaign that passes on what WhatsApp does not charge. The first
 * pricing that shows whether WhatsApp charges counts. That of a failed status does not, because WhatsApp charges only
 * delivered messages.
 */
function withPricing<M extends StoredMessage>(message: M, { status, pricing }: MessageUpdate): M {
	if (!message.passesOnFree || message.isFree !== null || !pricing || status === 'failed') return message
	const isCharged = isChargedType(pricing.type)
	if (isCharged === null) return message
	return { ...message, isFree: !isCharged, pricePaise: isCharged ? message.pricePaise : 0 }
}

function isChanged(message: StoredMessage | ChangedMessage | undefined): message is ChangedMessage {
	return message !== undefined && 'statusAt' in message
}

function advance(message: StoredMessage | ChangedMessage, update: MessageUpdate): ChangedMessage {
	const wamid = isChanged(message) ? message.wamid : null
	// A sent, delivered or read message keeps the wamid that it has.
	const isNamed = message.status !== 'pending' && message.status !== 'failed'
	return {
		...message,
		...changedState(message, update),
		wamid: isNamed ? wamid : (update.wamid ?? wamid),
		isInQualityCheck: update.status === 'sent' && (update.isInQualityCheck ?? false),
	}
}
