import { isRecord, readFault, type GraphFault, type GraphReply } from '#features/whatsapp/server/service.ts'

/** What became of one attempt to send one message. */
export type Outcome =
	| { kind: 'accepted'; wamid: string; held: boolean }
	/** Refused before processing: safe to send again after `delayMs`. `slowDown`: the number sends too fast. */
	| { kind: 'retry'; code: number; error: string; delayMs: number; slowDown: boolean }
	/** Refused for this recipient only. `repeats`: the same answer for many in a row means the campaign is at fault. */
	| { kind: 'failed'; code: number; error: string; optOut: boolean; repeats: boolean }
	/** Nobody can get this campaign as it is. */
	| { kind: 'campaign'; code: number; error: string }
	/** Nothing can be sent from this number at present. */
	| { kind: 'sender'; code: number; error: string }
	/** It may have gone out: never sent again blindly. */
	| { kind: 'unknown'; error: string }

const RETRY = new Set([4, 80007, 130429, 131056])
const UNKNOWN = new Set([1, 2, 131000, 131016, 131057, 133004])
const CAMPAIGN = new Set([
	131052, 131053, 131055, 131063, 131064, 132001, 132007, 132015, 132016, 132068, 132069, 134100, 134101, 134102,
])
const SENDER = new Set([0, 3, 10, 33, 190, 368, 131005, 131031, 131037, 131042, 131045, 131048, 133010, 134011])
/** The recipient's own matter, however often it comes. */
const RECIPIENT = new Set([
	130403, 130472, 130497, 131021, 131026, 131030, 131047, 131049, 131050, 131051, 131062, 132005,
])

/** Judges Meta's answer to a send. `tries` counts this attempt. */
export function judgeReply(reply: GraphReply, tries: number): Outcome {
	if (reply.status < 300) return judgeAcceptance(reply.body)
	const fault = readFault(reply.body)
	if (!fault) return judgeBareStatus(reply.status, tries)
	const error = describe(fault)
	if (RETRY.has(fault.code)) {
		return {
			kind: 'retry',
			code: fault.code,
			error,
			delayMs: retryDelay(fault.code, tries),
			slowDown: fault.code === 130429,
		}
	}
	if (UNKNOWN.has(fault.code)) return { kind: 'unknown', error }
	if (isSenderFault(fault)) return { kind: 'sender', code: fault.code, error }
	if (CAMPAIGN.has(fault.code)) return { kind: 'campaign', code: fault.code, error }
	if (reply.status >= 500) return { kind: 'unknown', error }
	const repeats = !RECIPIENT.has(fault.code)
	return { kind: 'failed', code: fault.code, error, optOut: fault.code === 131050, repeats }
}

/** Judges a call that brought no answer. One whose first byte was never handed to a connection cannot have gone out. */
export function judgeFailure(thrown: unknown, { tries, isHanded }: { tries: number; isHanded: boolean }): Outcome {
	if (isHanded) return { kind: 'unknown', error: `No answer from the network (${errorCode(thrown)})` }
	const error = 'The network could not be reached'
	return { kind: 'retry', code: 0, error, delayMs: retryDelay(0, tries), slowDown: false }
}

function judgeAcceptance(body: unknown): Outcome {
	const messages = isRecord(body) && Array.isArray(body.messages) ? (body.messages as unknown[]) : []
	const first = messages[0]
	if (!isRecord(first) || typeof first.id !== 'string')
		return { kind: 'unknown', error: 'The network gave no message id' }
	return { kind: 'accepted', wamid: first.id, held: first.message_status === 'held_for_quality_assessment' }
}

function judgeBareStatus(status: number, tries: number): Outcome {
	if (status === 429) {
		return { kind: 'retry', code: 429, error: 'Too many requests', delayMs: retryDelay(130429, tries), slowDown: true }
	}
	if (status >= 500) return { kind: 'unknown', error: `The network answered with HTTP ${status}` }
	return {
		kind: 'failed',
		code: status,
		error: `The network answered with HTTP ${status}`,
		optOut: false,
		repeats: true,
	}
}

/** Permissions come as a range; "unknown object" is code 100 with subcode 33. */
function isSenderFault(fault: GraphFault): boolean {
	if (fault.code === 100) return fault.subcode === 33
	return SENDER.has(fault.code) || (fault.code >= 200 && fault.code <= 299)
}

/** Milliseconds: minutes for call limits, 4^tries seconds for one recipient's pair limit, jittered seconds otherwise. */
function retryDelay(code: number, tries: number): number {
	const jitter = 0.75 + Math.random() / 2
	if (code === 4 || code === 80007) return Math.min(60_000 * 2 ** (tries - 1), 600_000) * jitter
	if (code === 131056) return Math.min(4 ** tries * 1000, 300_000) * jitter
	return Math.min(1000 * 2 ** (tries - 1), 60_000) * jitter
}

function describe(fault: GraphFault): string {
	return (fault.details ?? fault.userMessage ?? fault.message)
		.replace(/^\(#\d+\)\s*/, '')
		.replaceAll('\0', '')
		.slice(0, 500)
}

function errorCode(thrown: unknown): string {
	if (!(thrown instanceof Error)) return 'unknown'
	const { code, cause } = thrown as Error & { code?: unknown; cause?: unknown }
	if (typeof code === 'string') return code
	return cause instanceof Error ? errorCode(cause) : thrown.name
}
