import type { MessageStatus } from '#features/delivery/rules.ts'
import type { ModelPayment } from './model-payments.ts'
import type { ModelReply } from './model-replies.ts'
import { ModelWallet } from './model-wallet.ts'
import type { ListedPrices } from './steps.ts'

export type CampaignStatus = 'pending' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed'

export interface ModelMessage {
	seq: number
	number: string
	/** Price of its own; null for the campaign's price. */
	ownPaise: number | null
	/** True when the first pricing says that WhatsApp does not charge the message; null before, and where that is not passed on. */
	isFree: boolean | null
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
	/** True when its order passes on what WhatsApp does not charge. */
	passesOnFree: boolean
	/** Price that waits for the account's confirmation. */
	offered: { pricePaise: number; isMarketing: boolean; prices: Map<string, number | null> } | null
	/** True if messages have had prices of their own. */
	hasOwnPrices: boolean
	isOpened: boolean
	retryOf: ModelCampaign | null
	/** True for a campaign of one message. An error that would pause a normal campaign ends it. */
	isFromChat: boolean
	/** Number of confirmed messages at the campaign's price that could not be charged. */
	waived: number
	messages: ModelMessage[]
}

export interface Word {
	message: ModelMessage
	status: Exclude<MessageStatus, 'pending'>
	code?: number | null
	wamid?: string | null
	/** Type of its pricing; null without. */
	type?: string | null
}

/** Prices with which a history begins. */
export const FIRST_PRICES: ListedPrices = {
	marketingPaise: 30,
	utilityPaise: 10,
	servicePaise: 4,
	abroadRule: 'same',
	abroadPercent: 0,
	fixedPrices: [],
	passesOnFree: false,
}

const ORDER: readonly MessageStatus[] = ['pending', 'sent', 'failed', 'delivered', 'read']
const UNCONFIRMED = -1
const EXPIRED = -3
const THROTTLED = 131049

/** The expected state of an account, computed by a second, shortest possible implementation of the rules. */
export class Model extends ModelWallet {
	prices: ListedPrices = FIRST_PRICES
	isInUse = true
	isDeleted = false
	isMarketing = true
	readonly optedOut = new Set<string>()
	readonly campaigns: ModelCampaign[] = []
	/** Replies with a price, oldest first. */
	readonly replies: ModelReply[] = []
	readonly payments: ModelPayment[] = []

	/** Holds the price of all messages. Returns false and changes nothing when the wallet has less, or when money is owed. */
	pay(campaign: ModelCampaign): boolean {
		const paise = costOf(campaign)
		if (campaign.messages.length === 0 || paise > this.available || this.owed > 0) return false
		this.available -= paise
		this.campaigns.push(campaign)
		return true
	}

	/** Applies one batch of status updates to the messages of a campaign, one after the other. */
	settle(campaign: ModelCampaign, words: readonly Word[]): void {
		for (const { message, status, code = null, wamid = null, type = null } of words) {
			if (status !== 'failed') this.hear(campaign, message, type)
			if (!rises(message, status, code)) continue
			this.move(campaign, message, status)
			Object.assign(message, { status, code: status === 'failed' ? code : null, wamid: wamid ?? message.wamid })
		}
		const isDone = campaign.messages.every(({ status }) => status !== 'pending')
		if (isDone && !['cancelled', 'failed'].includes(campaign.status)) campaign.status = 'completed'
	}

	/**
	 * Returns the failed messages of a campaign whose recipients no campaign of its family has reached or is about to reach,
	 * and for whom none was throttled.
	 */
	unreached(campaign: ModelCampaign, isWorthIt: (code: number) => boolean): ModelMessage[] {
		const others = this.campaigns.filter((other) => rootOf(other) === rootOf(campaign))
		const reached = others.flatMap(({ messages }) =>
			messages.filter(({ status, code }) => status !== 'failed' || code === THROTTLED),
		)
		return campaign.messages.filter(
			({ status, code, number }) =>
				status === 'failed' && isWorthIt(code ?? 0) && !reached.some((message) => message.number === number),
		)
	}

