import type { MessageStatus } from '#features/delivery/rules.ts'

export type CampaignStatus = 'pending' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed'

export interface ModelMessage {
	seq: number
	number: string
	status: MessageStatus
	code: number | null
	/** Process that settles the message while it is pending; a message in `queue` was never claimed. */
	place: 'queue' | 'claimed' | 'retry' | 'unknown'
	/** True if the message may have reached the network. */
	wasHanded: boolean
	wamid: string | null
}

export interface ModelCampaign {
	id: number
	status: CampaignStatus
	pricePaise: number
	isMarketing: boolean
	/** Price that waits for the owner's confirmation. */
	offered: { pricePaise: number; isMarketing: boolean } | null
	isOpened: boolean
	retriesThrottled: boolean
	/** True if messages throttled by Meta will be sent again. */
	isFollowUpDue: boolean
	followUpNumber: number
	retryOf: ModelCampaign | null
	/** True for a campaign of one message. An error that would pause a normal campaign ends it. */
	isFromChat: boolean
	/** Number of confirmed messages that could not be charged. */
	waived: number
	messages: ModelMessage[]
}

export interface Word {
	message: ModelMessage
	status: Exclude<MessageStatus, 'pending'>
	code?: number | null
	wamid?: string | null
}

const ORDER: readonly MessageStatus[] = ['pending', 'sent', 'failed', 'delivered', 'read']
const UNCONFIRMED = -1
const EXPIRED = -3
const THROTTLED = 131049
const MAX_FOLLOW_UPS = 3

/** The expected state of an account, computed by a second, shortest possible implementation of the rules. */
export class Model {
	available = 0
	prices = { marketingPaise: 30, utilityPaise: 10 }
	isInUse = true
	isDeleted = false
	isMarketing = true
	readonly optedOut = new Set<string>()
	readonly campaigns: ModelCampaign[] = []

	/** Holds the price of all messages. Returns false and changes nothing when the wallet has less. */
	pay(campaign: ModelCampaign): boolean {
		const paise = campaign.messages.length * campaign.pricePaise
		if (campaign.messages.length === 0 || paise > this.available) return false
		this.available -= paise
		this.campaigns.push(campaign)
		return true
	}

	/** Applies one batch of status updates to the messages of a campaign, one after the other. */
	settle(campaign: ModelCampaign, words: readonly Word[]): void {
		for (const { message, status, code = null, wamid = null } of words) {
			if (!rises(message, status, code)) continue
			this.move(campaign, message.status, status)
			Object.assign(message, { status, code: status === 'failed' ? code : null, wamid: wamid ?? message.wamid })
			if (code === THROTTLED && campaign.retriesThrottled && campaign.followUpNumber < MAX_FOLLOW_UPS)
				campaign.isFollowUpDue = true
		}
		const isDone = campaign.messages.every(({ status }) => status !== 'pending')
		if (isDone && !['cancelled', 'failed'].includes(campaign.status)) campaign.status = 'completed'
	}

	/**
	 * Returns the failed messages of a campaign whose recipients neither it nor one of its follow-ups has reached or is about
	 * to reach.
	 */
	unreached(campaign: ModelCampaign, isWorthIt: (code: number) => boolean): ModelMessage[] {
		const others = this.campaigns.filter((other) => rootOf(other) === rootOf(campaign))
		const reached = others.flatMap(({ messages }) => messages.filter(({ status }) => status !== 'failed'))
		return campaign.messages.filter(
			({ status, code, number }) =>
				status === 'failed' && isWorthIt(code ?? 0) && !reached.some((message) => message.number === number),
		)
	}

	/**
	 * Creates the follow-up of a campaign at the category and price that the owner agreed to. Returns null if it cannot be
	 * created.
	 */
	followUp(campaign: ModelCampaign): ModelCampaign | null {
		campaign.isFollowUpDue = false
		const { isMarketing } = campaign
		const later = this.campaigns.filter((other) => rootOf(other) === rootOf(campaign) && other.id > campaign.id)
		const messages = this.unreached(campaign, (code) => code === THROTTLED)
			.filter(({ number }) => !later.some((other) => other.messages.some((message) => message.number === number)))
			.filter(({ number }) => !isMarketing || !this.optedOut.has(number))
			.map(({ number }, index) => newMessage(number, index + 1))
		const today = isMarketing ? this.prices.marketingPaise : this.prices.utilityPaise
		const made = newCampaign({
			messages,
			isMarketing,
			pricePaise: Math.min(campaign.pricePaise, today),
			retriesThrottled: true,
			followUpNumber: campaign.followUpNumber + 1,
			retryOf: campaign,
			isFromChat: false,
		})
		return this.isInUse && this.pay(made) ? made : null
	}

