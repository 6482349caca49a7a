import { OWN_ERRORS } from '#features/delivery/rules.ts'
import type { RefundReason } from '#features/wallet/rules.ts'
import { postAll, type Posting } from '#features/wallet/server/ledger.ts'
import { openRefunds, type Refunds } from '#features/wallet/server/refunds.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { getRefundHistory } from './count-queries.ts'
import type { Transition } from './message-changes.ts'
import { addPassedOn, updateWaived, waiveOwnPrices, type WaivedMessage } from './settle-queries.ts'

export interface PricedCampaign {
	id: number
	/** Price of messages without a price of their own. */
	pricePaise: number
	/** Messages at this price, confirmed after their refund, that the wallet could not pay for. */
	waivedCount: number
}

type Kind = 'hold' | 'capture' | 'release' | 'refund'

interface Movement {
	count: number
	paise: number
	/** The step of the first message that moves. A message takes each step once, so the step names the posting. */
	firstStep: string
}

export interface MovedMoney {
	/** Paise spent; negative when money came back. */
	spentPaise: number
	refundedCount: number
	refundedPaise: number
}

/**
 * Posts the wallet entries of transitions: one ledger entry per campaign and kind. Late confirmations are charged in
 * their order as far as the wallet can pay; the rest is waived. Refunds above the account's refund limit wait for an
 * admin.
 */
export async function moveMoney(
	sql: Sql,
	accountId: AccountId,
	given: { campaigns: PricedCampaign[]; transitions: Transition[] },
): Promise<MovedMoney> {
	const { campaigns, transitions } = given
	// The lock comes before the decision: what the wallet can pay and give back must not change until the entries are posted.
	const isLocked = transitions.some((one) => isLateConfirmation(one) || isGivenBack(one))
	const ids = campaigns.map(({ id }) => id)
	const refunds = isLocked
		? await openRefunds(sql, accountId, { campaignIds: ids, readHistory: getRefundHistory })
		: null
	const moved = decideMovements({ campaigns, transitions, refunds })
	await refunds?.save(sql, accountId)
	for (const { campaign, waivedChange, waivedOwn, passedOn } of moved) {
		if (waivedChange !== 0) await updateWaived(sql, accountId, { id: campaign.id, change: waivedChange })
		if (waivedOwn.size > 0)
			await waiveOwnPrices(sql, accountId, { campaignId: campaign.id, waived: [...waivedOwn.values()] })
		if (passedOn) await addPassedOn(sql, accountId, { campaignId: campaign.id, ...passedOn })
	}
	const spentPaise = await postAll(sql, accountId, moved.flatMap(postingsOf))
	return { spentPaise, ...(refunds?.given ?? { refundedCount: 0, refundedPaise: 0 }) }
}

interface CampaignMovements {
	campaign: PricedCampaign
	movements: Map<Kind, Movement>
	/** Change of the waived messages at the campaign's price. Which messages they are does not matter. */
	waivedChange: number
	/** Waived messages with a price of their own, by number. They cost nothing from then on. */
	waivedOwn: Map<number, WaivedMessage>
	/** Messages that WhatsApp does not charge, without failed ones, and the prices given back for them; null for none. */
	passedOn: { messages: number; paise: number } | null
}

/** Returns the postings of a campaign's movements. Free messages have none. */
function postingsOf({ campaign: { id }, movements }: CampaignMovements): Posting[] {
	return [...movements].flatMap(([kind, { paise, count, firstStep }]) =>
		paise === 0 ? [] : [{ kind, reference: `${kind}:${id}:${firstStep}`, paise, campaignId: id, messageCount: count }],
	)
}

/** Decides on the transitions one after the other. The result equals one settlement per transition. */
function decideMovements(given: {
	campaigns: PricedCampaign[]
	transitions: Transition[]
	refunds: Refunds | null
}): CampaignMovements[] {
	const decision = new Decision(given.refunds)
	const moved = new Map<number, CampaignMovements>()
	for (const campaign of given.campaigns) {
		moved.set(campaign.id, { campaign, movements: new Map(), waivedChange: 0, waivedOwn: new Map(), passedOn: null })
	}
	for (const transition of given.transitions) {
		const own = moved.get(transition.campaignId)
		if (!own) throw new Error(`campaign ${transition.campaignId} is gone`)
		const waived = own.waivedOwn.get(transition.seq)
		if (waived) waived.isAccepted = transition.now.status !== 'failed'
		if (transition.isPassedOn) countPassedOn(own, transition)
		decision.decide(own, transition)
		// A message that is passed on has the price 0 from now on, so it must not count as waived too.
		if (transition.isPassedOn) own.waivedOwn.delete(transition.seq)
	}
	return [...moved.values()]
}

/** The change of the available balance per message, by kind. */
const AVAILABLE: Record<Kind, number> = { hold: -1, capture: 0, release: 1, refund: 1 }

/** The wallet's balance and refund allowance between two transitions. */
class Decision {
	#refunds: Refunds | null
	availablePaise: number

