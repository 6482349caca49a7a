import type { MessageStatus } from '#features/campaigns/contract.ts'

export type CampaignStatus = 'pending' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed'

export interface ModelMessage {
	seq: number
	number: string
	status: MessageStatus
	code: number | null
	/** How often it was held back. */
	attempt: number
	/** Who will settle it while it is pending; `queue` is never claimed, `later` held back. */
	place: 'queue' | 'claimed' | 'retry' | 'later' | 'unknown'
	/** Whether this attempt may have reached the network. */
	wasHanded: boolean
	wamid: string | null
}

export function newMessage(number: string, seq: number): ModelMessage {
	const state = { status: 'pending', code: null, attempt: 0, place: 'queue', wasHanded: false, wamid: null } as const
	return { number, seq, ...state }
}

export interface ModelCampaign {
	id: number
	status: CampaignStatus
	pricePaise: number
	isMarketing: boolean
	/** A price that waits for its owner's confirmation. */
	offered: { pricePaise: number; isMarketing: boolean } | null
	isOpened: boolean
	retriesHeldBack: boolean
	retryOf: ModelCampaign | null
	/** One message, which is never paused: what would pause it ends it. */
	isFromChat: boolean
	/** Confirmed messages that could not be charged. */
	waived: number
	messages: ModelMessage[]
}

export interface Word {
	message: ModelMessage
	/** Which attempt it is about; words about an earlier one change nothing. */
	attempt: number
	status: Exclude<MessageStatus, 'pending'>
	code?: number | null
	wamid?: string | null
}

const ORDER: readonly MessageStatus[] = ['pending', 'sent', 'failed', 'delivered', 'read']
const UNCONFIRMED = -1
const EXPIRED = -3
const HELD_BACK = 131_049
const MAX_HELD_BACK = 3

/** An account as it has to be, by rules that are written here a second time, as shortly as they can be said. */
export class Model {
	available = 0
	prices = { marketingPaise: 30, utilityPaise: 10 }
	isInUse = true
	isDeleted = false
	isMarketing = true
	readonly optedOut = new Set<string>()
	readonly campaigns: ModelCampaign[] = []

	/** Holds the price of all messages; false, and nothing is written, when the wallet has less. */
	pay(campaign: ModelCampaign): boolean {
		const paise = campaign.messages.length * campaign.pricePaise
		if (campaign.messages.length === 0 || paise > this.available) return false
		this.available -= paise
		this.campaigns.push(campaign)
		return true
	}

	/** Applies one batch of words about the messages of a campaign, each in its turn. */
	settle(campaign: ModelCampaign, words: readonly Word[]): void {
		const isRetried =
			campaign.retriesHeldBack && campaign.waived === 0 && campaign.status !== 'cancelled' && this.isInUse
		const mayWait = new Set(isRetried ? words.map((w) => w.message).filter((m) => m.status !== 'failed') : [])
		for (const word of words) {
			const { message, status, code = null, wamid = null } = word
			if (word.attempt !== message.attempt || !rises(message, status, code)) continue
			if (code === HELD_BACK && mayWait.has(message) && message.attempt < MAX_HELD_BACK) {
				const attempt = message.attempt + 1
				Object.assign(message, {
					status: 'pending',
					code: null,
					attempt,
					place: 'later',
					wasHanded: false,
					wamid: null,
				})
				continue
			}
			this.move(campaign, message.status, status)
			Object.assign(message, { status, code: status === 'failed' ? code : null, wamid: wamid ?? message.wamid })
		}
		const isDone = campaign.messages.every(({ status }) => status !== 'pending')
		if (isDone && !['cancelled', 'failed'].includes(campaign.status)) campaign.status = 'completed'
		if (!isDone && campaign.status === 'completed') campaign.status = 'processing'
	}

	/** The template's category changes: what has not begun waits for its owner to confirm another price. */
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

	/** False where the wallet cannot pay a confirmed price. */
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

	/** What a message costs now. */
	get pricePaise(): number {
		return this.isMarketing ? this.prices.marketingPaise : this.prices.utilityPaise
	}

	/** What has failed costs nothing; everything else has its price, on hold or spent, unless the wallet could not pay. */
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

	/** One line a campaign, as the database is asked to describe itself. */
	describe(): string {
		const lines = this.campaigns.map(({ id, status, pricePaise, waived, messages }) => {
			const states = messages.map((message) => `${message.status}${message.code ?? ''}`)
			return `${id} ${status} at ${pricePaise}, waived ${waived}: ${states.join(' ')}`
		})
		return [`available ${this.available}, held ${this.held}`, ...lines].join('\n')
	}
}

/** A status only rises, but for an unconfirmed failure, which gives way to any word of the network. */
function rises(message: ModelMessage, status: MessageStatus, code: number | null): boolean {
	if (message.status === 'pending') return true
	const isOwn = code !== null && code < 0
	if (isOwn && code !== EXPIRED) return false
	if (ORDER.indexOf(status) > ORDER.indexOf(message.status)) return true
	return message.status === 'failed' && message.code === UNCONFIRMED && !isOwn
}
