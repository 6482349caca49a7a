import { isRecord } from '#features/whatsapp/server/graph-client.ts'

/** Meta's pricing of one message, from a status update. Meta adds categories and types: unknown ones are stored as they are. */
export interface ReportedPricing {
	/** Category in lower case: marketing, utility, authentication, service, referral_conversion, … */
	category: string
	/** Type in lower case: regular, free_customer_service, free_entry_point, paid_exempt, … */
	type: string
}

/** Type of a message that Meta does not charge, for a reason that the update does not give. */
const NOT_BILLABLE = 'not_billable'
/** Subtype of messages that Meta exempts from its charge, such as those of governments. */
const EXEMPT = 'paid_exempt'
const MAX_LENGTH = 40

/** Reads the `pricing` of a status update. Returns null unless it has a category, and a type or `billable`. */
export function readPricing(value: unknown): ReportedPricing | null {
	if (!isRecord(value)) return null
	const category = wordOf(value.category)
	// Updates before July 2025 have `billable` and no type.
	const billable = value.billable === true ? 'regular' : value.billable === false ? NOT_BILLABLE : ''
	const type = wordOf(value.subtype) === EXEMPT ? EXEMPT : wordOf(value.type) || billable
	return category && type ? { category, type } : null
}

/**
 * Returns whether Meta charges messages of a type; null for a type that is unknown. Any type that begins with `free` is free,
 * so that new free types of Meta count as free.
 */
export function isChargedType(type: string): boolean | null {
	if (type === 'regular') return true
	return type.startsWith('free') || type === NOT_BILLABLE || type === EXEMPT ? false : null
}

/** Returns an enum's value in lower case, with `_` for all but letters, digits and `-`; empty for a value that is no text. */
export function wordOf(value: unknown): string {
	if (typeof value !== 'string') return ''
	return value
		.slice(0, MAX_LENGTH)
		.toLowerCase()
		.replace(/[^a-z0-9_-]/g, '_')
}