	constructor(refunds: Refunds | null) {
		this.#refunds = refunds
		this.availablePaise = refunds?.availablePaise ?? 0
	}

	/** Decides on one transition. The money of a message that is passed on moves as if the message had failed. */
	decide(own: CampaignMovements, transition: Transition): void {
		if (transition.was.status === 'pending') {
			const isFailed = transition.isPassedOn || transition.now.status === 'failed'
			const isReleased = isFailed && (!isGivenBack(transition) || this.givesBack(own, transition))
			this.move(own, transition, isReleased ? 'release' : 'capture')
		} else if (isGivenBack(transition)) {
			if (isWaived(own, transition)) own.waivedChange--
			else if (this.givesBack(own, transition)) this.move(own, transition, 'refund')
		} else if (isLateConfirmation(transition)) {
			if (this.isStillCharged(own, transition)) return
			if (this.availablePaise >= priceIn(own, transition)) this.move(own, transition, 'hold', 'capture')
			else this.waive(own, transition)
		}
	}

	move(own: CampaignMovements, transition: Transition, ...kinds: Kind[]): void {
		const pricePaise = priceIn(own, transition)
		for (const kind of kinds) {
			addMovement(own, kind, transition)
			this.availablePaise += AVAILABLE[kind] * pricePaise
			if (isCharged(kind, transition)) this.#refunds?.charge(pricePaise)
		}
	}

	/**
	 * Leaves an accepted message uncharged. A message with a price of its own gets the price 0, because a later refund of another
	 * message, which offsets a waived message at the campaign's price, could have another price.
	 */
	waive(own: CampaignMovements, transition: Transition): void {
		const { seq, pricePaise } = transition
		if (pricePaise === null) {
			own.waivedChange++
			return
		}
		own.waivedOwn.set(seq, { seq, pricePaise: priceIn(own, transition), isAccepted: true })
	}

	givesBack(own: CampaignMovements, transition: Transition): boolean {
		const pricePaise = priceIn(own, transition)
		const { id } = own.campaign
		return this.#refunds?.giveBack({ campaignId: id, pricePaise, reason: reasonOf(transition) }) ?? true
	}

	isStillCharged(own: CampaignMovements, transition: Transition): boolean {
		return this.#refunds?.keepCharge({ campaignId: own.campaign.id, pricePaise: priceIn(own, transition) }) ?? false
	}
}

function reasonOf({ isPassedOn, now }: Transition): RefundReason {
	if (isPassedOn) return 'free'
	return now.errorCode === OWN_ERRORS.expired.code ? 'silence' : 'reported'
}

/**
 * Returns true when an accepted message counts as waived. Waived messages were not charged, so the first refunds at the
 * campaign's price are free.
 */
function isWaived(own: CampaignMovements, transition: Transition): boolean {
	if (transition.was.status === 'pending') return false
	return transition.pricePaise === null && own.campaign.waivedCount + own.waivedChange > 0
}

/** Counts a message that is passed on. Call before its money moves. A failed message is not counted: it was refunded already. */
function countPassedOn(own: CampaignMovements, transition: Transition): void {
	own.passedOn ??= { messages: 0, paise: 0 }
	if (!isGivenBack(transition)) return
	own.passedOn.messages++
	if (!isWaived(own, transition)) own.passedOn.paise += priceIn(own, transition)
}

/**
 * Returns true when a transition counts as charged. Refunds based on a status update still count: the refund limit is a share of
 * charges.
 */
function isCharged(kind: Kind, transition: Transition): boolean {
	return kind === 'capture' || (kind === 'release' && isGivenBack(transition))
}

/**
 * Returns true when a transition refunds an accepted message, because of a status update or for lack of one. A message whose
 * answer is still to come counts as accepted.
 */
function isGivenBack({ was, now, isPassedOn, isStatusUpdate }: Transition): boolean {
	if (isPassedOn) return was.status !== 'failed'
	return now.status === 'failed' && (was.status === 'sent' || (was.status === 'pending' && isStatusUpdate))
}

/** Returns true when a message that had failed turns out to be accepted, delivered or read. */
function isLateConfirmation({ was, now }: Transition): boolean {
	return was.status === 'failed' && now.status !== 'failed'
}

/** Returns the price of a transition's message in paise. */
function priceIn({ campaign, waivedOwn }: CampaignMovements, { seq, pricePaise }: Transition): number {
	if (pricePaise === null) return campaign.pricePaise
	return waivedOwn.has(seq) ? 0 : pricePaise
}

function addMovement(own: CampaignMovements, kind: Kind, transition: Transition): void {
	const { seq, now, isPassedOn } = transition
	// A message that is passed on and fails later has no price to refund.
	if (kind === 'refund' && priceIn(own, transition) === 0) return
	const step = isPassedOn ? 'free' : now.status
	const movement = own.movements.get(kind) ?? { count: 0, paise: 0, firstStep: `${seq}:${step}` }
	movement.count++
	movement.paise += priceIn(own, transition)
	own.movements.set(kind, movement)
}
