import type { MessageStatus } from '#features/delivery/rules.ts'
import type { PriceList } from '#features/pricing/rules.ts'
import { Random } from '#test/soak/random.ts'
import { firstPaymentStep, paymentStep, type PaymentStep } from './payment-steps.ts'

/** Number of recipients of every campaign of a history. The last one is in the United Arab Emirates. */
export const CONTACTS = 3

/** The parts of an account's price list that histories change. */
export type ListedPrices = Pick<
	PriceList,
	'marketingPaise' | 'utilityPaise' | 'servicePaise' | 'abroadRule' | 'abroadPercent' | 'fixedPrices' | 'passesOnFree'
>

const ANSWERS = [
	'accepted',
	'refused',
	'throttled',
	'overloaded',
	'overloaded',
	'unreachable',
	'silent',
	'silent',
	'not sent',
] as const
export type Answer = (typeof ANSWERS)[number]

/** A status update of a campaign's message. `type` is its pricing, null without. */
export interface StatusUpdateStep {
	message: number
	type: string | null
	status: Exclude<MessageStatus, 'pending'>
	code: number | null
	isByWamid: boolean
}

/** A status update of a reply. `reply` counts back from the latest one; `type` is its pricing, null without. */
interface ReplyUpdate {
	reply: number
	status: Exclude<MessageStatus, 'pending'>
	code: number
	type: string | null
}

/** A step of a history. `campaign` counts back from the latest campaign, `message` is the index in the campaign. */
export type Step =
	| { kind: 'recharge'; paise: number }
	| { kind: 'create'; isOpened: boolean }
	| {
			kind: 'send'
			campaign: number
			isRetry: boolean
			limit: number
			answers: Answer[]
			/** Settles twice, as after a COMMIT whose answer was lost. */
			isRepeated: boolean
	  }
	/** A worker claims messages, hands some of them to connections, and dies. */
	| { kind: 'crash'; campaign: number; isRetry: boolean; limit: number; handed: number; hasLog: boolean }
	| { kind: 'status updates'; campaign: number; statusUpdates: StatusUpdateStep[]; isRepeated: boolean }
	| { kind: 'open' | 'pause' | 'resume' | 'cancel' | 'retry failed'; campaign: number }
	| { kind: 'prices'; prices: ListedPrices }
	/** Sends a template from a chat. */
	| { kind: 'order'; contact: number }
	/** Sends a reply in a chat. */
	| { kind: 'reply' | 'erase chats' }
	| { kind: 'reply updates'; updates: ReplyUpdate[]; isRepeated: boolean }
	| { kind: 'opt out' | 'opt in'; contact: number }
	| { kind: 'deactivate' | 'activate' | 'delete' | 'move template' | 'recover' }
	| PaymentStep
	| Sweep

/** A sweep of all accounts, which happens at the same step of all histories that run in parallel. */
export interface Sweep {
	kind: 'sweep unconfirmed' | 'sweep ended' | 'sweep expired' | 'sweep payments' | 'sweep owed'
}

const SWEEPS = ['sweep unconfirmed', 'sweep unconfirmed', 'sweep ended', 'sweep expired'] as const
/** Sweeps of histories with payments: mostly the poll of payments, and the collection of owed money. */
const PAYMENT_SWEEPS = ['sweep payments', 'sweep payments', 'sweep owed', ...SWEEPS] as const
const SWEEP_SHARE = 0.12

export const isSweep = (step: Step): step is Sweep => (PAYMENT_SWEEPS as readonly string[]).includes(step.kind)

/** Share of payments among the steps of a history with payments. */
const PAYMENT_SHARE = 0.7
/** Share of orders among the other steps of such a history, so that orders spend the money that payments add. */
const ORDER_SHARE = 0.4

/** Selects a history. `hasPayments` mixes online payments into its steps. */
interface HistoryChoice {
	seed: number
	group: number
	steps: number
	hasPayments: boolean
}

/** Returns the steps of one history. Histories of one group have their sweeps at the same steps. */
export function historyOf({ seed, group, steps, hasPayments }: HistoryChoice): Step[] {
	const kind = hasPayments ? 'payments ' : ''
	const sweeps = new Random(`${kind}sweeps ${group}`)
	const random = new Random(`${kind}history ${seed}`)
	return Array.from({ length: steps }, (_, index): Step => {
		const sweep = sweeps.next() < SWEEP_SHARE ? sweeps.pick(hasPayments ? PAYMENT_SWEEPS : SWEEPS) : undefined
		// A campaign and its messages come first: little can happen without them.
		if (index === 0) return { kind: 'recharge', paise: 50 + 10 * below(random, 30) }
		if (index === 1) return prices(random)
		if (index === 2) return create(random)
		if (index === 3) return send(random)
		if (hasPayments && index === 4) return firstPaymentStep(random)
		// The deletion comes late: little can happen to a deleted user.
		if (index > steps * 0.8 && isSo(random, 0.5 / steps)) return { kind: 'delete' }
		if (sweep) return { kind: sweep }
		if (hasPayments && isSo(random, PAYMENT_SHARE)) return paymentStep(random)
		return hasPayments && isSo(random, ORDER_SHARE) ? create(random) : ownStep(random)
	})
}

