import type { Random } from '#test/soak/random.ts'

/** Faults of the provider's answer to a call: none, an answer that gets lost after the call took effect, and a refusal. */
export type CallFault = 'none' | 'lost' | 'refused'

/**
 * Faults of a check: a silent provider, a crash after its answer, a crash within the transaction, two checks at once, and a check
 * whose reading has been overtaken by a refund and its check.
 */
const CHECK_FAULTS = ['silent', 'crash after answer', 'crash in transaction', 'at once', 'overtaken'] as const
export type CheckFault = 'none' | (typeof CHECK_FAULTS)[number]

/** An event of online payments. `payment` counts back from the latest payment. */
export type PaymentStep = { kind: 'payment' } & (
	| { does: 'begin'; paise: number; fault: CallFault; isRepeated: boolean }
	/** The bank takes money for the page; `otherPaise` and `currency` differ from what the page asks for. */
	| { does: 'pay'; payment: number; otherPaise: number | null; currency: string }
	| { does: 'cancel'; payment: number }
	| { does: 'expire'; payment: number }
	/** `tenths` of the paid amount go back to the payer, as far as they have not. */
	| { does: 'refund'; payment: number; tenths: number }
	| { does: 'lose dispute'; payment: number }
	| { does: 'webhook'; payment: number; isForged: boolean; times: number }
	/** `ofNext` presents the return of one payment to its neighbour. */
	| { does: 'return'; payment: number; isForged: boolean; ofNext: boolean }
	| { does: 'check'; payment: number; fault: CheckFault }
)

const below = (random: Random, limit: number) => Math.floor(random.next() * limit)
const isSo = (random: Random, chance = 0.5) => random.next() < chance
const paymentOf = (random: Random) => (isSo(random, 0.6) ? 0 : below(random, 4))

/** Paise as small as a campaign costs, so that wallets run empty. The tax of some has to be rounded. */
const amount = (random: Random) => 200 + below(random, 4) * 133

type Maker = (random: Random) => PaymentStep

const MAKERS: readonly (readonly [weight: number, maker: Maker])[] = [
	[
		12,
		(random) => ({
			kind: 'payment',
			does: 'begin',
			paise: amount(random),
			fault: random.pick(['none', 'none', 'none', 'lost', 'refused'] as const) ?? 'none',
			isRepeated: isSo(random, 0.3),
		}),
	],
	[
		18,
		(random) => ({
			kind: 'payment',
			does: 'pay',
			payment: paymentOf(random),
			otherPaise: isSo(random, 0.2) ? 1 + below(random, 1_000) : null,
			currency: isSo(random, 0.1) ? 'USD' : 'INR',
		}),
	],
	[2, (random) => ({ kind: 'payment', does: 'cancel', payment: paymentOf(random) })],
	[2, (random) => ({ kind: 'payment', does: 'expire', payment: paymentOf(random) })],
	[8, (random) => ({ kind: 'payment', does: 'refund', payment: paymentOf(random), tenths: 1 + below(random, 10) })],
	[4, (random) => ({ kind: 'payment', does: 'lose dispute', payment: paymentOf(random) })],
	[
		12,
		(random) => ({
			kind: 'payment',
			does: 'webhook',
			payment: paymentOf(random),
			isForged: isSo(random, 0.15),
			times: 1 + below(random, 3),
		}),
	],
	[
		7,
		(random) => ({
			kind: 'payment',
			does: 'return',
			payment: paymentOf(random),
			isForged: isSo(random, 0.15),
			ofNext: isSo(random, 0.15),
		}),
	],
	[
		24,
		(random) => ({
			kind: 'payment',
			does: 'check',
			payment: paymentOf(random),
			fault: isSo(random) ? 'none' : (random.pick(CHECK_FAULTS) ?? 'none'),
		}),
	],
]
const TOTAL_WEIGHT = MAKERS.reduce((sum, [weight]) => sum + weight, 0)

/** Returns a random event of payments. */
export function paymentStep(random: Random): PaymentStep {
	let left = random.next() * TOTAL_WEIGHT
	const found = MAKERS.find(([weight]) => (left -= weight) < 0)
	return (found?.[1] ?? firstPaymentStep)(random)
}

/** Returns the first event of a history: little can happen before a payment has begun. */
export function firstPaymentStep(random: Random): PaymentStep {
	return { kind: 'payment', does: 'begin', paise: amount(random), fault: 'none', isRepeated: false }
}
