import type { MessageStatus } from '#features/campaigns/contract.ts'
import { post } from '#features/wallet/server/service.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import type { Transition } from './message-changes.ts'
import { lockAvailable, updateWaived } from './settle-queries.ts'

export interface PricedCampaign {
	id: number
	pricePaise: number
	/** Messages confirmed only after their money was given back, which the wallet could not pay for. */
	waivedCount: number
}

type Kind = 'hold' | 'capture' | 'release' | 'refund'

/** In this order no balance is ever negative in between. */
const POSTING_ORDER: readonly Kind[] = ['release', 'refund', 'hold', 'capture']

interface Movement {
	count: number
	/** The step of the first message that moves: each attempt at a message takes each step once, so it names the posting. */
	firstStep: string
}

/**
 * Posts what transitions mean for the wallet: one ledger entry per campaign and kind. Late confirmations are paid for in their
 * order, as far as the wallet can at that point; the rest is waived. Returns the paise spent, negative when money came back.
 */
export async function moveMoney(
	sql: Sql,
	owner: OwnerId,
	given: { campaigns: PricedCampaign[]; transitions: Transition[]; locksWallet: boolean },
): Promise<number> {
	const { campaigns, transitions } = given
	// Locked before the decision: what the wallet can pay must not change until the entries are posted.
	const isAvailableAsked = given.locksWallet || transitions.some(isLateConfirmation)
	const availablePaise = isAvailableAsked ? await lockAvailable(sql, owner) : 0
	const moved = decideMovements({ campaigns, transitions, availablePaise })
	let spentPaise = 0
	for (const { campaign, waivedChange } of moved) {
		if (waivedChange !== 0) await updateWaived(sql, owner, { id: campaign.id, change: waivedChange })
	}
	for (const kind of POSTING_ORDER) {
		for (const { campaign, movements } of moved) {
			const movement = movements.get(kind)
			const paise = (movement?.count ?? 0) * campaign.pricePaise
			if (!movement || paise === 0) continue
			const posting = { kind, paise, campaignId: campaign.id, messageCount: movement.count }
			const reference = `${kind}:${campaign.id}:${movement.firstStep}`
			if (!(await post(sql, owner, { ...posting, reference }))) {
				throw new Error(`the ${kind} of campaign ${campaign.id} exceeds what the wallet has`)
			}
			if (kind === 'capture') spentPaise += paise
			if (kind === 'refund') spentPaise -= paise
		}
	}
	return spentPaise
}

interface CampaignMovements {
	campaign: PricedCampaign
	movements: Map<Kind, Movement>
	waivedChange: number
}

/** Goes through the transitions in their order, as if each were settled by itself. */
function decideMovements(given: {
	campaigns: PricedCampaign[]
	transitions: Transition[]
	availablePaise: number
}): CampaignMovements[] {
	let { availablePaise } = given
	const moved = new Map<number, CampaignMovements>()
	for (const campaign of given.campaigns) {
		moved.set(campaign.id, { campaign, movements: new Map(), waivedChange: 0 })
	}
	for (const transition of given.transitions) {
		const own = moved.get(transition.campaignId)
		if (!own) throw new Error(`campaign ${transition.campaignId} is gone`)
		const { pricePaise, waivedCount } = own.campaign
		const move = (kind: Kind) => addMovement(own.movements, kind, transition)
		const was = transition.was.status
		const now = transition.now.status
		if (now === 'pending') {
			// WhatsApp held it back: the charge becomes a hold again for the next attempt.
			if (was === 'sent') {
				move('refund')
				move('hold')
			}
		} else if (was === 'pending') {
			move(now === 'failed' ? 'release' : 'capture')
			if (now === 'failed') availablePaise += pricePaise
		} else if (was === 'sent' && now === 'failed') {
			// Messages that were not charged have nothing to be given back; which ones they were does not matter.
			if (waivedCount + own.waivedChange > 0) own.waivedChange--
			else {
				move('refund')
				availablePaise += pricePaise
			}
		} else if (isLateConfirmation(transition)) {
			if (availablePaise < pricePaise) own.waivedChange++
			else {
				move('hold')
				move('capture')
				availablePaise -= pricePaise
			}
		}
	}
	return [...moved.values()]
}

/** Whether the money of a message was given back, and now turns out to be owed. */
function isLateConfirmation({ was, now }: Transition): boolean {
	return was.status === 'failed' && now.status !== 'failed'
}

function addMovement(movements: Map<Kind, Movement>, kind: Kind, { seq, attempt, was, now }: Transition): void {
	const movement = movements.get(kind) ?? { count: 0, firstStep: stepOf({ seq, attempt }, was.status, now.status) }
	movement.count++
	movements.set(kind, movement)
}

function stepOf(message: { seq: number; attempt: number }, was: MessageStatus, now: MessageStatus): string {
	const name = message.attempt === 0 ? `${message.seq}` : `${message.seq}.${message.attempt}`
	return `${name}:${was}-${now}`
}