	/** Changes the category of the template. Campaigns that have not begun wait until their account confirms the new price. */
	moveTemplate(): void {
		this.isMarketing = !this.isMarketing
		const { isMarketing, pricePaise } = this
		for (const campaign of this.campaigns) {
			if (campaign.isOpened || !['pending', 'paused'].includes(campaign.status)) continue
			const isSplit = campaign.hasOwnPrices || this.isSplit(isMarketing)
			if (campaign.isMarketing === isMarketing || (campaign.pricePaise === pricePaise && !isSplit)) {
				Object.assign(campaign, { isMarketing, offered: null })
				continue
			}
			const numbers = campaign.messages.map(({ number }) => number)
			const prices = new Map(numbers.map((number) => [number, this.priceFor(number, isMarketing)]))
			Object.assign(campaign, { status: 'paused', offered: { pricePaise, isMarketing, prices } })
		}
	}

	/**
	 * Resumes a paused campaign. Returns null, or the status of the refusal if no recipient has a confirmed price or the
	 * wallet cannot pay it.
	 */
	resume(campaign: ModelCampaign): 402 | 409 | null {
		const { offered } = campaign
		if (offered) {
			const { isMarketing, pricePaise } = offered
			const messages = campaign.messages.flatMap((message) => {
				const paise = offered.prices.get(message.number) ?? null
				return paise === null ? [] : { ...message, ownPaise: paise === pricePaise ? null : paise }
			})
			if (messages.length === 0) return 409
			const hasOwnPrices = messages.some(({ ownPaise }) => ownPaise !== null)
			const repriced = { ...campaign, isMarketing, pricePaise, messages, hasOwnPrices, offered: null }
			const paise = costOf(repriced) - costOf(campaign)
			if (paise > this.available) return 402
			this.available -= paise
			Object.assign(campaign, repriced)
		}
		campaign.status = campaign.isOpened ? 'processing' : 'pending'
		return null
	}

	/** Returns the present price of a message, or null if messages to the number's market have none. */
	priceFor(number: string, isMarketing = this.isMarketing): number | null {
		const { marketingPaise, utilityPaise, abroadRule, abroadPercent, fixedPrices } = this.prices
		const [home, rate] = isMarketing ? [marketingPaise, 3_661_300] : [utilityPaise, 1_150_900]
		if (!number.startsWith('971')) return home
		const fixed = fixedPrices.find(({ category }) => category === (isMarketing ? 'marketing' : 'utility'))
		if (fixed) return fixed.paise
		const increased = Math.ceil((rate * (100 + abroadPercent)) / 1_000_000)
		return { same: home, blocked: null, card: Math.max(home, increased) }[abroadRule]
	}

	/** Returns true if messages of a category may cost more or less abroad. */
	private isSplit(isMarketing: boolean): boolean {
		return this.prices.abroadRule !== 'same' || this.priceFor('971', isMarketing) !== this.priceFor('91', isMarketing)
	}

	/** Current price of a message. */
	get pricePaise(): number {
		return this.isMarketing ? this.prices.marketingPaise : this.prices.utilityPaise
	}

	/**
	 * Moves the price of a message between hold, charged and free. A failed message costs nothing; every other one has its
	 * price on hold or charged, unless the wallet could not pay.
	 */
	private move(campaign: ModelCampaign, message: ModelMessage, now: MessageStatus): void {
		const was = message.status
		const paise = priceOf(campaign, message)
		const isOwn = message.ownPaise !== null
		if (was !== 'failed' && now === 'failed') {
			if (was !== 'pending' && !isOwn && campaign.waived > 0) campaign.waived--
			else this.available += paise
		} else if (was === 'failed' && now !== 'failed') {
			if (this.available >= paise) this.available -= paise
			// A waived message with a price of its own is free from now on.
			else if (isOwn) message.ownPaise = 0
			else campaign.waived++
		}
	}