const below = (random: Random, limit: number) => Math.floor(random.next() * limit)
const isSo = (random: Random, chance = 0.5) => random.next() < chance

type Maker = (random: Random) => Step

/** Returns the index of a campaign, mostly the latest. */
const campaignOf = (random: Random) => (isSo(random, 0.6) ? 0 : below(random, 4))

const create: Maker = (random) => ({
	kind: 'create',
	isOpened: isSo(random, 0.85),
})

const send: Maker = (random) => ({
	kind: 'send',
	campaign: campaignOf(random),
	isRetry: isSo(random, 0.3),
	limit: isSo(random) ? CONTACTS : 1 + below(random, CONTACTS),
	answers: Array.from({ length: CONTACTS }, () => (isSo(random) ? 'accepted' : (random.pick(ANSWERS) ?? 'accepted'))),
	isRepeated: isSo(random, 0.2),
})

const crash: Maker = (random) => ({
	kind: 'crash',
	campaign: campaignOf(random),
	isRetry: isSo(random, 0.3),
	limit: 1 + below(random, CONTACTS),
	handed: below(random, CONTACTS + 1),
	hasLog: isSo(random, 0.7),
})

const statusUpdates: Maker = (random) => ({
	kind: 'status updates',
	campaign: campaignOf(random),
	statusUpdates: Array.from({ length: 1 + below(random, 4) }, () => ({
		message: below(random, CONTACTS),
		status: random.pick(['sent', 'delivered', 'read', 'failed', 'failed'] as const) ?? 'sent',
		code: random.pick([131026, 131049, 131000, 131000]) ?? null,
		type: random.pick([null, null, ...PRICING_TYPES]) ?? null,
		isByWamid: isSo(random, 0.3),
	})),
	isRepeated: isSo(random, 0.3),
})

/** Types of pricing: two that charge, two free ones, and one that WhatsApp has added. */
const PRICING_TYPES = ['regular', 'regular', 'free_customer_service', 'free_entry_point', 'barter']

const replyUpdates: Maker = (random) => ({
	kind: 'reply updates',
	updates: Array.from({ length: 1 + below(random, 4) }, () => ({
		reply: below(random, 3),
		status: random.pick(['sent', 'delivered', 'read', 'failed'] as const) ?? 'sent',
		code: 131026,
		type: random.pick([null, null, ...PRICING_TYPES]) ?? null,
	})),
	isRepeated: isSo(random, 0.3),
})

const onCampaign =
	(kind: 'open' | 'pause' | 'resume' | 'cancel' | 'retry failed'): Maker =>
	(random) => ({ kind, campaign: campaignOf(random) })
const plain =
	(kind: 'deactivate' | 'activate' | 'move template' | 'recover' | 'reply' | 'erase chats'): Maker =>
	() => ({ kind })
const onContact =
	(kind: 'order' | 'opt out' | 'opt in'): Maker =>
	(random) => ({ kind, contact: below(random, CONTACTS) })

const prices: Maker = (random) => ({
	kind: 'prices',
	prices: {
		marketingPaise: 5 * below(random, 20),
		utilityPaise: 5 * below(random, 20),
		servicePaise: 3 * below(random, 5),
		abroadRule: random.pick(['same', 'same', 'card', 'blocked'] as const) ?? 'same',
		abroadPercent: below(random, 30),
		passesOnFree: isSo(random),
		fixedPrices: (['marketing', 'utility'] as const)
			.filter(() => isSo(random, 0.6))
			.map((category) => ({ market: 'AE', category, paise: 5 * below(random, 25) })),
	},
})

const MAKERS: readonly (readonly [weight: number, maker: Maker])[] = [
	[26, send],
	[26, statusUpdates],
	[5, onCampaign('open')],
	[6, create],
	[5, onContact('order')],
	[7, crash],
	[4, (random) => ({ kind: 'recharge', paise: 1 + below(random, 200) })],
	[3, onCampaign('cancel')],
	[4, onCampaign('resume')],
	[7, onCampaign('retry failed')],
	[2, plain('recover')],
	[2, onCampaign('pause')],
	[3, prices],
	[8, plain('reply')],
	[10, replyUpdates],
	[0.5, plain('erase chats')],
	[1.5, plain('move template')],
	[1.5, onContact('opt out')],
	[1.5, onContact('opt in')],
	[3, plain('activate')],
	[0.7, plain('deactivate')],
]
const TOTAL_WEIGHT = MAKERS.reduce((sum, [weight]) => sum + weight, 0)

function ownStep(random: Random): Step {
	let left = random.next() * TOTAL_WEIGHT
	const found = MAKERS.find(([weight]) => (left -= weight) < 0)
	return (found?.[1] ?? plain('recover'))(random)
}
