import type { StopReason } from '#features/whatsapp/rules.ts'
import type { GraphError } from '../graph-client.ts'
import { ACCOUNT_CODES } from './account-codes.ts'
import { MESSAGE_CODES } from './message-codes.ts'

/** Explanation of a failed message, for the business that sent it. */
export interface FailureWords {
	title: string
	meaning: string
	/** Advice to the business. */
	advice: string
	/** True when the same message to the same recipient may succeed later. */
	isWorthRetrying: boolean
}

/**
 * Limit that was exceeded. Only `recipient-limit` concerns the message itself and counts as an attempt; the pace and a
 * limit of the account must not fail it.
 */
export type LimitCause = 'pace' | 'account-limit' | 'recipient-limit'

/** Meaning of one of Meta's error codes. */
export interface MetaCode {
	/**
	 * Effect of the code. `limit`: not processed, to be sent again. `fault`: a fault of Meta, after which the message
	 * may have been processed. `recipient`: this person cannot be reached. `message`: this message is refused; the same
	 * code for many messages in a row blames the campaign. `campaign`: no recipient can get it. `sender`: nothing can
	 * be sent from this number.
	 */
	scope: 'limit' | 'fault' | 'recipient' | 'message' | 'campaign' | 'sender'
	/** Kind of limit, when `scope` is `limit`. */
	cause?: LimitCause
	/** `refused`: the access token is invalid or lacks a permission; `blocked`: the account is blocked. */
	access?: 'refused' | 'blocked'
	/** Explanation in a campaign's report. */
	report: FailureWords
	/** Reason why a campaign or the number was stopped, with what to do. */
	stop?: string
	/** Stop reason for an administrator, when it differs from the user's. */
	stopForAdmin?: string
	/** Text under a message of a chat. */
	chat?: string
}

export type CodeEntry = MetaCode & { codes: readonly number[] }

const UNKNOWN: MetaCode = {
	scope: 'message',
	report: {
		title: 'Refused by WhatsApp',
		meaning: 'WhatsApp did not accept or deliver the message.',
		advice: 'Send a test message to your own number. If that fails too, ask your administrator.',
		isWorthRetrying: false,
	},
}

const CODES = new Map<number, MetaCode>(
	[...MESSAGE_CODES, ...ACCOUNT_CODES].flatMap(({ codes, ...entry }) => codes.map((code) => [code, entry] as const)),
)

/** Code whose meaning applies to all missing permissions, which have the codes 200 to 299. */
const PERMISSION_CODE = 10
const isPermission = (code: number) => code >= 200 && code <= 299

/** Returns the meaning of one of Meta's codes. An unknown code refuses a single message. */
export function metaCode(code: number): MetaCode {
	return CODES.get(isPermission(code) ? PERMISSION_CODE : code) ?? UNKNOWN
}

/** Returns true for a temporary limit or outage, after which the same call may succeed. Most of them come with HTTP 400. */
export function isTemporary({ status, fault }: Pick<GraphError, 'status' | 'fault'>): boolean {
	if (status >= 500 || status === 429 || fault?.isTransient === true) return true
	return fault !== null && ['limit', 'fault'].includes(metaCode(fault.code).scope)
}

/** Returns the reason why sending stopped, with what to do; `error` is Meta's text for an unknown code. */
export function stopAdvice({ code, error }: { code: number; error: string }): string {
	return metaCode(code).stop ?? `${error} (code ${code})`
}

/** Returns the reasons why a number stopped, for its user and for administrators. */
export function stopReason(fault: { code: number; error: string }): StopReason {
	const user = stopAdvice(fault)
	return { user, admin: metaCode(fault.code).stopForAdmin ?? user }
}

/** Returns the explanation of a failed chat message: our text where it helps more, else Meta's. */
export function chatWords(code: number, given: string | null): string {
	return metaCode(code).chat ?? `WhatsApp did not accept this message${given ? `: ${given}` : ''}`
}