	/** Applies pricing: the first one that shows whether WhatsApp charges the message counts, and a free one has no price. */
	private hear(campaign: ModelCampaign, message: ModelMessage, type: string | null): void {
		if (!campaign.passesOnFree || message.isFree !== null || type === null || type === 'barter') return
		message.isFree = type !== 'regular'
		if (!message.isFree) return
		const isAccepted = message.status !== 'pending' && message.status !== 'failed'
		if (isAccepted && message.ownPaise === null && campaign.waived > 0) campaign.waived--
		else if (message.status !== 'failed') this.available += priceOf(campaign, message)
		message.ownPaise = 0
	}

	get held(): number {
		const replies = this.replies.reduce((sum, { money, pricePaise }) => sum + (money === 'held' ? pricePaise : 0), 0)
		return this.campaigns.reduce((sum, campaign) => {
			const messages = campaign.messages.filter(({ status }) => status === 'pending')
			return sum + costOf({ ...campaign, messages })
		}, replies)
	}

	/** Returns one line for each campaign and reply, in the format that the database query produces. */
	describe(): string {
		const lines = this.campaigns.map(({ id, status, pricePaise, waived, messages }) => {
			const states = messages.map(
				({ status: state, code, ownPaise, isFree }) =>
					`${state}${code ?? ''}${ownPaise === null ? '' : `@${ownPaise}`}${isFree === null ? '' : isFree ? '!free' : '!paid'}`,
			)
			return `${id} ${status} at ${pricePaise}, waived ${waived}: ${states.join(' ')}`
		})
		const replies = this.replies.map((reply) => `reply at ${reply.pricePaise} ${reply.status} is ${reply.money}`)
		const payments = this.payments.map(
			({ id, creditedPart, amounts, refundedPaise }) =>
				`payment ${id} credited ${creditedPart === null ? 0 : amounts.creditPaise}, refunded ${refundedPaise}`,
		)
		const wallet = `available ${this.available}, held ${this.held}, owed ${this.owed}`
		return [wallet, ...lines, ...replies, ...payments].join('\n')
	}
}

/**
 * Returns true if a status may replace the current one. A status only rises; an unconfirmed failure gives way to any status of
 * the network.
 */
export function rises(
	message: Pick<ModelMessage, 'status' | 'code'>,
	status: MessageStatus,
	code: number | null,
): boolean {
	if (message.status === 'pending') return true
	const isOwn = code !== null && code < 0
	if (isOwn && code !== EXPIRED) return false
	if (ORDER.indexOf(status) > ORDER.indexOf(message.status)) return true
	return message.status === 'failed' && message.code === UNCONFIRMED && !isOwn
}

function rootOf(campaign: ModelCampaign): ModelCampaign {
	return campaign.retryOf ? rootOf(campaign.retryOf) : campaign
}

/** Returns a message with its price, which `newCampaign` compares with the campaign's. */
export function newMessage(number: string, seq: number, ownPaise: number): ModelMessage {
	return {
		number,
		seq,
		ownPaise,
		isFree: null,
		status: 'pending',
		code: null,
		place: 'queue',
		wasHanded: false,
		wamid: null,
	}
}

/** Returns the price of a message in paise. */
export function priceOf(campaign: ModelCampaign, { ownPaise }: ModelMessage): number {
	return ownPaise ?? campaign.pricePaise
}

function costOf(campaign: ModelCampaign): number {
	return campaign.messages.reduce((sum, message) => sum + priceOf(campaign, message), 0)
}

export function newCampaign(
	given: Pick<ModelCampaign, 'pricePaise' | 'isMarketing' | 'passesOnFree' | 'retryOf' | 'isFromChat' | 'messages'>,
): ModelCampaign {
	const isOpened = given.isFromChat
	const state = { status: isOpened ? 'processing' : 'pending', isOpened, offered: null, waived: 0 } as const
	const messages = given.messages.map((message) => ({
		...message,
		ownPaise: message.ownPaise === given.pricePaise ? null : message.ownPaise,
	}))
	const hasOwnPrices = messages.some(({ ownPaise }) => ownPaise !== null)
	return { id: 0, ...state, ...given, messages, hasOwnPrices }
}
