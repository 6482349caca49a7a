import { isRecord } from '#features/whatsapp/server/graph-client.ts'

/** Meta's pricing of one message, as a status update names it. Meta adds values of both: unknown ones are kept as they are. */
export interface ReportedPricing {
	/** Category in lower case: marketing, utility, authentication, service, referral_conversion, … */
	category: string
	/** Type in lower case: regular, free_customer_service, free_entry_point, paid_exempt, … */
	type: string
}

/** Type of a message that Meta names as not billable without saying why. */
const NOT_BILLABLE = 'not_billable'
/** Subtype of messages that Meta exempts from its charge, such as those of governments. */
const EXEMPT = 'paid_exempt'
const MAX_LENGTH = 40

/** Reads the `pricing` of a status update. Returns null without a category, and without any word on the charge. */
export function readPricing(value: unknown): ReportedPricing | null {
	if (!isRecord(value)) return null
	const category = wordOf(value.category)
	// `billable` is the only word on the charge in updates of before July 2025.
	const billable = value.billable === true ? 'regular' : value.billable === false ? NOT_BILLABLE : ''
	const type = wordOf(value.subtype) === EXEMPT ? EXEMPT : wordOf(value.type) || billable
	return category && type ? { category, type } : null
}

/**
 * Returns whether Meta charges messages of a type; null for a type that is unknown. Types that begin with `free` are free,
 * also those that Meta adds.
 */
export function isChargedType(type: string): boolean | null {
	if (type === 'regular') return true
	return type.startsWith('free') || type === NOT_BILLABLE || type === EXEMPT ? false : null
}

/** Returns an enum's value in lower case, of letters, digits, `_` and `-` alone; empty for anything but a text. */
function wordOf(value: unknown): string {
	if (typeof value !== 'string') return ''
	return value
		.slice(0, MAX_LENGTH)
		.toLowerCase()
		.replace(/[^a-z0-9_-]/g, '_')
}
