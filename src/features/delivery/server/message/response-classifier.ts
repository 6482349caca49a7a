import { OPTED_OUT_CODE, OWN_ERRORS } from '#features/delivery/rules.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import { metaCode, type LimitCause } from '#features/whatsapp/server/codes/codes.ts'
import { isRecord, readFault, type GraphFault, type GraphResponse } from '#features/whatsapp/server/graph-client.ts'

/** The outcome of one attempt to send one message. */
export type Outcome =
	/**
	 * `waId` is WhatsApp's id of the recipient, which can differ from the number. `endpoint` is set for a marketing template,
	 * whose route the report shows.
	 */
	| { kind: 'accepted'; wamid: string; isInQualityCheck: boolean; waId: string | null; endpoint?: SendEndpoint }
	/** Meta did not process the request: it can be sent again after `delayMs`. `detail` is the connection's error, for operators. */
	| { kind: 'retry'; code: number; error: string; delayMs: number; cause: RetryCause; detail?: string }
	/**
	 * Meta refused only this recipient. With `repeats`, the same answer for many in a row means that the campaign is at fault.
	 */
	| { kind: 'failed'; code: number; error: string; optOut: boolean; repeats: boolean }
	/** The endpoint `by` refused the message, which is sent again on the other one. */
	| { kind: 'rerouted'; code: number; error: string; by: SendEndpoint }
	/** Meta refuses every message of this campaign. */
	| { kind: 'campaign'; code: number; error: string }
	/** Meta refuses every message from this number at present. */
	| { kind: 'sender'; code: number; error: string }
	/** Meta may have processed the request: it is never sent again without proof. */
	| { kind: 'unknown'; error: string }
	/** The message was claimed and not sent. */
	| { kind: 'returned' }
	| { kind: 'opted-out' }

/**
 * The cause of a retry. An unreachable network, and a template that WhatsApp is preparing, are not the message's fault and never
 * fail it.
 */
type RetryCause = LimitCause | 'unreachable' | 'preparing'

/** Classifies Meta's response to a send. `attempts` includes the attempt that got the response. */
export function classifyResponse(response: GraphResponse, attempts: number): Outcome {
	if (response.status < 300) return classifyAcceptance(response.body)
	const fault = readFault(response.body)
	if (!fault) return classifyBareStatus(response.status, attempts)
	const error = describe(fault)
	const code = codeOf(fault)
	const { scope, cause } = metaCode(code)
	if (cause) return { kind: 'retry', code, error, delayMs: retryDelayMs(cause, attempts), cause }
	if (scope === 'fault') return { kind: 'unknown', error }
	if (scope === 'sender' || scope === 'campaign') return { kind: scope, code, error }
	if (response.status >= 500) return { kind: 'unknown', error }
	return { kind: 'failed', code, error, optOut: code === OPTED_OUT_CODE, repeats: scope === 'message' }
}

/** Classifies a request without a response. A request whose first byte was never handed to a connection was not processed. */
export function classifyFailure(
	thrown: unknown,
	{ attempts, isHanded }: { attempts: number; isHanded: boolean },
): Outcome {
	if (isHanded) return { kind: 'unknown', error: `No answer from the network (${failureReason(thrown)})` }
	const { code, text: error } = OWN_ERRORS.unreachable
	const detail = failureReason(thrown)
	return { kind: 'retry', code, error, delayMs: retryDelayMs('unreachable', attempts), cause: 'unreachable', detail }
}

function classifyAcceptance(body: unknown): Outcome {
	const messages = isRecord(body) && Array.isArray(body.messages) ? (body.messages as unknown[]) : []
	const first = messages[0]
	if (!isRecord(first) || typeof first.id !== 'string')
		return { kind: 'unknown', error: 'The network gave no message id' }
	const isInQualityCheck = first.message_status === 'held_for_quality_assessment'
	return { kind: 'accepted', wamid: first.id, isInQualityCheck, waId: readWaId(body) }
}

function readWaId(body: unknown): string | null {
	const contacts = isRecord(body) && Array.isArray(body.contacts) ? (body.contacts as unknown[]) : []
	const id = isRecord(contacts[0]) ? contacts[0].wa_id : null
	return typeof id === 'string' && /^\d{6,15}$/.test(id) ? id : null
}

function classifyBareStatus(status: number, attempts: number): Outcome {
	const error = `The network answered with HTTP ${status}`
	if (status === 429) return { kind: 'retry', code: 429, error, delayMs: retryDelayMs('pace', attempts), cause: 'pace' }
	if (status >= 500) return { kind: 'unknown', error }
	return { kind: 'failed', code: status, error, optOut: false, repeats: true }
}

/** Returns the error code. "Unknown object" is code 33, or code 100 with subcode 33. */
function codeOf({ code, subcode }: GraphFault): number {
	return code === 100 && subcode === 33 ? 33 : code
}

/**
 * Returns the delay before the next attempt in milliseconds: 4^attempts seconds, at most 300, for the pair limit of a
 * recipient, as Meta asks, otherwise about a second.
 */
function retryDelayMs(cause: RetryCause, attempts: number): number {
	const jitter = 0.75 + Math.random() / 2
	return (cause === 'recipient-limit' ? Math.min(4 ** attempts * 1000, 300_000) : 1000) * jitter
}

function describe(fault: GraphFault): string {
	return (fault.details ?? fault.userMessage ?? fault.message)
		.replace(/^\(#\d+\)\s*/, '')
		.replaceAll('\0', '')
		.slice(0, 500)
}

const MAX_REASON_LENGTH = 200
const MAX_CAUSES = 8

/** Returns what made a call fail, as `certificate has expired (CERT_HAS_EXPIRED)`: the innermost cause, in one line. */
function failureReason(thrown: unknown): string {
	let error = thrown
	for (let depth = 0; depth < MAX_CAUSES; depth++) {
		const inner = innerError(error)
		if (!inner) break
		error = inner
	}
	if (!(error instanceof Error)) return 'unknown'
	const { code } = error as Error & { code?: unknown }
	const message = error.message.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH)
	if (typeof code !== 'string' || message.includes(code)) return message || error.name
	return message === '' ? code : `${message} (${code})`
}

/**
 * Returns the error that caused `error`; of several attempts to connect, the error of the first. Undefined without a
 * cause.
 */
function innerError(error: unknown): Error | undefined {
	const found =
		error instanceof AggregateError ? (error.errors[0] as unknown) : (error as { cause?: unknown } | null)?.cause
	return found instanceof Error ? found : undefined
}
