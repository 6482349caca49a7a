import type { MarketingRoute } from '#features/delivery/contract.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'

/** WhatsApp's word for an account that has joined the marketing route. Any other word, and null, means that it has not. */
const ONBOARDED = 'ONBOARDED'

/** Returns the endpoint that a message refused by `endpoint` is sent on. */
export function otherEndpoint(endpoint: SendEndpoint): SendEndpoint {
	return endpoint === 'messages' ? 'marketing_messages' : 'messages'
}

/** The facts that decide the endpoint of a message. */
export interface RouteQuestion {
	/** The template's completed category at WhatsApp, such as MARKETING. */
	category: string
	/** WhatsApp's word for the account's onboarding to the marketing route; null when unknown. */
	onboarding: string | null
	setting: MarketingRoute
	/** The endpoint chosen after a refusal of this template; null without one. */
	choice: SendEndpoint | null
	/** The endpoint that has refused this message; null for a message that was not refused. */
	refusedBy: SendEndpoint | null
}

/** Returns the endpoint of a message. Marketing takes `marketing_messages` when the account has joined it. */
export function endpointOf({ category, onboarding, setting, choice, refusedBy }: RouteQuestion): SendEndpoint {
	if (setting === 'messages') return 'messages'
	if (refusedBy) return otherEndpoint(refusedBy)
	if (choice) return choice
	return isMarketing(category) && onboarding === ONBOARDED ? 'marketing_messages' : 'messages'
}

export function isMarketing(category: string): boolean {
	return category.toUpperCase() === 'MARKETING'
}

/** A refusal that means the other endpoint: WhatsApp did not accept the message, and may accept it there. */
export interface RouteRefusal {
	/** The endpoint that refuses with this code. */
	by: SendEndpoint
	/** Seconds for which the other endpoint is chosen. */
	forSeconds: number
	/** Extent of the choice: the template, or all templates of the account. */
	scope: 'template' | 'account'
	/** True when the category here may be old, so that the template is read from WhatsApp again. */
	rereads: boolean
}

const MINUTE = 60
const DAY = 86_400
const FROM_MARKETING = { by: 'marketing_messages', forSeconds: 30 * DAY, scope: 'template', rereads: false } as const
const FROM_MESSAGES = { by: 'messages', forSeconds: 30 * DAY, scope: 'template', rereads: false } as const

/** WhatsApp's codes for a message on the wrong endpoint. */
const ROUTE_REFUSALS: ReadonlyMap<number, RouteRefusal> = new Map<number, RouteRefusal>([
	/** Not a marketing template. */
	[131055, { ...FROM_MARKETING, rereads: true }],
	[134100, { ...FROM_MARKETING, rereads: true }],
	/** The template is being prepared, which takes about ten minutes. */
	[134101, { ...FROM_MARKETING, forSeconds: 10 * MINUTE }],
	/** The account cannot use the marketing route. */
	[134102, { ...FROM_MARKETING, forSeconds: 7 * DAY, scope: 'account' }],
	/** The account takes no marketing on `messages`. */
	[131063, { ...FROM_MESSAGES, rereads: true }],
	/** A template with a highest price. */
	[131061, FROM_MESSAGES],
])

/** Codes of `ROUTE_REFUSALS`. */
export const ROUTE_CODES: readonly number[] = [...ROUTE_REFUSALS.keys()]

/** A refused message and where it was refused. */
interface Refused {
	code: number
	endpoint: SendEndpoint
	setting: MarketingRoute
	refusedBy: SendEndpoint | null
}

/**
 * Returns what follows when `endpoint` refuses a message with a code:
 * - a `RouteRefusal`: the message is sent once on the other endpoint;
 * - `failed`: both endpoints have refused it, so it fails;
 * - null: the code is not about the endpoint, or the account allows no other endpoint.
 */
export function afterRefusal({ code, endpoint, setting, refusedBy }: Refused): RouteRefusal | 'failed' | null {
	const refusal = ROUTE_REFUSALS.get(code)
	if (!refusal) return null
	if (refusedBy && refusedBy !== endpoint) return 'failed'
	if (refusal.by !== endpoint || (endpoint === 'messages' && setting === 'messages')) return null
	return refusal
}

/** A remembered endpoint of a template, with the facts under which WhatsApp refused the other one. */
export interface RouteChoice {
	/** `*` for all templates of the account. */
	name: string
	language: string
	endpoint: SendEndpoint
	/** WhatsApp's code of the refusal. */
	code: number
	/** Empty for all templates of the account. */
	category: string
	onboarding: string | null
	untilMs: number
}

/** The name of a choice for all templates of the account; no template can have it. */
export const ALL_TEMPLATES = '*'

/** Returns true while a choice counts: until its time, and while category and onboarding state are unchanged. */
export function counts(
	choice: RouteChoice,
	{ category, onboarding, nowMs }: { category: string; onboarding: string | null; nowMs: number },
): boolean {
	const isSameCategory = choice.name === ALL_TEMPLATES || choice.category === category
	return choice.untilMs > nowMs && isSameCategory && choice.onboarding === onboarding
}