	/** Changes the category of the template. Campaigns that have not begun wait for their owner to confirm the new price. */
	moveTemplate(): void {
		this.isMarketing = !this.isMarketing
		const { isMarketing, pricePaise } = this
		for (const campaign of this.campaigns) {
			if (campaign.isOpened || !['pending', 'paused'].includes(campaign.status)) continue
			if (campaign.isMarketing === isMarketing || campaign.pricePaise === pricePaise) {
				Object.assign(campaign, { isMarketing, offered: null })
			} else Object.assign(campaign, { status: 'paused', offered: { pricePaise, isMarketing } })
		}
	}

	/** Resumes a paused campaign. Returns false if the wallet cannot pay a confirmed price. */
	resume(campaign: ModelCampaign): boolean {
		const { offered, pricePaise, messages } = campaign
		if (offered) {
			const paise = (offered.pricePaise - pricePaise) * messages.length
			if (paise > this.available) return false
			this.available -= paise
			Object.assign(campaign, { ...offered, offered: null })
		}
		campaign.status = campaign.isOpened ? 'processing' : 'pending'
		return true
	}

	/** Current price of a message. */
	get pricePaise(): number {
		return this.isMarketing ? this.prices.marketingPaise : this.prices.utilityPaise
	}

	/**
	 * Moves the price of a message between hold, charged and free. A failed message costs nothing; every other one has its
	 * price on hold or charged, unless the wallet could not pay.
	 */
	private move(campaign: ModelCampaign, was: MessageStatus, now: MessageStatus): void {
		const { pricePaise } = campaign
		if (was !== 'failed' && now === 'failed') {
			if (was !== 'pending' && campaign.waived > 0) campaign.waived--
			else this.available += pricePaise
		} else if (was === 'failed' && now !== 'failed') {
			if (this.available < pricePaise) campaign.waived++
			else this.available -= pricePaise
		}
	}

	get held(): number {
		return this.campaigns.reduce((sum, { pricePaise, messages }) => {
			return sum + pricePaise * messages.filter(({ status }) => status === 'pending').length
		}, 0)
	}

	/** Returns one line for each campaign, in the format that the database query produces. */
	describe(): string {
		const lines = this.campaigns.map(({ id, status, pricePaise, waived, isFollowUpDue, messages }) => {
			const states = messages.map((message) => `${message.status}${message.code ?? ''}`)
			const follows = isFollowUpDue ? 'follows' : 'ends'
			return `${id} ${status} at ${pricePaise}, waived ${waived}, ${follows}: ${states.join(' ')}`
		})
		return [`available ${this.available}, held ${this.held}`, ...lines].join('\n')
	}
}

/**
 * Returns true if a status may replace the current one. A status only rises; an unconfirmed failure gives way to any status of
 * the network.
 */
function rises(message: ModelMessage, status: MessageStatus, code: number | null): boolean {
	if (message.status === 'pending') return true
	const isOwn = code !== null && code < 0
	if (isOwn && code !== EXPIRED) return false
	if (ORDER.indexOf(status) > ORDER.indexOf(message.status)) return true
	return message.status === 'failed' && message.code === UNCONFIRMED && !isOwn
}

function rootOf(campaign: ModelCampaign): ModelCampaign {
	return campaign.retryOf ? rootOf(campaign.retryOf) : campaign
}

export function newMessage(number: string, seq: number): ModelMessage {
	return { number, seq, status: 'pending', code: null, place: 'queue', wasHanded: false, wamid: null }
}

export function newCampaign(
	given: Pick<
		ModelCampaign,
		'pricePaise' | 'isMarketing' | 'retriesThrottled' | 'retryOf' | 'isFromChat' | 'messages'
	> & {
		followUpNumber?: number
	},
): ModelCampaign {
	const isOpened = given.isFromChat
	const state = { status: isOpened ? 'processing' : 'pending', isOpened, offered: null, waived: 0 } as const
	return { id: 0, isFollowUpDue: false, followUpNumber: 0, ...state, ...given }
}
