import { advances, type MessageState } from '#features/delivery/rules.ts'
import { isChargedType, type StatusChange, type StatusUpdate } from '#features/delivery/server/message/status-update.ts'

/**
 * The state of a reply's money. `held`: the price is on hold. `charged`: the price is spent. In all other states the price is
 * back in the wallet. `waived`: the wallet could not pay for a failed message that was delivered after all. `expired`: WhatsApp
 * never said whether it charges the message.
 */
export type ChargeState = 'held' | 'charged' | 'returned' | 'waived' | 'expired'

/** The money of one reply. */
export interface Charge extends MessageState {
	/** Id of the chat message. */
	messageId: number
	pricePaise: number
	state: ChargeState
	/** The first type in Meta's pricing that shows whether it charges the message; null until a status update has one. */
	pricingType: string | null
	/** Number of the charge's postings. */
	moveCount: number
}

/** A new status of a reply, with Meta's pricing when the status update names it. */
export interface ChargeUpdate extends Pick<StatusChange, 'status' | 'errorCode'>, Pick<StatusUpdate, 'pricing'> {
	/** Id of the chat message. */
	id: number
}

/**
 * Returns a charge after a status update. The first pricing that says whether Meta charges counts. The pricing of a failure
 * does not, because Meta charges delivered messages only, and a later `delivered` has its own pricing.
 */
export function applyUpdate(charge: Charge, update: ChargeUpdate): Charge {
	const { status, errorCode, pricing } = update
	const next = advances(charge, update)
		? { ...charge, status, errorCode: status === 'failed' ? errorCode : null }
		: charge
	const isWord = charge.pricingType === null && status !== 'failed' && pricing && isChargedType(pricing.type) !== null
	return isWord ? { ...next, pricingType: pricing.type } : next
}

/**
 * Returns the state that a charge should have. It depends only on the message's status and Meta's pricing, so that any order
 * of status updates leads to the same state. `expired` is final.
 *
 * | status | pricing | state |
 * |---|---|---|
 * | failed | any | returned |
 * | any other | charged | charged, or waived when the wallet could not pay |
 * | any other | free | returned |
 * | any other | none | unchanged |
 */
export function targetOf({ state, status, pricingType }: Charge): ChargeState {
	if (state === 'expired') return state
	if (status === 'failed') return 'returned'
	const isCharged = pricingType === null ? null : isChargedType(pricingType)
	if (isCharged === null) return state
	if (!isCharged) return 'returned'
	return state === 'waived' ? state : 'charged'
}

export type ChargeMove = 'hold' | 'capture' | 'release' | 'refund'

/** Returns the postings that bring a charge's money from one state to another. */
export function movesTo(from: ChargeState, to: ChargeState): readonly ChargeMove[] {
	if (from === to) return []
	if (from === 'held') return to === 'charged' ? ['capture'] : ['release']
	if (from === 'charged') return ['refund']
	return to === 'charged' ? ['hold', 'capture'] : []
}
