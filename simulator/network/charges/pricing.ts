export type PricingType = 'regular' | 'free_customer_service' | 'free_entry_point'

/** Meta's charge for one message, as its statuses state it. */
export interface Charge {
	type: PricingType
	/** marketing, utility, authentication, service, or referral_conversion within a free entry point. */
	category: string
	/** Conversation of the free entry point; absent outside of one. */
	conversation?: Conversation
	/** True for a reaction, which is free and counts towards nothing. */
	isUncounted?: true
}

export interface Conversation {
	id: string
	/** Milliseconds since 1970. */
	expiresAt: number
}

const cache = new Map<string, string>()

/** Returns the members of a status that state its charge, as JSON text that follows other members. */
export function pricingText({ type, category, conversation }: Charge, isBillableShown: boolean): string {
	const key = `${category} ${type} ${isBillableShown}`
	let text = cache.get(key)
	if (text === undefined) {
		const billable = isBillableShown ? { billable: type === 'regular' } : {}
		text = `,"pricing":${JSON.stringify({ ...billable, pricing_model: 'PMP', type, category })}`
		cache.set(key, text)
	}
	return conversation ? `${text},"conversation":${conversationText(conversation)}` : text
}

function conversationText({ id, expiresAt }: Conversation): string {
	const expiration_timestamp = String(Math.floor(expiresAt / 1_000))
	return JSON.stringify({ id, expiration_timestamp, origin: { type: 'referral_conversion' } })
}

/** Reads the charge of a journal's message. Journals of earlier versions contain its `pricing` as text. */
export function chargeOf(kept: Charge | string): Charge {
	if (typeof kept !== 'string') return kept
	const { type, category } = JSON.parse(kept) as Charge
	return { type, category }
}
