import type { StopReason } from '../queries.ts'
import { ACCOUNT_CODES } from './account-codes.ts'
import { MESSAGE_CODES } from './message-codes.ts'

/** Why a message failed, in the words of the business that sent it. */
export interface FailureWords {
	title: string
	meaning: string
	/** What to do about it. */
	advice: string
	/** Whether the same message to the same recipient may succeed later. */
	isWorthRetrying: boolean
}

/**
 * What was exceeded. Only the limit on messages to one recipient is about the message itself and uses up an attempt; the pace
 * and a limit on the whole account are not, and must not fail it.
 */
export type LimitCause = 'pace' | 'account-limit' | 'recipient-limit'

/** What one of Meta's error codes means to us. */
export interface MetaCode {
	/**
	 * `limit`: not processed, to be sent again. `fault`: one of Meta's own, after which the message may have been processed.
	 * `recipient`: this person cannot be reached. `message`: this message is refused; the same answer for many in a row means
	 * that the campaign is at fault. `campaign`: nobody can get it as it is. `sender`: nothing can be sent from this number.
	 */
	scope: 'limit' | 'fault' | 'recipient' | 'message' | 'campaign' | 'sender'
	/** Of a limit. */
	cause?: LimitCause
	/** The access token lacks a right or is not valid, or the account is blocked. */
	access?: 'refused' | 'blocked'
	/** In a campaign's report. */
	report: FailureWords
	/** Why a campaign or the number was stopped, with what to do. */
	stop?: string
	/** The same for an administrator, who sees why numbers were stopped, where it says something else. */
	stopForAdmin?: string
	/** Under a message of a chat. */
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

/** Missing permissions have codes from 200 to 299, and mean what this one does. */
const PERMISSION_CODE = 10
const isPermission = (code: number) => code >= 200 && code <= 299

/** What a code of Meta's means; one that we do not know refuses a single message. */
export function metaCode(code: number): MetaCode {
	return CODES.get(isPermission(code) ? PERMISSION_CODE : code) ?? UNKNOWN
}

/** Why nothing is sent, with what to do about it; `error` is what Meta said. */
export function stopAdvice({ code, error }: { code: number; error: string }): string {
	return metaCode(code).stop ?? `${error} (code ${code})`
}

/** The same for a number, for each who reads it. */
export function stopReason(fault: { code: number; error: string }): StopReason {
	const user = stopAdvice(fault)
	return { user, admin: metaCode(fault.code).stopForAdmin ?? user }
}

/** Why a single message failed, in our words where they help more than those that came with the code. */
export function chatWords(code: number, given: string | null): string {
	return metaCode(code).chat ?? `WhatsApp did not accept this message${given ? `: ${given}` : ''}`
}
