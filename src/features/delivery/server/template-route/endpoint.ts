import type { MarketingRoute } from '#features/delivery/contract.ts'
import { isMarketing } from '#features/delivery/rules.ts'
import { ONBOARDED } from '#features/whatsapp/rules.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'

/** Returns the endpoint that a message refused by `endpoint` is sent on. */
export function otherEndpoint(endpoint: SendEndpoint): SendEndpoint {
	return endpoint === 'messages' ? 'marketing_messages' : 'messages'
}

/** The facts that decide the endpoint of a message. */
export interface RouteQuestion {
	/** The template's category as WhatsApp decided it, such as MARKETING. */
	category: string
	/** Meta's status of the account's onboarding to the marketing route; null when unknown. */
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

/** A refusal by one endpoint after which the other endpoint may accept the message. */
export interface RouteRefusal {
	/** The endpoint that refuses with this code. */
	by: SendEndpoint
	/** Seconds for which the other endpoint is chosen. */
	forSeconds: number
	/** Extent of the choice: the template, or all templates of the account. */
	scope: 'template' | 'account'
	/** True when the stored category may be outdated, so that the template is read from WhatsApp again. */
	rereads: boolean
}

const MINUTE = 60
const DAY = 86_400
const FROM_MARKETING = { by: 'marketing_messages', forSeconds: 30 * DAY, scope: 'template', rereads: false } as const
const FROM_MESSAGES = { by: 'messages', forSeconds: 30 * DAY, scope: 'template', rereads: false } as const

/** WhatsApp prepares a template for its marketing route, which takes about ten minutes. */
const PREPARING: RouteRefusal = { ...FROM_MARKETING, forSeconds: 10 * MINUTE }

/** WhatsApp's codes for a message on the wrong endpoint. */
const ROUTE_REFUSALS: ReadonlyMap<number, RouteRefusal> = new Map<number, RouteRefusal>([
	/** The template is not a marketing template. */
	[131055, { ...FROM_MARKETING, rereads: true }],
	[134100, { ...FROM_MARKETING, rereads: true }],
	[134101, PREPARING],
	/** The account cannot use the marketing route. */
	[134102, { ...FROM_MARKETING, forSeconds: 7 * DAY, scope: 'account' }],
	/** The account takes no marketing on `messages`. */
	[131063, { ...FROM_MESSAGES, rereads: true }],
	/** The template has a maximum price. */
	[131061, FROM_MESSAGES],
])

/** Codes of `ROUTE_REFUSALS`. */
export const ROUTE_CODES: readonly number[] = [...ROUTE_REFUSALS.keys()]

/** Seconds after an account has joined the marketing route in which WhatsApp may still prepare its templates. */
const JUST_ONBOARDED_SECONDS = 30 * MINUTE
/**
 * Codes for a message with invalid parameters. Just after the onboarding, `marketing_messages` also returns them for a
 * template that WhatsApp is still preparing.
 */
const UNPREPARED_CODES: readonly number[] = [100, 131009]

/** Returns true for a refusal that ends after some minutes. */
function isPreparing(code: number, isNew: boolean): boolean {
	return code === 134101 || (isNew && UNPREPARED_CODES.includes(code))
}

/** Returns true while an account counts as new on the marketing route. A null `onboardedAtMs` is a time long ago. */
export function isJustOnboarded(
	{ onboarding, onboardedAtMs }: { onboarding: string | null; onboardedAtMs: number | null },
	nowMs: number,
): boolean {
	return onboarding === ONBOARDED && onboardedAtMs !== null && nowMs - onboardedAtMs < JUST_ONBOARDED_SECONDS * 1000
}

/** A refused message and where it was refused. */
interface Refused {
	code: number
	endpoint: SendEndpoint
	setting: MarketingRoute
	/** The endpoint that refused the message before. */
	refusedBy: SendEndpoint | null
	/** The code for which the other endpoint has refused messages of the template; null when it is not known. */
	otherCode: number | null
	isJustOnboarded: boolean
}

/** The next step after a refusal by an endpoint. A message that may be sent later does not fail. */
export type AfterRefusal =
	/** The message is sent once on the other endpoint. */
	| ({ kind: 'reroute' } & RouteRefusal)
	/** Both endpoints refuse the template, one of them for some minutes: its messages wait. */
	| { kind: 'wait'; forSeconds: number }
	/** Both endpoints refuse the template until something changes: the campaign is paused with the reason of this code. */
	| { kind: 'pause'; code: number }

/** Returns the next step when `endpoint` refuses a message; null when the code or the account leaves no other endpoint. */
export function afterRefusal(refused: Refused): AfterRefusal | null {
	const { code, endpoint, setting, refusedBy, otherCode } = refused
	if (endpoint === 'messages' && setting === 'messages') return null
	const isUnprepared = endpoint === 'marketing_messages' && isPreparing(code, refused.isJustOnboarded)
	const refusal = isUnprepared ? PREPARING : ROUTE_REFUSALS.get(code)
	if (refusal?.by !== endpoint) return null
	// The code of the other endpoint is unknown when its choice has expired, or when the message has waited since. The
	// other endpoint is then tried again.
	if (!refusedBy || refusedBy === endpoint || otherCode === null) return { kind: 'reroute', ...refusal }
	const isOtherPreparing = endpoint === 'messages' && isPreparing(otherCode, refused.isJustOnboarded)
	if (isUnprepared || isOtherPreparing) return { kind: 'wait', forSeconds: PREPARING.forSeconds }
	// The marketing route names the cause more exactly.
	return { kind: 'pause', code: endpoint === 'messages' ? otherCode : code }
}

/** The endpoint to use for a template, with the facts under which WhatsApp refused the other endpoint. */
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
	/** True when neither endpoint accepts the template until `untilMs`. */
	isWaiting?: boolean | null
}

/** The name of a choice for all templates of the account; no template can have it. */
export const ALL_TEMPLATES = '*'

/** Returns true while a choice applies: until its time, and while category and onboarding state are unchanged. */
export function isInForce(
	choice: RouteChoice,
	{ category, onboarding, nowMs }: { category: string; onboarding: string | null; nowMs: number },
): boolean {
	const isSameCategory = choice.name === ALL_TEMPLATES || choice.category === category
	return choice.untilMs > nowMs && isSameCategory && choice.onboarding === onboarding
}
